import fc from 'fast-check';
import { strToU8, zipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { readXlsx } from '#main/engine/sheets/read-xlsx.ts';
import { smokeOrLong } from '../../../support/long.ts';
import { makeWorkbook, textRow } from '../../../support/workbook.ts';

const cellsOf = (rows: string, more: Partial<Parameters<typeof makeWorkbook>[0]> = {}) =>
  readXlsx(makeWorkbook({ rows, ...more }))[0].rows.map(({ cells }) => cells);

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
    const [{ rows: found }] = readXlsx(makeWorkbook({ rows }));
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
    ['h:mm', 0.343_75, false, '08:15'],
    ['hh:mm:ss', 0.343_75, true, '08:15'],
  ])('writes a day of the format %s in Swiss form', (code, serial, is1904, written) => {
    const rows = `<row r="1"><c r="A1" s="1"><v>${String(serial)}</v></c></row>`;
    expect(cellsOf(rows, { formats: [code], is1904 })).toEqual([[written]]);
  });

  it.each([
    ['0%', 0.15, '15%'],
    ['0.00%', 0.081, '8.1%'],
    ['0\\%', 15, 15],
    ['0 &quot;%&quot;', 15, 15],
    ['0.00', 0.300_000_000_000_000_04, 0.3],
    ['#,##0.00', 1250.499_999_999, 1250.499_999_999],
  ])('writes a number of the format %s as its program shows it', (code, value, written) => {
    const rows = `<row r="1"><c r="A1" s="1"><v>${String(value)}</v></c></row>`;
    expect(cellsOf(rows, { formats: [code] })).toEqual([[written]]);
  });

  it.each([
    ['[h]:mm', 1.5, '36:00'],
    ['[hh]:mm:ss', 1.520_833_333_3, '36:30'],
    ['[HH]:MM:SS', 1.520_844_907_4, '36:30:01'],
    ['[Red][h]:mm;@', 0.343_75, '8:15'],
    ['[mm]:ss', 0.0625, '90:00'],
    ['[s]', 0.001, '86'],
    ['[h]:mm', -0.25, '-6:00'],
    ['[h]:mm', 0, '0:00'],
    ['[h]:mm', 41.666_666_666_7, '1000:00'],
  ])('writes a duration of the format %s in its first unit', (code, serial, written) => {
    const rows = `<row r="1"><c r="A1" s="1"><v>${String(serial)}</v></c></row>`;
    for (const is1904 of [false, true])
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

  it('refuses a filled cell far out, and more columns than a sheet can have', () => {
    const far = (content: string) =>
      `<row r="1"><c r="A1"><v>1</v></c><c r="ZZZ1">${content}</c></row>`;
    expect(cellsOf(far(''))).toEqual([[1]]);
    expect(() => cellsOf(far('<v>2</v>'))).toThrow('too far out');
    const many = `<cols>${'<col min="1" max="16384" hidden="1"/>'.repeat(16_385)}</cols>`;
    expect(() => cellsOf('<row r="1"/>', { columns: many })).toThrow('too many columns');
  });

  it('reads a row that has only a format as none, a million of them too', () => {
    const formatted = '<row s="1" customFormat="1"><c s="1"/></row>'.repeat(
      smokeOrLong(20_000, 1_000_000),
    );
    expect(cellsOf('<row><c><v>1</v></c></row>' + formatted)).toEqual([[1]]);
  });

  it('has the letters that a program wrote as numbers', () => {
    const rows = `<row r="1"><c r="A1" t="inlineStr"><is><t>gepr&#252;ft &#xE9;</t></is></c>
      <c r="B1" t="s"><v>0</v></c></row>`;
    const strings = ['<t>Z&#xfc;rich</t><rPh sb="0" eb="1"><t>hint</t></rPh>'];
    expect(cellsOf(rows, { strings })).toEqual([['geprüft é', 'Zürich']]);
  });

  it('finds its parts by their relations, and the sheet that was seen last comes first', () => {
    const office = 'http://purl.oclc.org/ooxml/officeDocument/relationships';
    const sheet = (text: string) =>
      `<x:worksheet><x:sheetData><x:row r="1"><x:c r="A1" t="s"><x:v>0</x:v></x:c><x:c r="B1" t="inlineStr"><x:is><x:t>${text}</x:t></x:is></x:c></x:row></x:sheetData></x:worksheet>`;
    const files = {
      '_rels/.rels': `<Relationships><Relationship Id="a" Type="${office}/officeDocument" Target="/book/wb.xml"/></Relationships>`,
      'book/wb.xml': `<x:workbook xmlns:q="${office}"><x:bookViews><x:workbookView activeTab="2"/></x:bookViews><x:sheets>
        <x:sheet name="Eins" sheetId="1" q:id="r1"/><x:sheet name="Alt" sheetId="2" state="veryHidden" q:id="r2"/>
        <x:sheet name="Drei" sheetId="3" q:id="r3"/></x:sheets></x:workbook>`,
      'book/_rels/wb.xml.rels': `<Relationships>
        <Relationship Id="r1" Type="${office}/worksheet" Target="sheets/one.xml"/>
        <Relationship Id="r2" Type="${office}/worksheet" Target="sheets/one.xml"/>
        <Relationship Id="r3" Type="${office}/worksheet" Target="../other/three.xml"/>
        <Relationship Id="r4" Type="${office}/sharedStrings" Target="texts.xml"/></Relationships>`,
      'book/texts.xml': '<x:sst><x:si><x:t>Text</x:t></x:si></x:sst>',
      'book/sheets/one.xml': sheet('one'),
      'other/three.xml': sheet('three'),
    };
    const bytes = zipSync(
      Object.fromEntries(Object.entries(files).map(([name, xml]) => [name, strToU8(xml)])),
    );
    expect(readXlsx(bytes).map(({ name, rows }) => [name, rows[0]?.cells])).toEqual([
      ['Drei', ['Text', 'three']],
      ['Eins', ['Text', 'one']],
    ]);
  });

  it('names the rows and columns that it hides', () => {
    const rows = textRow(1, ['a', 'b']) + textRow(2, ['c', 'd'], ' hidden="1"');
    const columns = '<cols><col min="2" max="3" hidden="true"/><col min="1" max="1"/></cols>';
    const [{ rows: found, hiddenColumns }] = readXlsx(makeWorkbook({ rows, columns }));
    expect(found.map(({ isHidden }) => isHidden)).toEqual([false, true]);
    expect([...hiddenColumns]).toEqual([1, 2]);
    // Without a height or a width they are not seen either.
    const none = textRow(1, ['a', 'b']) + textRow(2, ['c'], ' ht="0" customHeight="1"');
    const narrow = '<cols><col min="2" max="2" width="0" customWidth="1"/></cols>';
    const [table] = readXlsx(makeWorkbook({ rows: none, columns: narrow }));
    expect(table.rows.map(({ isHidden }) => isHidden)).toEqual([false, true]);
    expect([...table.hiddenColumns]).toEqual([1]);
  });

  it('refuses entities of its own, and whatever is broken, with an error', () => {
    const bomb = '<!DOCTYPE x [<!ENTITY a "aaaa">]><row/>';
    expect(() => cellsOf(bomb)).toThrow('Inappropriately located doctype');
    const whole = makeWorkbook({ rows: textRow(1, ['a', 'b']) });
    fc.assert(
      fc.property(fc.nat(whole.length - 1), fc.integer({ min: 1, max: 255 }), (at, change) => {
        const broken = whole.slice();
        broken[at] = ((broken[at] ?? 0) + change) % 256;
        let rows: unknown = [];
        try {
          rows = readXlsx(broken)[0].rows;
        } catch (error) {
          if (!(error instanceof Error)) throw error;
        }
        expect(Array.isArray(rows)).toBe(true);
      }),
    );
  });
});
