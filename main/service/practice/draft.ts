import type { Category } from '#shared/api/case-words.ts';
import type { Random } from './random.ts';

/** A practice claim of one category. */
export interface ClaimDraft {
  readonly category: Category;
  readonly payload: Readonly<Record<string, unknown>>;
  /** The amount in the payload, in whole Rappen. */
  readonly estimateRappen: number;
  readonly totalLoss: boolean;
  readonly hailDriveIn: boolean;
}

/** The days of a payload, all YYYY-MM-DD. */
export interface ClaimDays {
  readonly incident: string;
  /** The day of the inspection. It is not before the day on which the claim is created. */
  readonly inspection: string;
}

/** A kind of damage. */
interface Scenario {
  /** The range of the costs in CHF. */
  readonly costs: readonly [number, number];
}

/** A sum in multiples of 5 Rappen, like prices in Switzerland. */
export function makeEstimate(random: Random, { costs: [from, to] }: Scenario): number {
  return random.int(from * 20, to * 20) * 5;
}

/** The sum as a number or as a string, because the specification allows both. */
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

/** Adds remarks to some of the claims. */
export function remarksMember(
  random: Random,
  probability: number,
  texts: readonly string[],
): { remarks?: string } {
  return random.chance(probability) ? { remarks: random.pick(texts) } : {};
}
