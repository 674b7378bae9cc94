import { parse } from 'csv-parse/sync';
import { stringify } from 'csv-stringify/sync';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { readCsv } from '#main/engine/sheets/read-csv.ts';
import { smokeOrLong } from '../../../support/long.ts';

const headings = {
  isKnown: (heading: string) => heading === 'key' || heading === 'value',
  isKey: (heading: string) => heading === 'key',
};

it('has the cells that another reader has, in any dialect of a real writer', () => {
  const cell = fc.string({ unit: fc.constantFrom(...Array.from('aä;,"\t\n\r 1')), maxLength: 8 });
  const dialect = fc.record({
    delimiter: fc.constantFrom(';', ',', '\t'),
    record_delimiter: fc.constantFrom('\r\n', '\n', '\r'),
    quoted: fc.boolean(),
    bom: fc.boolean(),
    // By itself this writer puts no quotes around a line end of another kind.
    quoted_match: fc.constant(/[\r\n]/),
  });
  fc.assert(
    fc.property(fc.array(fc.array(cell, { minLength: 2, maxLength: 4 })), dialect, (rows, how) => {
      const text = stringify([['value', 'text'], ...rows], how);
      const others: string[][] = parse(text, {
        bom: true,
        delimiter: how.delimiter,
        record_delimiter: ['\r\n', '\n', '\r'],
        relax_column_count: true,
      });
      expect(readCsv(text, headings).rows.map(({ cells }) => cells)).toEqual(others);
    }),
    { numRuns: smokeOrLong(200, 5000) },
  );
});

it('counts a line as a spreadsheet does, without the one that names the separator', () => {
  const { rows } = readCsv('sep=|\nkey|value\nK1|"a\nb"\n\nK2|"c', headings);
  expect(rows.map(({ line, cells }) => [line, ...cells])).toEqual([
    [2, 'key', 'value'],
    [3, 'K1', 'a\nb'],
    [4, ''],
    [5, 'K2', { fault: 'open_quote', shown: '"c' }],
  ]);
});

it('reads a line of a million cells', () => {
  // Before, each cell looked for the end of the line, which took many minutes.
  const { rows } = readCsv(`key;value\n${';'.repeat(1_000_000)}`, headings);
  expect(rows[1]?.cells).toHaveLength(1_000_001);
});
