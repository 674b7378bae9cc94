import { stringify } from 'csv-stringify/sync';
import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { readSheet, readTable } from '#main/engine/batch/read-sheet.ts';
import type { OpenWorkspace } from '#main/engine/workspace/open-workspace.ts';
import { smokeOrLong } from '../../../support/long.ts';
import { sampleCase } from '../support/test-engine.ts';
import { openTestWorkspace } from '../support/test-workspace.ts';

const cases = Array.from({ length: 8 }, (_, at) => sampleCase(at + 1, { status: 'InProgress' }));
let workspace: OpenWorkspace;
beforeEach(async () => {
  workspace = await openTestWorkspace();
  workspace.cache.cases.upsert(cases);
});

const read = async (text: string | Uint8Array) =>
  readSheet(workspace, await readTable(workspace, 'sheet.csv', Buffer.from(text)));
const keyOf = (at: number) => cases[at]?.externalKey ?? '';
const comments = ({ items }: Awaited<ReturnType<typeof read>>) =>
  items.map((item) => [item.case.externalKey, item.comment]);

/** Every line that was read stands in one place. */
function expectAccountedFor(sheet: Awaited<ReturnType<typeof read>>, written: number): void {
  const named = new Set([...sheet.problems.map(({ line }) => line), ...sheet.hidden.lines]);
  expect(sheet.lines).toBe(written);
  expect(sheet.items.length + sheet.unchanged + named.size).toBe(written);
}

describe('a sheet of text', () => {
  it('is not taken if it breaks off within a letter', async () => {
    const text = Buffer.from(`Schadennummer;Kommentar\n${keyOf(0)};Kühler\n${keyOf(1)};grü`);
    expect(comments(await read(text))).toHaveLength(2);
    const cut = await read(text.subarray(0, -1));
    expect(cut.items).toEqual([]);
    const params = { fileName: 'sheet.csv', line: 3 };
    expect(cut.problems).toMatchObject([{ problem: { code: 'sheet_unreadable', params } }]);
  });

  it('has its rows whatever its line ends are, also mixed', async () => {
    const lines = [0, 1, 2].map((at) => `${keyOf(at)};Kommentar ${String(at)}`);
    const [first, second, third] = lines;
    for (const mark of ['\r\n', '\n', '\r']) {
      const sheet = await read(`Schadennummer;Kommentar\r\n${first}${mark}${second}\n${third}`);
      expect(comments(sheet)).toEqual(
        [0, 1, 2].map((at) => [keyOf(at), `Kommentar ${String(at)}`]),
      );
      expectAccountedFor(sheet, 3);
    }
  });

  it('has a column whose heading has a line break', async () => {
    const sheet = await read(
      `Schadennummer;"Anerkannter\nBetrag\r\nCHF";Kommentar\r\n${keyOf(0)};900;gut\r\n`,
    );
    expect(sheet.unused).toEqual([]);
    expect(sheet.items).toMatchObject([{ approvedRappen: 90_000, comment: 'gut' }]);
  });

  it('names a line with a filled cell under no heading, and applies nothing of it', async () => {
    const sheet = await read(
      [
        'Schadennummer;Anerkannter Betrag;Kommentar;;',
        `${keyOf(0)};900;Der Rahmen ist verzogen; Totalschaden prüfen`,
        `${keyOf(1)};900;gut;;;`,
        `${keyOf(2)};900`,
      ].join('\r\n'),
    );
    expect(sheet.problems).toEqual([
      {
        line: 2,
        problem: {
          code: 'sheet_cells_beyond',
          params: { column: 4, value: ' Totalschaden prüfen' },
        },
      },
    ]);
    expect(comments(sheet)).toEqual([
      [keyOf(1), 'gut'],
      [keyOf(2), null],
    ]);
    expectAccountedFor(sheet, 3);
  });

  it('names an amount that an unquoted comma tears apart', async () => {
    const sheet = await read(
      `Schadennummer,Kostenvoranschlag,Anerkannter Betrag,Kommentar\r\n${keyOf(0)},1000,50,900,25,x`,
    );
    expect(sheet.problems).toMatchObject([{ line: 2, problem: { code: 'sheet_cells_beyond' } }]);
    expect(sheet.items).toEqual([]);
  });

  it('finds the separator behind empty lines, and beside one that a heading contains', async () => {
    const key = keyOf(0);
    for (const heading of ['\r\n\r\nSchadennummer,Kommentar', 'Schadennummer,Kommentar,"a;b;c"'])
      expect(comments(await read(`${heading}\r\n${key},gut`))).toEqual([[key, 'gut']]);
  });

  it.each([
    ['and none follows', ['"gut', 'schön', 'besser'], [2]],
    ['and another line has quotes', ['"gut', 'schön', '"ja"'], [2]],
    ['and a cell further down ends with one', ['"gut', 'schön', 'Felge 15"'], [2]],
    ['and a later line lacks one, too', ['"gut', 'schön', '"'], [2, 4]],
    ['around an inch sign', ['"Felge 15""', '"Reifen 16""', 'schön'], [2, 3]],
    ['behind a whole one', ['"Felge ""15"" Zoll', 'schön', '"ja"'], [2]],
    ['behind a blank', [' "gut', 'schön', '"ja"'], [2]],
    ['of a cell with separators', ['"gut; "rund"; schön', 'ja', '"ja"'], [2]],
  ])('names a line with a quote that is not closed %s', async (_, [a, b, c], broken) => {
    const rows = [a, b, c].map((comment, at) => `${keyOf(at)};${comment ?? ''}`);
    const sheet = await read(['Schadennummer;Kommentar', ...rows, `${keyOf(3)};gut`].join('\r\n'));
    expect(sheet.problems).toEqual(
      broken.map((line) => ({
        line,
        problem: { code: 'sheet_cell_quote', params: { column: 2 } },
      })),
    );
    expectAccountedFor(sheet, 4);
    expect(comments(sheet).at(-1)).toEqual([keyOf(3), 'gut']);
  });

  it('names a line with an open quote where the number of the case comes last', async () => {
    const rows = [`"gut;900;${keyOf(0)}`, `schön;900;${keyOf(1)}`, `ja";900;${keyOf(2)}`];
    const sheet = await read(['Kommentar;Anerkannter Betrag;Schadennummer', ...rows].join('\n'));
    expect(sheet.problems).toEqual([
      { line: 2, problem: { code: 'sheet_cell_quote', params: { column: 1 } } },
    ]);
    expect(comments(sheet)).toEqual([
      [keyOf(1), 'schön'],
      [keyOf(2), 'ja"'],
    ]);
  });

  it('names an open quote in the headings', async () => {
    const sheet = await read(`Schadennummer;Anerkannter Betrag;"Kommentar\n${keyOf(0)};900;"gut"`);
    expect(sheet.problems).toEqual([
      { line: 1, problem: { code: 'sheet_cell_quote', params: { column: 3 } } },
    ]);
  });

  it('reads a cell of several lines, with quotes and blanks behind it', async () => {
    const comment = `Felge 15"\n\nkrumm; siehe Bild 2;\r\n${keyOf(1)} auch`;
    const written = `"${comment.replaceAll('"', '""')}" `;
    for (const text of [
      `Schadennummer;Kommentar\n${keyOf(0)};${written}\n${keyOf(1)};15" Felge "krumm"`,
      `Kommentar;Schadennummer\n${written};${keyOf(0)}\n15" Felge "krumm";${keyOf(1)}`,
    ])
      expect(comments(await read(text))).toEqual([
        [keyOf(0), comment],
        [keyOf(1), '15" Felge "krumm"'],
      ]);
  });

  it('finds the separator by the headings that it knows', async () => {
    const heading = 'Schadennummer,Kommentar,Bemerkung (gut; schlecht; offen)';
    expect(comments(await read(`${heading}\n${keyOf(0)},gut,x`))).toEqual([[keyOf(0), 'gut']]);
  });

  it('names a line with a letter that was lost', async () => {
    const sheet = await read(`Schadennummer;Kommentar\n${keyOf(0)};gepr\ufffdft`);
    expect(sheet.problems).toMatchObject([{ line: 2, problem: { code: 'sheet_cell_control' } }]);
    expect(sheet.items).toEqual([]);
  });

  it('reads cells that an export made texts, and no line of the mark at the end of a file', async () => {
    const [first, second] = [keyOf(0), keyOf(1)];
    const sheet = await read(
      `Schadennummer;Kommentar\r\n="${first}";="0012"\r\n"=""${second}""";"=""a;b"""\r\n\u001a`,
    );
    expect(comments(sheet)).toEqual([
      [first, '0012'],
      [second, 'a;b'],
    ]);
    expectAccountedFor(sheet, 2);
  });

  it('names a line with control characters', async () => {
    const sheet = await read(`Schadennummer;Kommentar\n${keyOf(0)};gepr\u0081ft`);
    expect(sheet.problems).toMatchObject([{ line: 2, problem: { code: 'sheet_cell_control' } }]);
  });

  it('accounts for each line of any sheet in any dialect of a real writer', async () => {
    const cell = fc.string({
      unit: fc.constantFrom(...Array.from('aä;,"\t\n\r \' ')),
      maxLength: 8,
    });
    const line = fc.record({
      at: fc.integer({ min: 0, max: 9 }),
      comment: cell,
      surplus: fc.option(cell, { freq: 8 }),
    });
    const dialect = fc.record({
      delimiter: fc.constantFrom(';', ',', '\t'),
      record_delimiter: fc.constantFrom('\r\n', '\n', '\r'),
      quoted: fc.boolean(),
      bom: fc.boolean(),
      // By itself this writer puts no quotes around a line end of another kind.
      quoted_match: fc.constant(/[\r\n]/),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(line, { maxLength: 12 }), dialect, async (lines, how) => {
        const rows = lines.map(({ at, comment, surplus }) => [
          at < 8 ? keyOf(at) : '',
          comment,
          ...(surplus === null ? [] : [surplus]),
        ]);
        const text = stringify([['Schadennummer', 'Kommentar'], ...rows], how);
        const sheet = await read(text);
        const filled = rows.filter((row) => row.some((one) => one.trim() !== ''));
        expectAccountedFor(sheet, filled.length);
        for (const { line: number, comment } of sheet.items)
          expect(comment).toBe(
            (rows[number - 2]?.[1] ?? '').trim().replace(/^'(?=\s*[=+\-@])/, ''),
          );
        // Nothing that lies beyond the headings is dropped in silence.
        const noted = new Set(sheet.problems.map(({ line: number }) => number));
        const isDropped = (row: readonly string[], index: number) =>
          (row[2] ?? '').trim() !== '' && !noted.has(index + 2);
        expect(rows.filter(isDropped)).toEqual([]);
      }),
      { numRuns: smokeOrLong(60, 2000) },
    );
  });

  it('lets no line of another case into a comment if any quote is lost', async () => {
    const comment = fc.string({ unit: fc.constantFrom(...Array.from('a;,"\n ')), maxLength: 8 });
    const lost = fc.record({ place: fc.nat(), isKeyLast: fc.boolean() });
    await fc.assert(
      fc.asyncProperty(
        fc.array(comment, { minLength: 3, maxLength: 8 }),
        lost,
        async (texts, { place, isKeyLast }) => {
          const rows = texts.map((text, at) => [keyOf(at), text]);
          const table = [['Schadennummer', 'Kommentar'], ...rows];
          const written = table.map((row) => (isKeyLast ? row.toReversed() : row));
          const text = stringify(written, { delimiter: ';', quoted_match: /[\r\n]/ });
          const quotes = [...text.matchAll(/"/g)].map(({ index }) => index);
          const at = quotes[place % quotes.length] ?? text.length;
          const sheet = await read(text.slice(0, at) + text.slice(at + 1));
          expectAccountedFor(sheet, sheet.lines);
          const applied = sheet.items.length + sheet.unchanged;
          expect(applied === rows.length || sheet.problems.length > 0).toBe(true);
          for (const item of sheet.items)
            expect(cases.some(({ externalKey }) => item.comment?.includes(externalKey))).toBe(
              false,
            );
        },
      ),
      { numRuns: smokeOrLong(100, 5000) },
    );
  });
});
