import { foldText } from '#shared/lib/words.ts';

/**
 * The text that q searches: the external key and every text and number among the payload's values,
 * at any depth, folded (decisions, "Lists"). No word spans two values, because words hold no space.
 */
export function searchText(externalKey: string, payload: unknown): string {
  const values = [externalKey];
  // A stack of its own, because a payload may be nested deeper than calls.
  const rest: unknown[] = [payload];
  while (rest.length > 0) {
    const value = rest.pop();
    if (typeof value === 'string' || typeof value === 'number') values.push(String(value));
    else if (typeof value === 'object' && value !== null) {
      for (const inner of Object.values(value)) rest.push(inner);
    }
  }
  return foldText(values.map(storable).join('\n'));
}

/** The words of q, folded, none twice. */
export function searchWords(q: string): string[] {
  const words = foldText(storable(q)).split(/\s+/u);
  return [...new Set(words)].filter((word) => word !== '');
}

/** No store holds a NUL or half a surrogate pair. */
function storable(text: string): string {
  return text.toWellFormed().replaceAll('\0', ' ');
}
