import { cutText } from './cut-text.ts';

/**
 * Part of a text, with a mark where something is left out. No character is cut in its middle.
 * @param start of the part, in UTF-16 units, as `length` is
 */
export function excerptOf(text: string, start: number, length: number): string {
  const from = start > 0 ? cutText(text, start).length : 0;
  const part = cutText(text.slice(from), length);
  const isToEnd = from + part.length === text.length;
  return `${from > 0 ? '… ' : ''}${part}${isToEnd ? '' : ' …'}`;
}
