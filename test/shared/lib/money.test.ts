import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import {
  chfFromRappen,
  chfOrNull,
  formatRappen,
  groupDigits,
  parseAmount,
  rappenFromChf,
  savingOf,
} from '#shared/lib/money.ts';

const limit = 100_000_000_00;
const amount = fc.integer({ min: 0, max: limit });
/** As an amount stands in a document: `1234.56`. */
const written = (rappen: number) =>
  `${String(Math.floor(rappen / 100))}.${String(rappen % 100).padStart(2, '0')}`;

describe('francs and Rappen', () => {
  it('property: come back the same, for each amount of the partner', () => {
    fc.assert(
      fc.property(amount, (rappen) => {
        expect(rappenFromChf(chfFromRappen(rappen))).toBe(rappen);
        expect(rappenFromChf(Number(written(rappen)))).toBe(rappen);
      }),
      { numRuns: 2000 },
    );
  });

  // As doubles these are 115.99999999999999, 28.999999999999996 and 100100.99999999999 Rappen.
  it.each([
    [1.16, 116],
    [0.29, 29],
    [1001.01, 100_101],
    [0, 0],
    [-1.16, -116],
  ])('%d francs are %d Rappen', (chf, rappen) => {
    expect(rappenFromChf(chf)).toBe(rappen);
  });

  it('refuses more than two decimals and what is no amount', () => {
    for (const chf of [0.001, 1.005, 12.345, NaN, Infinity, -Infinity, 1e300])
      expect(() => rappenFromChf(chf)).toThrow(new RangeError('an amount has at most 2 decimals'));
  });

  it('leaves an amount that is not entered empty', () => {
    expect([chfOrNull(null), chfOrNull(0), chfOrNull(12_345)]).toEqual([null, 0, 123.45]);
  });
});

describe('savings', () => {
  it.each([
    [1000, 900, 100],
    [1000, 0, 1000],
    [1000, 1000, null],
    [900, 1000, null],
    [null, 1000, null],
    [1000, null, null],
    [null, null, null],
  ])('of an estimate of %s and %s approved are %s', (estimate, approved, savings) => {
    expect(savingOf(estimate, approved)).toBe(savings);
  });
});

describe('an amount as it is typed', () => {
  const parse = (text: string) => parseAmount(text, limit);

  it('property: is read with and without marks of thousands and currency', () => {
    const mark = fc.constantFrom("'", '’', ' ', '\u00a0', '\u202f', '');
    const before = fc.constantFrom('', 'CHF ', 'chf', 'Fr. ', 'Fr');
    const after = fc.constantFrom('', ' CHF', 'Fr.', ' fr');
    fc.assert(
      fc.property(amount, mark, before, after, (rappen, thousands, front, back) => {
        const [francs = '', decimals = ''] = written(rappen).split('.');
        const grouped = francs.replaceAll(/\B(?=(?:\d{3})+$)/g, thousands);
        for (const decimalMark of ['.', ','])
          expect(parse(` ${front}${grouped}${decimalMark}${decimals}${back} `)).toEqual({
            ok: true,
            rappen,
          });
      }),
    );
  });

  it.each([
    ['', null],
    ['  ', null],
    ['CHF', null],
    ['12345,6', 1_234_560],
    ['12.', 1200],
    ['12.5', 1250],
    ['1200.-', 120_000],
    ['1200,–', 120_000],
    ['8000.--', 800_000],
    ['007', 700],
  ])('%j is %s Rappen', (text, rappen) => {
    expect(parse(text)).toEqual({ ok: true, rappen });
  });

  it.each([
    ['-1', 'negative'],
    ['−1', 'negative'],
    ['CHF -1', 'negative'],
    ['12,345', 'not_a_number'],
    ["1'23", 'not_a_number'],
    ["1234'567", 'not_a_number'],
    ['1.2.3', 'not_a_number'],
    ['12.---', 'not_a_number'],
    ['zwölf', 'not_a_number'],
    ['x12', 'not_a_number'],
    ['12x', 'not_a_number'],
    ['12 CHF 50', 'not_a_number'],
    ['EUR 12', 'not_a_number'],
    ['1.234', 'too_many_decimals'],
    ['100000000.01', 'too_large'],
  ])('%j is refused: %s', (text, problem) => {
    expect(parse(text)).toEqual({ ok: false, problem });
  });

  it('is allowed up to the limit itself', () => {
    expect(parse('100000000')).toEqual({ ok: true, rappen: limit });
  });
});

test('thousands are marked as in Switzerland', () => {
  const inEach = (['de', 'fr', 'it', 'en'] as const).map((language) =>
    groupDigits('1234567', language),
  );
  expect(inEach).toEqual(['1’234’567', '1\u202f234\u202f567', '1’234’567', '1’234’567']);
  expect([groupDigits('123', 'de'), groupDigits('', 'de')]).toEqual(['123', '']);
});

it.each([
  [0, '0.00'],
  [5, '0.05'],
  [-5, '−0.05'],
  [1_234_560, '12’345.60'],
  [-1_234_560, '−12’345.60'],
])('%d Rappen are read as %s', (rappen, text) => {
  expect(formatRappen(rappen, 'de')).toBe(text);
});
