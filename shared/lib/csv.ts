/**
 * CSV as a spreadsheet of Switzerland reads it: UTF-8 with a byte order mark, semicolons, CRLF
 * (RFC 4180).
 */
export function csvOf(rows: readonly (readonly string[])[]): string {
  return byteOrderMark + rows.map((row) => csvLine(row.map(csvText))).join('');
}

export const byteOrderMark = '\uFEFF';

/** @param cells escaped already, or numbers */
export function csvLine(cells: readonly string[]): string {
  return `${cells.join(';')}\r\n`;
}

/**
 * A text cell that a spreadsheet never takes for a formula: one that begins like a formula gets an
 * apostrophe before it (OWASP, "CSV Injection").
 */
export function csvText(text: string): string {
  // Spreadsheets take full-width signs for plain ones (Unicode Standard Annex 15, NFKC).
  const first = text.trimStart().slice(0, 1).normalize('NFKC');
  const safe = /^[=+\-@]/.test(first) || /^[\t\r\n]/.test(text) ? `'${text}` : text;
  return /[;"\r\n,\t]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
