import { chfFromRappen } from '../../lib/money.ts';

// These types are not in the file of the schemas, so that the window starts without the schema
// library.

export const amountNames = ['costEstimateRappen', 'approvedRappen'] as const;

/** The two amounts of a case in whole Rappen; null means not entered. */
export type Amounts = Readonly<Record<(typeof amountNames)[number], number | null>>;

/** Copies the two amounts of an object and nothing else. */
export function amountsOf({ costEstimateRappen, approvedRappen }: Amounts): Amounts {
  return { costEstimateRappen, approvedRappen };
}

/**
 * The name of an amount outside the desk, which is the partner API's: `costEstimateAmount`, in CHF.
 */
export function outsideName(name: string): string {
  return name.replace(/Rappen$/, 'Amount');
}

/**
 * Turns a value of the desk into the JSON that leaves it: amounts become decimal CHF and get the
 * names of the partner API. If an object's `field` names an amount, its numbers are converted as
 * well. The insurer's `payload` stays unchanged.
 */
export function inFrancs(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inFrancs);
  if (typeof value !== 'object' || value === null) return value;
  const field = 'field' in value ? String(value.field) : '';
  const isAmount = outsideName(field) !== field;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]: [string, unknown]) => {
      if (name === 'payload') return [name, inner];
      if (isAmount && name === 'field') return [name, outsideName(field)];
      const outside = outsideName(name);
      return typeof inner === 'number' && (isAmount || outside !== name)
        ? [outside, chfFromRappen(inner)]
        : [outside, inFrancs(inner)];
    }),
  );
}
