import { afterAll, expect, it } from 'vitest';
import { strToU8, unzipSync, zipSync } from 'fflate';
import { SheetReader } from '#main/engine/batch/sheet-reader.ts';
import { makeWorkbook } from '../../../support/workbook.ts';
import { faultLog } from '../../../support/fault-log.ts';

const reader = new SheetReader(faultLog);
afterAll(() => reader.end());
const whole = makeWorkbook({ rows: '<row r="1"><c r="A1"><v>7</v></c></row>' });

it('reads workbooks in turn, also after one that cannot be read', async () => {
  const bytes = [whole, new TextEncoder().encode('PK no workbook'), whole];
  const found = await Promise.all(bytes.map((each) => reader.read(each)));
  expect(found.map((table) => table?.rows[0]?.cells ?? null)).toEqual([[7], null, [7]]);
});

const withPart = (megabytes: number) =>
  zipSync({ ...unzipSync(whole), 'xl/more.xml': strToU8(' '.repeat(megabytes * 2 ** 20)) });
/** Each of its rows takes a thousand cells. */
const wide = makeWorkbook({ rows: '<row><c r="ALL1"><v>1</v></c></row>'.repeat(120_000) });

it.each([
  ['unpacks to more than it may', withPart(33)],
  ['takes more memory than it may, and is small', wide],
])('reads no workbook that %s, and then the next one', { timeout: 90_000 }, async (_, bytes) => {
  expect(bytes.length).toBeLessThan(50_000);
  expect(await reader.read(bytes)).toBeNull();
  expect((await reader.read(withPart(31)))?.rows[0]?.cells).toEqual([7]);
});

it('leaves the bytes to the caller', async () => {
  const bytes = new Uint8Array(whole);
  await reader.read(bytes);
  expect(bytes.length).toBe(whole.length);
});
