import type { Category } from '#shared/api/case.ts';
import type { Random } from './random.ts';

/** A position of a cost estimate. */
export interface CostItem {
  readonly text: string;
  readonly rappen: number;
}

/** What a generator of one category makes: the payload, and what the papers say of the same case. */
export interface ClaimDraft {
  readonly category: Category;
  readonly payload: Readonly<Record<string, unknown>>;
  /** The sum that the insured names, whole Rappen. */
  readonly estimateRappen: number;
  /** Positions that add up to `estimateRappen`. */
  readonly costItems: readonly CostItem[];
  /** Title of the object on paper: `Skoda Octavia Combi, ZH 123 456`. */
  readonly object: string;
  /** Names on paper; the same as in the payload. */
  readonly partyName: string;
  readonly workshopName: string | null;
  /** What an appraiser writes about it. */
  readonly findings: readonly string[];
  readonly totalLoss: boolean;
  readonly hailDriveIn: boolean;
}

/** The days that a payload needs, all YYYY-MM-DD. */
export interface ClaimDays {
  readonly incident: string;
  /** Not before the day on which the claim is created. */
  readonly inspection: string;
}

/** What a kind of damage costs and consists of. */
export interface Scenario {
  /** Told by the insured; one is picked. */
  readonly descriptions: readonly string[];
  /** CHF, from and to. */
  readonly costs: readonly [number, number];
  readonly positions: readonly string[];
  readonly findings: readonly string[];
}

/** Splits a sum over the positions; whole 5 Rappen each, as prices in Switzerland are. */
export function makeCosts(
  random: Random,
  { costs, positions }: Scenario,
): { estimateRappen: number; costItems: CostItem[] } {
  const [from, to] = costs;
  const estimateRappen = random.int(from * 20, to * 20) * 5;
  const weights = positions.map(() => 1 + random.next() * 4);
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  let left = estimateRappen;
  const costItems = positions.map((text, at) => {
    const share = ((weights[at] ?? 0) / total) * estimateRappen;
    const rappen = at === positions.length - 1 ? left : Math.round(share / 5) * 5;
    left -= rappen;
    return { text, rappen };
  });
  return { estimateRappen, costItems };
}

/** Insurers send the sum as a number or as a string of digits; both are in the specification. */
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
