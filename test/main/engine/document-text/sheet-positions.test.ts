import { afterAll, describe, expect, it } from 'vitest';
import { SheetTextReader } from '#main/engine/document-text/read-sheet-text.ts';
import { faultLog } from '../../../support/fault-log.ts';
import { makeWorkbook } from '../../../support/workbook.ts';

const reader = new SheetTextReader(faultLog);
afterAll(() => reader.end());

type Value = string | number | null;
const cell = (value: Value, at: string) => {
  if (value === null) return `<c r="${at}"/>`;
  return typeof value === 'number'
    ? `<c r="${at}"><v>${String(value)}</v></c>`
    : `<c r="${at}" t="inlineStr"><is><t>${value}</t></is></c>`;
};
const rowOf = (values: readonly Value[], at: number, more = '') =>
  `<row r="${at + 1}"${more}>${values
    .map((value, place) => cell(value, `${String.fromCharCode(65 + place)}${at + 1}`))
    .join('')}</row>`;

/** A calculation as programs export it: number, text, quantity, price, amount. */
const calculation: readonly (readonly Value[])[] = [
  ['Kalkulation Garage Muster AG'],
  ['Pos', 'Bezeichnung', 'Menge', 'Preis', 'Betrag'],
  [1, 'Stossstange vorne ersetzen', 2.5, 120, 300],
  [2, 'Kotflügel links', 1, 410.35, 410.35],
  [3, 'Farbe und Material', null, null, 89.3],
  [null, 'Total exkl. MWST', null, null, 799.65],
  [null, 'MWST 8.1 %', null, null, 64.77],
  [null, 'Total inkl. MWST', null, null, 864.42],
];

async function read(rows: readonly (readonly Value[])[], parts: { hidden?: number } = {}) {
  const xml = rows.map((row, at) => rowOf(row, at, at === parts.hidden ? ' hidden="1"' : ''));
  const bytes = Uint8Array.from(makeWorkbook({ rows: xml.join('') }));
  return await reader.read(
    { bytes, charsMax: 1000 },
    { timeoutMs: 30_000, signal: new AbortController().signal },
  );
}
const change = (line: number, row: readonly Value[]) => calculation.with(line, row);

describe('a workbook of a calculation', () => {
  it('has its lines, its total and its words', async () => {
    const found = await read(calculation);
    expect(found?.estimate).toMatchObject({
      positions: [
        { number: '1', text: 'Stossstange vorne ersetzen', rappen: 30_000 },
        { number: '2', text: 'Kotflügel links', rappen: 41_035 },
        { number: '3', text: 'Farbe und Material', rappen: 8930 },
      ],
      sumRappen: 79_965,
      taxRappen: 6477,
      taxRate: 810,
      totalRappen: 86_442,
    });
    expect(found?.text).toContain('Stossstange vorne ersetzen');
  });

  it('has no lines if they do not add up, one is hidden, or it is in another currency', async () => {
    const wrong = [
      await read(change(3, [2, 'Kotflügel links', 1, 410.35, 410.36])),
      await read(change(3, [2, 'Kotflügel links', 1, 410.351, 410.351])),
      await read(calculation, { hidden: 3 }),
      await read(change(0, ['Alle Beträge in EUR'])),
      await read(calculation.slice(0, 5)),
    ];
    expect(wrong.map((one) => one?.estimate)).toEqual([null, null, null, null, null]);
    expect(wrong.map((one) => one?.text.includes('Farbe'))).not.toContain(false);
  });

  it('that is none has no text', async () => {
    const bytes = new TextEncoder().encode('PK no workbook');
    const signal = new AbortController().signal;
    const found = await reader.read({ bytes, charsMax: 10 }, { timeoutMs: 30_000, signal });
    expect(found).toMatchObject({ text: '', estimate: null });
  });
});
