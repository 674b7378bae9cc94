import { afterAll, expect, it } from 'vitest';
import { unzipSync, zipSync } from 'fflate';
import { SheetReader } from '#main/engine/sheets/sheet-reader.ts';
import { makeWorkbook } from '../../../support/workbook.ts';
import { faultLog } from '../../../support/fault-log.ts';

const reader = new SheetReader(faultLog);
afterAll(() => reader.end());
const whole = makeWorkbook({ rows: '<row r="1"><c r="A1"><v>7</v></c></row>' });

it('reads workbooks in turn, also after one that cannot be read', async () => {
  const bytes = [whole, new TextEncoder().encode('PK no workbook'), whole];
  const found = await Promise.all(bytes.map((each) => reader.read(each)));
  expect(found.map((tables) => tables?.[0].rows[0]?.cells ?? null)).toEqual([[7], null, [7]]);
});

/** The sheet has so many blanks behind its rows. */
function padded(megabytes: number): Uint8Array {
  const parts = unzipSync(whole);
  const name = 'xl/worksheets/sheet2.xml';
  const blanks = new Uint8Array(megabytes * 2 ** 20).fill(0x20);
  const sheet = Buffer.concat([parts[name] ?? new Uint8Array(), blanks]);
  return zipSync({ ...parts, [name]: sheet }, { level: 1 });
}
/** Its rows take a few bytes of the file each. */
const long = makeWorkbook({ rows: '<row><c><v>1</v></c></row>'.repeat(50_001) });

it.each([
  ['unpacks to more than it may', padded(257)],
  ['has more rows than it may, and is small', long],
])('reads no workbook that %s, and then the next one', async (_, bytes) => {
  expect(bytes.length).toBeLessThan(2_000_000);
  expect(await reader.read(bytes)).toBeNull();
  expect((await reader.read(padded(5)))?.[0].rows[0]?.cells).toEqual([7]);
});

it('leaves the bytes to the caller', async () => {
  const bytes = new Uint8Array(whole);
  await reader.read(bytes);
  expect(bytes.length).toBe(whole.length);
});
