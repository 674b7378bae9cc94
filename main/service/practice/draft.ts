import type { Category } from '#shared/api/case.ts';
import type { Random } from './random.ts';

/** A practice claim of one category. */
export interface ClaimDraft {
  readonly category: Category;
  readonly payload: Readonly<Record<string, unknown>>;
  /** The amount in the payload, whole Rappen. */
  readonly estimateRappen: number;
  readonly totalLoss: boolean;
  readonly hailDriveIn: boolean;
}

/** The days that a payload needs, all YYYY-MM-DD. */
export interface ClaimDays {
  readonly incident: string;
  /** Not before the day on which the claim is created. */
  readonly inspection: string;
}

/** A kind of damage. */
export interface Scenario {
  /** In the insured's words; one is picked. */
  readonly descriptions: readonly string[];
  /** CHF, from and to. */
  readonly costs: readonly [number, number];
}

/** A sum in whole 5 Rappen, as prices in Switzerland are. */
export function makeEstimate(random: Random, { costs: [from, to] }: Scenario): number {
  return random.int(from * 20, to * 20) * 5;
}

/** The sum as a number or as a string: the specification has both. */
export function amountMembers(
  random: Random,
  estimateRappen: number,
): { estimatedAmount: number | string; estimatedCurrency: 'CHF' } {
  const chf = estimateRappen / 100;
  return {
    estimatedAmount: random.chance(0.25) ? chf.toFixed(2) : chf,
    estimatedCurrency: 'CHF',
  };
}

/** Remarks on some of the claims. */
export function remarksMember(
  random: Random,
  probability: number,
  texts: readonly string[],
): { remarks?: string } {
  return random.chance(probability) ? { remarks: random.pick(texts) } : {};
}
