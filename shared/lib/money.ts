import type { Language } from '../i18n/language.ts';

/**
 * Money is whole Rappen (integers) from the window to the partner's client. It is decimal CHF in
 * the partner's API and in everything that leaves the desk (`shared/desk/cases/amounts.ts`). Sums
 * are never computed in floating point.
 */

/**
 * Converts decimal CHF from the API to whole Rappen.
 * @throws {RangeError} when the value is not finite or has more than two decimals.
 */
export function rappenFromChf(chf: number): number {
  const rappen = Math.round(chf * 100);
  if (!Number.isSafeInteger(rappen) || rappen / 100 !== chf) {
    throw new RangeError('an amount has at most 2 decimals');
  }
  return rappen;
}

/** Converts whole Rappen to decimal CHF, the double that is nearest to the exact decimal. */
export function chfFromRappen(rappen: number): number {
  return rappen / 100;
}

export function chfOrNull(rappen: number | null): number | null {
  return rappen === null ? null : chfFromRappen(rappen);
}

/** The saving in Rappen. It is set only if both amounts are set and the estimate is higher. */
export function savingOf(estimate: number | null, approved: number | null): number | null {
  return estimate !== null && approved !== null && estimate > approved ? estimate - approved : null;
}

export type AmountProblem = 'not_a_number' | 'negative' | 'too_many_decimals' | 'too_large';
export type ParsedAmount =
  | { readonly ok: true; readonly rappen: number | null }
  | { readonly ok: false; readonly problem: AmountProblem };

const swissAmount =
  /^(?:\d+|\d{1,3}(?:['’ \u00a0\u202f]\d{3})+)(?:\.(\d*)|,(\d{1,2})|[.,][–-]{1,2})?$/;

/**
 * Parses typed text: `12'345.60`, `12345,6`, `12 345`, `1200.-`, `8000.--`, with or without CHF or
 * Fr. A comma before one or two digits is a decimal mark. A comma before three digits is refused,
 * because `12,345` means one amount in Zurich and another in London. An empty text means "not
 * entered".
 */
export function parseAmount(text: string, maxRappen: number): ParsedAmount {
  const trimmed = text
    .trim()
    .replace(/^(?:CHF|Fr\.?)/i, '')
    .replace(/(?:CHF|Fr\.?)$/i, '')
    .trim();
  if (trimmed === '') return { ok: true, rappen: null };
  if (/^[-−]/.test(trimmed)) return { ok: false, problem: 'negative' };
  const match = swissAmount.exec(trimmed);
  if (!match) return { ok: false, problem: 'not_a_number' };
  const decimals = match[1] ?? match[2] ?? '';
  if (decimals.length > 2) return { ok: false, problem: 'too_many_decimals' };
  const francs = trimmed.split(/[.,]/)[0]?.replaceAll(/\D/g, '') ?? '';
  const rappen = Number(francs) * 100 + Number(decimals.padEnd(2, '0'));
  return rappen > maxRappen ? { ok: false, problem: 'too_large' } : { ok: true, rappen };
}

/**
 * The mark between thousands: ’ (U+2019) in German, Italian and English, a narrow space in French.
 */
const groupMark = (language: Language): string => (language === 'fr' ? '\u202f' : '’');

/** Digits with the Swiss marks between thousands, which are the same in every browser: `12’345`. */
export const groupDigits = (digits: string, language: Language): string =>
  inThrees(digits, groupMark(language));

/** The digits in groups of three, counted from the end. */
export function inThrees(digits: string, mark: string): string {
  const first = digits.length % 3;
  const groups = digits.slice(first).match(/.{3}/g) ?? [];
  return [...(first > 0 ? [digits.slice(0, first)] : []), ...groups].join(mark);
}

/** Whole Rappen as the user reads and edits them: `12’345.60`. */
export function formatRappen(rappen: number, language: Language): string {
  const francs = groupDigits(Math.floor(Math.abs(rappen) / 100).toString(), language);
  const sign = rappen < 0 ? '−' : '';
  return `${sign}${francs}.${(Math.abs(rappen) % 100).toString().padStart(2, '0')}`;
}
