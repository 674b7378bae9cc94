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

  it('names a line with a letter that was lost', async () => {
    const sheet = await read(`Schadennummer;Kommentar\n${keyOf(0)};gepr\ufffdft`);
    expect(sheet.problems).toMatchObject([{ line: 2, problem: { code: 'sheet_cell_control' } }]);
    expect(sheet.items).toEqual([]);
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
});
