const foreign = /[^a-z\d+/=\s]/i;
/** A line as encoders write it: no line of a text has as many letters without a blank. */
const full = /^[a-z\d+/]{40,}={0,2}$/i;
// eslint-disable-next-line no-control-regex -- these are what is looked for
const control = /[\u0000-\u0008\u000b\u000c\u000e-\u001f]/;

/**
 * The lines of a mail's base64, without the text that mailing lists add behind it.
 * @returns null if a group of four letters is not whole (RFC 2045, 6.8), or if something else than
 * letters stands between the lines
 */
export function base64Lines(body: readonly string[]): readonly string[] | null {
  const lines = body.map((line) => line.trim());
  const text = lines.findIndex((line) => foreign.test(line));
  if (text < 0) return isWhole(lines) ? body : null;
  const end = endBefore(lines.slice(0, text));
  const isText = !lines.slice(end).some((line) => full.test(line) || control.test(line));
  const base64 = lines.slice(0, end);
  const isThere = base64.some((line) => line !== '');
  return isText && isThere && isWhole(base64) ? body.slice(0, end) : null;
}

/** A text may begin with a line of letters: behind the padding, or behind a blank line. */
function endBefore(lines: readonly string[]): number {
  const padded = lines.findLastIndex((line) => line.endsWith('='));
  if (padded >= 0) return padded + 1;
  const first = lines.findIndex((line) => line !== '');
  const blank = lines.indexOf('', Math.max(first, 0));
  return first < 0 || blank < 0 ? lines.length : blank;
}

const isWhole = (lines: readonly string[]) =>
  lines.reduce((sum, line) => sum + line.replaceAll(/\s/g, '').length, 0) % 4 === 0;
