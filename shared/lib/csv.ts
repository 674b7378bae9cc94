/**
 * CSV in the form that spreadsheets in Switzerland read: UTF-8 with a byte order mark, semicolons
 * and CRLF (RFC 4180).
 */
export function csvOf(rows: readonly (readonly string[])[]): string {
  return byteOrderMark + rows.map((row) => csvLine(row.map(csvText))).join('');
}

export const byteOrderMark = '\uFEFF';

/** Joins the cells of a line. @param cells texts that are already escaped, or numbers */
export function csvLine(cells: readonly string[]): string {
  return `${cells.join(';')}\r\n`;
}

/**
 * A text cell that no spreadsheet treats as a formula: if the text begins like a formula, an
 * apostrophe is put before it (OWASP, "CSV Injection").
 */
export function csvText(text: string): string {
  // Spreadsheets treat full-width signs like plain ones (Unicode Standard Annex 15, NFKC).
  const first = text.trimStart().slice(0, 1).normalize('NFKC');
  const safe = /^[=+\-@]/.test(first) || /^[\t\r\n]/.test(text) ? `'${text}` : text;
  return /[;"\r\n,\t]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
