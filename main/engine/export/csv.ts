import type { ExportColumn } from '#shared/desk/case-export.ts';
import type { CaseSummary } from '#shared/desk/cases.ts';
import type { Language } from '#shared/desk/workspace.ts';
import { zurichTime } from './zurich-time.ts';

/**
 * A sheet as CSV for Excel in Switzerland (decision 0014): UTF-8 with a byte order mark, semicolons,
 * CRLF (RFC 4180), decimal points.
 */
export function csvHead(columns: readonly ExportColumn[], language: Language): string {
  return `\ufeff${columns.map(({ titles }) => csvText(titles[language])).join(';')}\r\n`;
}

export function csvRow(
  item: CaseSummary,
  columns: readonly ExportColumn[],
  language: Language,
): string {
  const cells = columns.map(({ type, of }) => {
    const value = of(item, language);
    if (value === null) return '';
    if (typeof value === 'number') return type === 'amount' ? value.toFixed(2) : String(value);
    return csvText(type === 'moment' ? (zurichTime(value) ?? value) : value);
  });
  return `${cells.join(';')}\r\n`;
}

/**
 * A text that a spreadsheet takes for nothing but a text: one that begins like a formula gets an
 * apostrophe before it (OWASP, "CSV Injection").
 */
export function csvText(text: string): string {
  const safe = /^\s*[=+\-@\t\r]/.test(text) || /^[\t\r\n]/.test(text) ? `'${text}` : text;
  return /[;"\r\n,\t]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
