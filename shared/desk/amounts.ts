import { chfFromRappen } from '../lib/money.ts';

// Apart from the schemas, so that the window starts without them.

export const amountNames = ['costEstimateRappen', 'approvedRappen'] as const;

/** The two amounts of a case in whole Rappen; null means not entered. */
export type Amounts = Readonly<Record<(typeof amountNames)[number], number | null>>;

/** Nothing but the two amounts of something that has them. */
export function amountsOf({ costEstimateRappen, approvedRappen }: Amounts): Amounts {
  return { costEstimateRappen, approvedRappen };
}

/** The name outside of the desk, as the partner API has it: `costEstimateAmount`, in CHF. */
export function outsideName(name: string): string {
  return name.replace(/Rappen$/, 'Amount');
}

/**
 * The JSON that leaves the desk: amounts in decimal CHF, under their names outside. An object whose
 * `field` names an amount has that amount's values in its numbers. What an insurer sent (`payload`)
 * stays unchanged.
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
