import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { amountMaxRappen } from '#shared/api/limits.ts';
import { findTotals, type PageLine } from '#shared/lib/find-totals.ts';

/** A line of words, each of a tenth of the width. */
const line = (text: string, top = 0.5): PageLine =>
  text.split(' ').map((word, index) => ({
    text: word,
    box: { left: index / 10, top, width: 0.09, height: 0.02 },
  }));
const totalsIn = (...texts: string[]) => findTotals(texts.map((text) => line(text)));
const amounts = (...texts: string[]) =>
  totalsIn(...texts)
    .filter(({ currency }) => currency === 'CHF')
    .map(({ rappen }) => rappen);
const foreign = (...texts: string[]) =>
  totalsIn(...texts).map(({ currency, rappen }) => `${currency} ${String(rappen)}`);

/** Ways in which a Swiss garage writes an amount. */
function written(rappen: number, way: { apart: string; mark: string; dashes: string }): string {
  const francs = String(Math.floor(rappen / 100)).replaceAll(/\B(?=(\d{3})+$)/g, way.apart);
  const rest = String(rappen % 100).padStart(2, '0');
  return rest === '00' ? `${francs}.${way.dashes}` : `${francs}${way.mark}${rest}`;
}
const ways = fc.record({
  apart: fc.constantFrom("'", '’', '\u00a0', '\u202f', ' ', ''),
  mark: fc.constantFrom('.', ','),
  dashes: fc.constantFrom('00', '-', '--', '–'),
});
const labels = fc.constantFrom(
  'Total',
  'TOTAL',
  'Total CHF',
  'Total inkl. MWST',
  'Gesamttotal inkl. 8.1 % MWST CHF',
  'Montant total TTC',
  'Total TTC Fr.',
  'Totale IVA inclusa',
  'Importo totale',
  'Grand total',
  'Rechnungsbetrag',
  'Endbetrag',
  'Total amount',
);

describe('the totals of a page', () => {
  it('are found in every Swiss way of writing an amount, with their words and place', () => {
    fc.assert(
      fc.property(
        labels,
        fc.integer({ min: 1, max: amountMaxRappen }),
        ways,
        (label, rappen, way) => {
          // Without decimals, and without anything that sets it apart, a number may be a year.
          const text = `${label} ${written(rappen, way)}`;
          const [found, ...others] = findTotals([
            line('Ersatzteile gemäss Liste 12.50'),
            line(text),
          ]);
          expect(others).toEqual([]);
          expect(found?.rappen).toBe(rappen);
          expect(text.startsWith(found?.label ?? '-')).toBe(true);
          const firstOfAmount = label.split(' ').length;
          expect(found?.box.left).toBeCloseTo(firstOfAmount / 10);
        },
      ),
    );
  });

  it('are none without a word for a total, and none that only adds up so far or counts hours', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('Arbeit', 'Lackierung', 'Pièces', 'Ricambi', ''),
        ways,
        (label, way) => {
          expect(amounts(`${label} ${written(796_350, way)}`)).toEqual([]);
        },
      ),
    );
    for (const text of [
      'Zwischentotal 7366.80',
      'Sous-total 7366.80',
      'Sub-total 7366.80',
      'Totale parziale 7366.80',
      'Total Stunden 12.50',
      'Total heures 12.50',
      'Total MWST 8.1 % 596.70',
      'Total TVA 596.70',
      'Totale IVA 596.70',
      'Total sales tax 9.25% 23.13',
      'Total Rabatt 120.00',
      'Total remises 120.00',
      'Totale sconti 120.00',
      'Total discount 120.00',
      'Total carried forward 7366.80',
      'Total à reporter 7366.80',
      'Totalschaden 12000.00',
      'Perte totale 12000.00',
      'Total',
      'Total 2026',
      'Total 8.10 %',
      'Total siehe Seite 12',
    ])
      expect({ text, found: amounts(text) }).toEqual({ text, found: [] });
  });

  it('stand in the order in which they are likely meant, each amount once', () => {
    expect(
      amounts(
        'Total Arbeit 1812.50',
        "Total exkl. MWST 7'366.80",
        "Total inkl. MWST 7'963.50",
        "Total CHF 7'963.50",
        'Total 8000.--',
      ),
    ).toEqual([796_350, 800_000, 181_250, 736_680]);
    // The last of several is their sum.
    expect(amounts('Total 10.00', 'Total 20.00', 'Total 30.00')).toEqual([3000, 2000, 1000]);
    expect(amounts('Total Fr. 8000')).toEqual([800_000]);
    expect(amounts("Total 2 Positionen 7'963.50")).toEqual([796_350]);
  });

  it('make nothing of nonsense', () => {
    const word = fc.oneof(fc.string(), labels, fc.stringMatching(/^[\d'’.,– -]{1,40}$/));
    fc.assert(
      fc.property(fc.array(fc.array(word)), (texts) => {
        for (const { rappen, label, box } of findTotals(
          texts.map((words) => line(words.join(' '))),
        )) {
          expect(rappen > 0 && rappen <= amountMaxRappen && Number.isInteger(rappen)).toBe(true);
          expect(label.length).toBeLessThanOrEqual(60);
          expect(box.width > 0 && box.height > 0).toBe(true);
        }
      }),
    );
  });

  it('carry the currency of their line, or of their document', () => {
    expect(foreign('Gesamtbetrag EUR 1190.00')).toEqual(['EUR 119000']);
    expect(foreign('Gesamtbetrag 1.190,00 €')).toEqual(['EUR 119000']);
    expect(foreign('Total amount 1,190.00 USD')).toEqual(['USD 119000']);
    expect(foreign('Alle Beträge in EUR', 'Gesamtbetrag 1190,00')).toEqual(['EUR 119000']);
    expect(foreign('Norm Euro 6', 'Total 80.00')).toEqual(['CHF 8000']);
    expect(foreign('Totale EUR 100.00', 'Total CHF 95.40')).toEqual(['CHF 9540', 'EUR 10000']);
    // In either: no total at all.
    expect(foreign('Kurs EUR 0.95, Zahlung in CHF', 'Total 80.00')).toEqual([]);
    expect(foreign('Total EUR 100.00 = CHF 95.40')).toEqual([]);
    // Of a garage abroad, whose currency is not shown: it is not francs.
    for (const total of [
      'SEK 12 500.00',
      '1250.00 CZK',
      'PLN 1250.00',
      'kr. 1250.00',
      '1250.00 zł',
    ])
      expect([total, foreign(`Total ${total}`)]).toEqual([total, []]);
    expect(foreign('Alla belopp i SEK', 'Pris 5.00 SEK', 'Total 12 500.00')).toEqual([]);
    expect(foreign('Alle Beträge in PLN', 'Total 1250.00')).toEqual([]);
    expect(foreign('Total CHF 1250.00', 'entspricht PLN 5000.00')).toEqual(['CHF 125000']);
  });

  it('stand before the tax and after the discount that their line names', () => {
    expect(amounts("Total 1'081.00 (MWST 8.1 %: 81.00)")).toEqual([108_100]);
    expect(amounts("Total nach Abzug Rabatt 1'081.00")).toEqual([108_100]);
  });

  it('are none in a credit note, and in an invoice that only mentions one', () => {
    expect(amounts('Gutschrift Nr. 2026-12', "Total 1'081.00")).toEqual([]);
    expect(amounts('Note de crédit', "Total 1'081.00")).toEqual([]);
    expect(amounts('Gutschrift Altteil 50.00', "Total 1'081.00")).toEqual([108_100]);
  });
});

it.each([
  ['Total inkl. MWST 10.50', 0],
  ['Total CHF 10.50', 1],
  ['Gesamttotal 1 10.50', 1],
  ['Total Ersatzteile 10.50', 2],
  ['Total exkl. MWST 10.50', 3],
])('the line “%s” ranks as %d', (text, rank) => {
  expect(totalsIn(text).map((total) => total.rank)).toEqual([rank]);
});

it('a total of nothing, or of more than an amount may be, is not a total', () => {
  expect(amounts('Total 0.00', `Total ${String(amountMaxRappen / 100 + 1)}.00`)).toEqual([]);
});

it('the place of an amount is the box around its words alone', () => {
  const [total] = findTotals([
    [
      { text: 'Total', box: { left: 0, top: 0.5, width: 0.1, height: 0.02 } },
      { text: '12', box: { left: 0.6, top: 0.49, width: 0.05, height: 0.03 } },
      { text: '345.60', box: { left: 0.7, top: 0.5, width: 0.1, height: 0.04 } },
      { text: 'CHF', box: { left: 0.9, top: 0.4, width: 0.1, height: 0.2 } },
    ],
  ]);
  expect(total?.rappen).toBe(1_234_560);
  const { left = 0, top, width = 0, height = 0 } = total?.box ?? {};
  expect([left, top]).toEqual([0.6, 0.49]);
  expect(width).toBeCloseTo(0.2);
  expect(height).toBeCloseTo(0.05);
});

describe('a total whose figure a table tears apart', () => {
  /** Words with the gaps before them, in shares of the width. */
  const spread = (...words: readonly (readonly [string, number])[]): PageLine => {
    let left = 0;
    return words.map(([text, gap]) => {
      const box = { left: left + gap, top: 0.5, width: 0.05, height: 0.012 };
      left = box.left + box.width;
      return { text, box };
    });
  };
  const found = (lines: PageLine) => findTotals([lines]).map(({ rappen }) => rappen);

  it.each([
    "Total 1'2 50.00",
    "Total CHF 1' 250.00",
    "Total 12'3 45.60",
    "Total 1'250 .50",
    "Total 1'250. 50",
    "Total 1'250 50",
    'Total Fr. 8000 50',
  ])('is not offered: %s', (text) => {
    expect(amounts(text)).toEqual([]);
  });

  it('is not offered if a column stands between its thousands, or its words touch', () => {
    const cells = (text: string, gap: number) => spread(['Total', 0], [text, 0.1], ['250.00', gap]);
    // A blank of the text, and a blank that is set wide.
    expect(found(cells('1', 0.003))).toEqual([125_000]);
    expect(found(cells('1', 0.012))).toEqual([125_000]);
    // A count beside the amount.
    expect(found(cells('2', 0.1))).toEqual([]);
    // A word that touches the amount is its beginning.
    expect(found(cells('1234', 0))).toEqual([]);
    expect(found(cells('1234', 0.1))).toEqual([25_000]);
    expect(found(spread(['Total CHF', 0], ['250.00', 0]))).toEqual([25_000]);
  });

  it('is offered whole or not at all, wherever it is cut', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 100_000, max: amountMaxRappen }),
        fc.nat(),
        fc.constantFrom(0, 0.003, 0.1, 0.3),
        (rappen, cut, gap) => {
          const text = written(rappen, { apart: "'", mark: '.', dashes: '00' });
          const at = 1 + (cut % (text.length - 1));
          // A number far before an amount that looks whole may be a count.
          fc.pre(gap === 0 || !/^\d+$/.test(text.slice(0, at)) || text[at] === "'");
          const line = spread(['Total', 0], [text.slice(0, at), 0.1], [text.slice(at), gap]);
          for (const offered of found(line)) expect(offered).toBe(rappen);
        },
      ),
    );
  });
});
