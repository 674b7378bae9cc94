/**
 * Part of a text, with a mark where something is left out.
 * @param start of the part, in characters, as `length` is
 */
export function excerptOf(text: string, start: number, length: number): string {
  const end = Math.min(text.length, start + length);
  return `${start > 0 ? '… ' : ''}${text.slice(start, end)}${end < text.length ? ' …' : ''}`;
}
