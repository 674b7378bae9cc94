import type { Language } from '../i18n/language.ts';

/**
 * Money is whole Rappen (integers) from the window to the partner's client, and decimal CHF on the
 * partner's wire and in what leaves the desk (`shared/desk/amounts.ts`). Sums are never made in
 * floating point.
 */

/**
 * Decimal CHF from the API to whole Rappen.
 * @throws {RangeError} when the value is not finite or has more than two decimals.
 */
export function rappenFromChf(chf: number): number {
  const rappen = Math.round(chf * 100);
  if (!Number.isSafeInteger(rappen) || rappen / 100 !== chf) {
    throw new RangeError('an amount has at most 2 decimals');
  }
  return rappen;
}

/** Whole Rappen to decimal CHF, the nearest double to the exact decimal. */
export function chfFromRappen(rappen: number): number {
  return rappen / 100;
}

export function chfOrNull(rappen: number | null): number | null {
  return rappen === null ? null : chfFromRappen(rappen);
}

/** Saving in Rappen: set only if both amounts are set and the estimate is higher. */
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
 * Parses typed text: `12'345.60`, `12345,6`, `12 345`, `1200.-`, `8000.--`, with or without CHF
 * or Fr. A comma is a decimal mark before one or two digits, and refused before three, because
 * `12,345` means one thing in Zurich and another in London. Empty means "not entered".
 */
export function parseAmount(text: string, maxRappen: number): ParsedAmount {
  const trimmed = text
    .trim()
    .replace(/^(?:CHF|Fr\.?)\s*/i, '')
    .replace(/\s*(?:CHF|Fr\.?)$/i, '');
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

/** Thousands: ’ (U+2019) in German, Italian and English, a narrow space in French. */
const groupMark = (language: Language): string => (language === 'fr' ? '\u202f' : '’');

/** Digits with thousands marks as in Switzerland, the same in every browser: `12’345`. */
export function groupDigits(digits: string, language: Language): string {
  return digits.replaceAll(/\B(?=(?:\d{3})+$)/g, groupMark(language));
}

/** Whole Rappen as the user reads and edits them: `12’345.60`. */
export function formatRappen(rappen: number, language: Language): string {
  const francs = groupDigits(Math.floor(Math.abs(rappen) / 100).toString(), language);
  const sign = rappen < 0 ? '−' : '';
  return `${sign}${francs}.${(Math.abs(rappen) % 100).toString().padStart(2, '0')}`;
}
