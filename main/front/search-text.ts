import { foldText } from '#shared/lib/words.ts';

/**
 * The text that q searches: the external key, and every text and number in the payload at any
 * depth, folded (decisions, "Lists"). No word can match across two values, because a line break
 * separates them.
 */
export function searchText(externalKey: string, payload: unknown): string {
  const values = [externalKey];
  // The function is not recursive, because a payload may be nested deeper than the call stack.
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

/**
 * The distinct terms of q, folded. They are split only at white space, unlike words (decisions,
 * "Lists").
 */
export function searchTerms(q: string): string[] {
  const words = foldText(storable(q)).split(/\s+/u);
  return [...new Set(words)].filter((word) => word !== '');
}

/** PostgreSQL stores no NUL and no lone surrogate. */
function storable(text: string): string {
  return text.toWellFormed().replaceAll('\0', ' ');
}
