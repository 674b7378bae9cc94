import type { SuggestedTotal } from './documents.ts';

/**
 * The total in the text of the same document with which the amount of a QR-bill is compared: an
 * equal one, else the best. Null if the text has none that is the whole sum.
 */
export function totalBesideBill(
  bill: SuggestedTotal,
  totals: readonly SuggestedTotal[],
): SuggestedTotal | null {
  const whole = totals.filter(
    ({ isBill, documentId, currency, rank }) =>
      !isBill && documentId === bill.documentId && currency === bill.currency && rank <= 1,
  );
  return whole.find(({ rappen }) => rappen === bill.rappen) ?? whole[0] ?? null;
}
