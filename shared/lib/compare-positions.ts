import type { Estimate, Position } from './positions.ts';
import { foldText, wordsOf } from './words.ts';

/** A line of one document next to the same line of another. */
export interface ComparedLine {
  /** The line of the first document; null if only the other one has it. */
  readonly first: Position | null;
  readonly second: Position | null;
  /** The second amount less the first. A missing line counts as zero. */
  readonly differenceRappen: number;
  /** The part of the first amount that the second document does not have. */
  readonly cutRappen: number;
}

export interface Comparison {
  /** The lines in the order of the first document, then those of the second alone. */
  readonly lines: readonly ComparedLine[];
  readonly cutsRappen: number;
  readonly differenceRappen: number;
  /**
   * The first total less the cuts, with the tax of the document; null if one document has its amounts
   * with tax and the other without, or if the rate is unknown.
   */
  readonly assessedRappen: number | null;
  /** Whether both documents have their amounts with tax, or both without. */
  readonly isSameBasis: boolean;
}

/** The share of words that two texts have in common if they name the same work. */
const commonMin = 0.6;
const wordsMax = 30;

/** Compares an estimate with an invoice or a second estimate, line by line. */
export function compareEstimates(first: Estimate, second: Estimate): Comparison {
  const partners = matchLines(first.positions, second.positions);
  const taken = new Set(partners.values());
  const lines = [
    ...first.positions.map((position, at) => {
      const partner = partners.get(at);
      return lineOf(position, partner === undefined ? null : (second.positions[partner] ?? null));
    }),
    ...second.positions.filter((_, at) => !taken.has(at)).map((one) => lineOf(null, one)),
  ];
  const cutsRappen = lines.reduce((sum, { cutRappen }) => sum + cutRappen, 0);
  const isSameBasis = (first.taxRappen === null) === (second.taxRappen === null);
  return {
    lines,
    cutsRappen,
    differenceRappen: lines.reduce((sum, line) => sum + line.differenceRappen, 0),
    assessedRappen: isSameBasis ? assessedOf(first, cutsRappen) : null,
    isSameBasis,
  };
}

function lineOf(first: Position | null, second: Position | null): ComparedLine {
  const differenceRappen = (second?.rappen ?? 0) - (first?.rappen ?? 0);
  return { first, second, differenceRappen, cutRappen: Math.max(0, 0 - differenceRappen) };
}

/** A rate in hundredths of a percent is a part of 10,000. */
const rateWhole = 10_000;
/** Totals that a document rounds are whole multiples of 5 Rappen. */
const roundingStep = 5;

/** Whole numbers only: an amount of the limit times a rate is far below 2^53. */
function assessedOf(estimate: Estimate, cutsRappen: number): number | null {
  const { sumRappen, taxRappen, taxRate, roundingRappen, totalRappen } = estimate;
  if (cutsRappen === 0) return totalRappen;
  const sum = sumRappen - cutsRappen;
  if (sum < 0 || (taxRappen !== null && taxRate === null)) return null;
  const tax = taxOf(sumRappen, taxRate);
  // The rate that is named has to be the one that was used.
  if (taxRappen !== null && Math.abs(tax - taxRappen) > roundingStep) return null;
  const whole = sum + taxOf(sum, taxRate);
  return roundingRappen === 0 ? whole : Math.round(whole / roundingStep) * roundingStep;
}

const taxOf = (rappen: number, rate: number | null): number =>
  rate === null ? 0 : Math.round((rappen * rate) / rateWhole);

/** Which line of the second document belongs to a line of the first: the surest matches first. */
function matchLines(
  first: readonly Position[],
  second: readonly Position[],
): ReadonlyMap<number, number> {
  const partners = new Map<number, number>();
  const taken = new Set<number>();
  const join = (one: number, other: number) => {
    if (partners.has(one) || taken.has(other)) return;
    partners.set(one, other);
    taken.add(other);
  };
  const [ones, others] = [first.map(matchable), second.map(matchable)];
  for (const keyOf of keys) {
    const places = Map.groupBy(others.keys(), (at) => keyOf(others[at]));
    for (const [at, line] of ones.entries()) {
      const free = places.get(keyOf(line))?.find((place) => !taken.has(place));
      if (free !== undefined) join(at, free);
    }
  }
  for (const [one, other] of similarLines(ones, others)) join(one, other);
  return partners;
}

interface Matchable extends Position {
  readonly words: ReadonlySet<string>;
  readonly key: string;
}

function matchable(position: Position): Matchable {
  const words = wordsOf(foldText(position.text)).slice(0, wordsMax);
  return { ...position, words: new Set(words), key: words.join(' ') };
}

/** What two lines have in common if they are one, the surest first. */
const keys: readonly ((line: Matchable | undefined) => string)[] = [
  (line) => `${line?.number} ${line?.rappen} ${line?.key}`,
  (line) => `${line?.number} ${line?.key}`,
  (line) => line?.key ?? '',
];

/** Pairs of lines whose texts have most words in common, the most similar first. */
function similarLines(
  ones: readonly Matchable[],
  others: readonly Matchable[],
): [number, number][] {
  const places = new Map<string, number[]>();
  for (const [other, { words }] of others.entries())
    for (const word of words) {
      const known = places.get(word);
      if (known) known.push(other);
      else places.set(word, [other]);
    }
  const pairs = ones.flatMap(({ words }, one) => {
    const common = new Map<number, number>();
    for (const word of words)
      for (const other of places.get(word) ?? []) common.set(other, (common.get(other) ?? 0) + 1);
    return [...common].map(([other, count]) => {
      const share = count / Math.max(words.size, others[other]?.words.size ?? 0);
      return { one, other, share };
    });
  });
  return pairs
    .filter(({ share }) => share >= commonMin)
    .sort((a, b) => b.share - a.share || Math.abs(a.one - a.other) - Math.abs(b.one - b.other))
    .map(({ one, other }) => [one, other]);
}
