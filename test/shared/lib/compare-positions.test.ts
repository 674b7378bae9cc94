import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareEstimates } from '#shared/lib/compare-positions.ts';
import type { Estimate, Position } from '#shared/lib/positions.ts';

const works = [
  'Stossstange vorne ersetzen',
  'Kotflügel links lackieren',
  'Spengler',
  'Glas',
  'Farbe',
];

const estimateOf = (positions: readonly Position[], taxRate: number | null = null): Estimate => {
  const sumRappen = positions.reduce((sum, { rappen }) => sum + rappen, 0);
  const taxRappen = taxRate === null ? null : Math.round((sumRappen * taxRate) / 10_000);
  const totalRappen = sumRappen + (taxRappen ?? 0);
  return { positions, sumRappen, taxRappen, taxRate, roundingRappen: 0, totalRappen };
};

const lines = fc.array(
  fc.record({
    number: fc.integer({ min: 1, max: 9 }).map(String),
    text: fc.constantFrom(...works),
    rappen: fc.integer({ min: -5000, max: 500_000 }),
  }),
  { minLength: 1, maxLength: 12 },
);

const make = (...all: readonly [string, number][]) =>
  all.map(([text, rappen], at): Position => ({ number: String(at + 1), text, rappen }));

describe('the comparison of two documents', () => {
  it('has each line once, and its differences add up to that of the sums', () => {
    fc.assert(
      fc.property(lines, lines, (one, other) => {
        const [first, second] = [estimateOf(one), estimateOf(other)];
        const compared = compareEstimates(first, second);
        expect(compared.lines.flatMap((line) => line.first ?? [])).toEqual(one);
        const seconds = compared.lines.flatMap((line) => line.second ?? []);
        expect(seconds).toHaveLength(other.length);
        expect(new Set(seconds)).toEqual(new Set(other));
        expect(compared.differenceRappen).toBe(second.sumRappen - first.sumRappen);
        const added = compared.lines.reduce(
          (sum, { differenceRappen }) => sum + Math.max(0, differenceRappen),
          0,
        );
        expect(added - compared.cutsRappen).toBe(compared.differenceRappen);
      }),
    );
  });

  it('finds the same lines in any order, and cuts nothing of the same document', () => {
    fc.assert(
      fc.property(lines, (one) => {
        const texts = one.map((line, at) => ({ ...line, text: `${line.text} ${at}` }));
        const compared = compareEstimates(estimateOf(texts), estimateOf(texts.toReversed()));
        expect(compared.cutsRappen).toBe(0);
        expect(compared.lines.map((line) => line.second)).toEqual(texts);
        expect(compared.assessedRappen).toBe(estimateOf(texts).totalRappen);
      }),
    );
  });

  it('matches a line that is worded a little differently, and no other', () => {
    const first = estimateOf(make(['Stossstange vorne ersetzen', 60_000], ['Farbe', 10_000]));
    const second = estimateOf(make(['Glas', 5000], ['Stossstange vorne neu ersetzen', 45_000]));
    const compared = compareEstimates(first, second);
    expect(compared.lines.map((line) => [line.first?.text, line.second?.text])).toEqual([
      ['Stossstange vorne ersetzen', 'Stossstange vorne neu ersetzen'],
      ['Farbe', undefined],
      [undefined, 'Glas'],
    ]);
    expect(compared.lines.map(({ cutRappen }) => cutRappen)).toEqual([15_000, 10_000, 0]);
    expect(compared.assessedRappen).toBe(45_000);
  });

  it('takes the cuts off with the tax of the document', () => {
    const first = estimateOf(make(['Spengler', 100_000], ['Farbe', 50_000]), 810);
    const second = estimateOf(make(['Spengler', 80_000], ['Farbe', 50_000]), 810);
    expect(compareEstimates(first, second).assessedRappen).toBe(140_530);
    const rounded = { ...first, roundingRappen: -2 };
    expect((compareEstimates(rounded, second).assessedRappen ?? 1) % 5).toBe(0);
  });

  it('suggests no amount if the tax is not clear or only one document has it', () => {
    const taxed = estimateOf(make(['Spengler', 100_000]), 810);
    const plain = estimateOf(make(['Spengler', 80_000]));
    expect(compareEstimates(taxed, plain)).toMatchObject({
      isSameBasis: false,
      assessedRappen: null,
      cutsRappen: 20_000,
    });
    const cheaper = estimateOf(make(['Spengler', 80_000]), 810);
    const unclear = { ...taxed, taxRate: null };
    expect(compareEstimates(unclear, cheaper).assessedRappen).toBeNull();
    const wrong = { ...taxed, taxRate: 770 };
    expect(compareEstimates(wrong, cheaper).assessedRappen).toBeNull();
  });
});
