import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { PageLine, PageWord } from '#shared/lib/find-totals.ts';
import { findPositions } from '#shared/lib/page-positions.ts';

/** An estimate as a garage writes it. */
interface Model {
  readonly lines: readonly { readonly text: string; readonly rappen: number }[];
  readonly isNumbered: boolean;
  /** Whether quantity and price stand before the amount. */
  readonly hasColumns: boolean;
  readonly mark: "'" | '’' | ' ' | '';
  readonly language: 'de' | 'fr' | 'it' | 'en';
  readonly tax: 'added' | 'contained' | 'none';
  readonly subtotalAfter: number | null;
  readonly breakAfter: number | null;
  readonly discount: 'none' | 'signed' | 'unsigned';
  readonly rounding: boolean;
}

const words = {
  de: 'Bezeichnung|Betrag|Total exkl. MWST|MWST 8.1 %|Total inkl. MWST|inkl. MWST 8.1 %|Total|Zwischentotal|Übertrag|Rabatt|Rundung',
  fr: 'Désignation|Montant|Total hors TVA|TVA 8.1 %|Total TTC|TVA 8.1 % comprise|Total|Sous-total|Report|Rabais|Arrondi',
  it: 'Descrizione|Importo|Totale IVA esclusa|IVA 8.1 %|Totale IVA inclusa|IVA 8.1 % inclusa|Totale|Totale parziale|Riporto|Sconto|Arrotondamento',
  en: 'Description|Amount|Total excl. VAT|VAT 8.1 %|Total incl. VAT|incl. VAT 8.1 %|Total|Subtotal|Carried forward|Discount|Rounding',
} as const;
const textOf = (language: Model['language'], at: number) => words[language].split('|')[at] ?? '';

const works =
  'Stossstange vorne ersetzen|Kotflügel links lackieren|Spengler Arbeit Std|Lave-glace remonter|Fuoco anabbagliante|Radio ausbauen 2.5 Std|Glas Scheibe|Farbe und Material|Peinture de la porte'.split(
    '|',
  );

const model: fc.Arbitrary<Model> = fc.record({
  lines: fc.array(
    fc.record({
      text: fc.constantFrom(...works),
      rappen: fc.oneof(fc.integer({ min: 0, max: 9_999_999 }), fc.integer({ min: 5, max: 900 })),
    }),
    { minLength: 2, maxLength: 25 },
  ),
  isNumbered: fc.boolean(),
  hasColumns: fc.boolean(),
  mark: fc.constantFrom("'", '’', ' ', ''),
  language: fc.constantFrom('de', 'fr', 'it', 'en'),
  tax: fc.constantFrom('added', 'contained', 'none'),
  subtotalAfter: fc.option(fc.nat(24)),
  breakAfter: fc.option(fc.nat(24)),
  discount: fc.constantFrom('none', 'signed', 'unsigned'),
  rounding: fc.boolean(),
});

const letter = 0.008;
const height = 0.012;

function word(text: string, at: { left?: number; right?: number }, top: number): PageWord {
  const width = text.length * letter;
  return { text, box: { left: at.left ?? (at.right ?? 0) - width, top, width, height } };
}

function amountText(rappen: number, mark: string): string {
  const francs = String(Math.floor(Math.abs(rappen) / 100)).replaceAll(/\B(?=(\d{3})+$)/g, mark);
  const sign = rappen < 0 ? '-' : '';
  return `${sign}${francs}.${String(Math.abs(rappen) % 100).padStart(2, '0')}`;
}

/** What the document says, and what the reader has to find. */
function documentOf(given: Model) {
  const { language, mark } = given;
  const rows: { cells: string[]; amount?: string; isNewPage?: boolean }[] = [];
  const say = (at: number) => textOf(language, at);
  const money = (rappen: number) => amountText(rappen, mark);
  rows.push({ cells: ['Garage Muster AG, 8500 Frauenfeld'] });
  rows.push({ cells: [say(0)], amount: say(1) });
  let sum = 0;
  const expected: { number: string; text: string; rappen: number }[] = [];
  for (const [at, { text, rappen }] of given.lines.entries()) {
    const number = String((at + 1) * 10);
    // The last words of a text can be a quantity, which the reader leaves out.
    const shown = text.replace(/(?: \d[\d.]*)? Std$/, '');
    const columns = given.hasColumns ? ['1.00', money(rappen)] : [];
    rows.push({
      cells: [given.isNumbered ? `${number} ${text}` : text, ...columns],
      amount: money(rappen),
    });
    sum += rappen;
    expected.push({ number: given.isNumbered ? number : String(at + 1), text: shown, rappen });
    if (given.subtotalAfter === at) rows.push({ cells: [say(7)], amount: money(sum) });
    if (given.breakAfter === at && at < given.lines.length - 1) {
      rows.push({ cells: [say(8)], amount: money(sum) });
      rows.push({ cells: [say(8)], amount: money(sum), isNewPage: true });
    }
  }
  if (given.discount !== 'none' && !given.isNumbered) {
    const off = Math.floor(sum / 10);
    rows.push({
      cells: [`${say(9)} 10 %`],
      amount: money(given.discount === 'signed' ? -off : off),
    });
    sum -= off;
    const number = String(expected.length + 1);
    expected.push({ number, text: say(9), rappen: 0 - off });
  }
  let total = sum;
  if (given.tax === 'added') {
    const tax = Math.round((sum * 81) / 1000);
    total += tax;
    rows.push({ cells: [say(2)], amount: money(sum) }, { cells: [say(3)], amount: money(tax) });
  }
  if (given.rounding) {
    const rounded = Math.round(total / 5) * 5;
    rows.push({ cells: [say(10)], amount: money(rounded - total) });
    total = rounded;
  }
  rows.push({ cells: [`${say(given.tax === 'none' ? 6 : 4)} CHF`], amount: money(total) });
  if (given.tax === 'contained')
    rows.push({ cells: [say(5)], amount: money(Math.round((total * 81) / 1081)) });
  return { rows, expected, total };
}

function pagesOf(rows: ReturnType<typeof documentOf>['rows']): PageLine[][] {
  const pages: PageLine[][] = [[]];
  for (const { cells, amount, isNewPage } of rows) {
    if (isNewPage) pages.push([]);
    const page = pages.at(-1) ?? [];
    const top = 0.05 + page.length * 0.02;
    const [text = '', ...columns] = cells;
    page.push([
      word(text, { left: 0.08 }, top),
      ...columns.map((column, at) => word(column, { right: 0.6 + at * 0.15 }, top)),
      ...(amount === undefined ? [] : [word(amount, { right: 0.93 }, top)]),
    ]);
  }
  return pages;
}

describe('the lines of an estimate', () => {
  it('are those of the document, whatever its language, columns, tax, sums and pages', () => {
    fc.assert(
      fc.property(model, (given) => {
        const { rows, expected, total } = documentOf(given);
        fc.pre(total > 0);
        const found = findPositions(pagesOf(rows));
        expect(found?.positions).toEqual(expected);
        expect(found?.totalRappen).toBe(total);
        const { sumRappen = 0, taxRappen, roundingRappen = 0 } = found ?? {};
        expect(sumRappen + (taxRappen ?? 0) + roundingRappen).toBe(total);
      }),
      { numRuns: 300 },
    );
  });

  it('are not offered if an amount differs by a Rappen or a line is missing', () => {
    fc.assert(
      fc.property(model, fc.nat(), fc.boolean(), (given, nth, isMissing) => {
        const { rows, total } = documentOf(given);
        const at = 2 + (nth % given.lines.length);
        const row = rows.filter(({ isNewPage }) => !isNewPage)[at];
        fc.pre(total > 0 && row?.amount !== undefined && given.lines.length > 2);
        const wrong = rows.flatMap((one) => {
          if (one !== row) return [one];
          const digit = one.amount?.at(-1) === '9' ? '8' : String(Number(one.amount?.at(-1)) + 1);
          return isMissing ? [] : [{ ...one, amount: `${one.amount?.slice(0, -1)}${digit}` }];
        });
        fc.pre(!isMissing || !/^0\.00$|^-?0\.0[0-9]$/.test(row.amount));
        fc.pre(
          !isMissing ||
            !/(?:total|parziale|bertrag|Report|Riporto|forward)/i.test(row.cells[0] ?? ''),
        );
        expect(findPositions(pagesOf(wrong))).toBeNull();
      }),
      { numRuns: 300 },
    );
  });

  const simple = [
    { cells: ['Arbeit'], amount: '600.00' },
    { cells: ['Ersatzteile'], amount: '400.00' },
    { cells: ['Total CHF'], amount: "1'000.00" },
  ];
  it('join the words above to a line that has a quantity alone', () => {
    const rows = [
      { cells: ['Stossstange ersetzen'] },
      { cells: ['5 Std à', '120.00'], amount: '600.00' },
      ...simple.slice(1),
    ];
    expect(findPositions(pagesOf(rows))?.positions[0]?.text).toBe('Stossstange ersetzen');
  });

  it.each([
    [
      'other currency',
      simple.map((row) => ({ ...row, cells: row.cells.map((one) => one.replace('CHF', 'EUR')) })),
    ],
    ['credit note', [{ cells: ['Gutschrift 12'] }, ...simple]],
    ['line without words', [{ cells: ['5 Std'], amount: '600.00' }, ...simple.slice(1)]],
    ['single line', [{ cells: ['Arbeit'], amount: "1'000.00" }, ...simple.slice(2)]],
    ['no total', simple.slice(0, 2)],
    [
      'sum of a part that is none',
      [simple[0], { cells: ['Zwischentotal'], amount: '700.00' }, ...simple.slice(1)],
    ],
  ])('are not offered of a document with %s', (_, rows) => {
    expect(findPositions(pagesOf(simple))).not.toBeNull();
    expect(findPositions(pagesOf(rows.filter((row) => row !== undefined)))).toBeNull();
  });

  it('are not offered if a text lies above another', () => {
    const [first = [], ...others] = pagesOf(simple)[0] ?? [];
    const hidden = word('Lackieren', { left: 0.09 }, 0.05);
    expect(
      findPositions([[[...first.slice(0, 1), hidden, ...first.slice(1)], ...others]]),
    ).toBeNull();
  });

  it('are not offered of more lines than an estimate has', () => {
    const many = Array.from({ length: 501 }, (_, at) => ({
      cells: [`Teil ${at}a`],
      amount: '1.00',
    }));
    const total = (rappen: string) => ({ cells: ['Total CHF'], amount: rappen });
    expect(findPositions(pagesOf([...many, total('501.00')]))).toBeNull();
    expect(findPositions(pagesOf([...many.slice(1), total('500.00')]))?.positions).toHaveLength(
      500,
    );
  });
});
