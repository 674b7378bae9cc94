import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readXlsx } from '#main/engine/batch/read-xlsx.ts';
import { makeWorkbook, textRow } from '../../../support/workbook.ts';

const cellsOf = (rows: string, more: Partial<Parameters<typeof makeWorkbook>[0]> = {}) =>
  readXlsx(makeWorkbook({ rows, ...more })).rows.map(({ cells }) => cells);

describe('the first shown sheet of a workbook', () => {
  it('has numbers, shared, formatted and written texts, and truths', () => {
    const rows = `<row r="1"><c r="A1"><v>12.5</v></c><c r="B1" t="s"><v>1</v></c>
      <c r="C1" t="inlineStr"><is><t xml:space="preserve"> a&amp;b </t></is></c>
      <c r="D1" t="str"><f>"x"</f><v></v></c><c r="E1" t="b"><v>1</v></c></row>`;
    const strings = ['<t>one</t>', '<r><t>fe</t></r><r><t xml:space="preserve">tt _x000D_</t></r>'];
    expect(cellsOf(rows, { strings })).toEqual([[12.5, 'fett \r', ' a&b ', '', 'TRUE']]);
  });

  it('has cells without an address at their place, and gaps between those with one', () => {
    const rows = `<row><c><v>1</v></c><c/><c t="inlineStr"><is><t>three</t></is></c></row>
      <row r="5"><c r="C5"><v>2</v></c></row><row><c><v>3</v></c></row>`;
    const { rows: found } = readXlsx(makeWorkbook({ rows }));
    expect(found.map(({ line, cells }) => [line, cells])).toEqual([
      [1, [1, null, 'three']],
      [5, [null, null, 2]],
      [6, [3]],
    ]);
  });

  it('names a formula without a stored result, and one that failed', () => {
    const rows = `<row r="1"><c r="A1"><f>1+2</f><v/></c><c r="B1"><f>1+2</f></c>
      <c r="C1" t="e"><f>A9/0</f><v>#DIV/0!</v></c><c r="D1"><f>1+2</f><v>3</v></c></row>`;
    const none = { fault: 'no_result', shown: '' };
    expect(cellsOf(rows)).toEqual([[none, none, { fault: 'failed', shown: '#DIV/0!' }, 3]]);
  });

  it.each([
    ['DD.MM.YYYY', 46_143, false, '01.05.2026'],
    ['yyyy\\-mm\\-dd h:mm', 46_143.604_166_7, false, '01.05.2026 14:30'],
    ['[$-807]d. mmmm yyyy;@', 1, false, '01.01.1900'],
    ['d/m/yy', 44_681, true, '01.05.2026'],
  ])('writes a day of the format %s in Swiss form', (code, serial, is1904, written) => {
    const rows = `<row r="1"><c r="A1" s="1"><v>${String(serial)}</v></c></row>`;
    expect(cellsOf(rows, { formats: [code], is1904 })).toEqual([[written]]);
  });

  it.each(['#,##0.00', '0.00 &quot;Tag(e)&quot;', '[Red]0;-0', 'General'])(
    'leaves a number of the format %s a number',
    (code) => {
      const rows = '<row r="1"><c r="A1" s="1"><v>46143</v></c></row>';
      expect(cellsOf(rows, { formats: [code] })).toEqual([[46_143]]);
    },
  );

  it.each([
    ['[$€-2]\\ #,##0.00', '€ 1234.5'],
    ['#,##0.00\\ [$EUR]', 'EUR 1234.5'],
    ['#,##0.00&quot; USD&quot;', 'USD 1234.5'],
    ['[$$-409]#,##0.00', '$ 1234.5'],
    ['[$CHF-807]\\ #,##0.00', 1234.5],
    ['&quot;Fr. &quot;#,##0.00', 1234.5],
    ['[$-807]#,##0.00', 1234.5],
  ])('names the currency of a number of the format %s, unless it is francs', (code, shown) => {
    const rows = '<row r="1"><c r="A1" s="1"><v>1234.5</v></c></row>';
    expect(cellsOf(rows, { formats: [code] })).toEqual([[shown]]);
  });

  it('writes a day of ISO 8601 in Swiss form, too', () => {
    const rows = `<row r="1"><c r="A1" t="d"><v>2026-05-01</v></c>
      <c r="B1" t="d"><v>2026-05-01T14:30:00</v></c><c r="C1" t="d"><v>soon</v></c></row>`;
    expect(cellsOf(rows)).toEqual([['01.05.2026', '01.05.2026 14:30', 'soon']]);
  });

  it('reads no columns far out, and refuses more of them than a sheet can have', () => {
    const rows = '<row r="1"><c r="A1"><v>1</v></c><c r="ZZZ1"><v>2</v></c></row>'.repeat(2000);
    const columns = '<cols><col min="1" max="99999999" hidden="1"/></cols>';
    const cells = cellsOf(rows, { columns });
    expect(cells).toHaveLength(2000);
    expect(cells.every((row) => row.length === 1)).toBe(true);
    const many = `<cols>${'<col min="1" max="16384" hidden="1"/>'.repeat(16_385)}</cols>`;
    expect(() => cellsOf('<row r="1"/>', { columns: many })).toThrow();
  });

  it('names the rows and columns that it hides', () => {
    const rows = textRow(1, ['a', 'b']) + textRow(2, ['c', 'd'], ' hidden="1"');
    const columns = '<cols><col min="2" max="3" hidden="true"/><col min="1" max="1"/></cols>';
    const { rows: found, hiddenColumns } = readXlsx(makeWorkbook({ rows, columns }));
    expect(found.map(({ isHidden }) => isHidden)).toEqual([false, true]);
    expect([...hiddenColumns]).toEqual([1, 2]);
    // Without a height or a width they are not seen either.
    const none = textRow(1, ['a', 'b']) + textRow(2, ['c'], ' ht="0" customHeight="1"');
    const narrow = '<cols><col min="2" max="2" width="0" customWidth="1"/></cols>';
    const table = readXlsx(makeWorkbook({ rows: none, columns: narrow }));
    expect(table.rows.map(({ isHidden }) => isHidden)).toEqual([false, true]);
    expect([...table.hiddenColumns]).toEqual([1]);
  });

  it('refuses entities of its own, and whatever is broken, with an error', () => {
    const bomb = '<!DOCTYPE x [<!ENTITY a "aaaa">]><row/>';
    expect(() => cellsOf(bomb)).toThrow();
    const whole = makeWorkbook({ rows: textRow(1, ['a', 'b']) });
    fc.assert(
      fc.property(fc.nat(whole.length - 1), fc.integer({ min: 1, max: 255 }), (at, change) => {
        const broken = whole.slice();
        broken[at] = ((broken[at] ?? 0) + change) % 256;
        try {
          expect(Array.isArray(readXlsx(broken).rows)).toBe(true);
        } catch (error) {
          expect(error).toBeInstanceOf(Error);
        }
      }),
    );
  });
});
