/** Stands between two values, so that a search never finds half of one and half of the next. */
const separator = '\ue000';

/**
 * What the free-text search looks in: the external key and every text and number among the
 * payload's values, at any depth (decisions, "Lists": q).
 */
export function searchText(externalKey: string, payload: unknown): string {
  const values = [externalKey];
  // A stack of its own, because a payload may be nested more deeply than functions can call.
  const rest: unknown[] = [payload];
  while (rest.length > 0) {
    const value = rest.pop();
    if (typeof value === 'string') values.push(value.replaceAll(/[\0\ue000]/g, ' '));
    else if (typeof value === 'number') values.push(String(value));
    else if (typeof value === 'object' && value !== null) {
      for (const inner of Object.values(value)) rest.push(inner);
    }
  }
  return values.join(` ${separator} `);
}

/** The words of a query. Characters that no text holds are taken as spaces. */
export function searchWords(query: string): string[] {
  return query.split(/[\s\0\ue000]+/u).filter((word) => word !== '');
}
