/**
 * Removes certain characters from the end of a text, such as the slashes after a web address. A
 * pattern like `[. ]+$` would take quadratic time, because it starts again at each of these
 * characters.
 * @param unwanted the characters, each a single UTF-16 unit
 */
export function trimEndOf(text: string, unwanted: string): string {
  let end = text.length;
  while (end > 0 && unwanted.includes(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}
