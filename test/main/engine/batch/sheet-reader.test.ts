import { afterAll, expect, it } from 'vitest';
import { zipSync } from 'fflate';
import { SheetReader } from '#main/engine/batch/sheet-reader.ts';
import { makeWorkbook } from '../../../support/workbook.ts';

const reader = new SheetReader();
afterAll(() => reader.end());
const whole = makeWorkbook({ rows: '<row r="1"><c r="A1"><v>7</v></c></row>' });

it('reads workbooks in turn, also after one that cannot be read', async () => {
  // Unpacks to 64 MB of small elements.
  const wide = `<row>${'<c><v>1</v></c>'.repeat(2 ** 22)}</row>`;
  const bomb = zipSync({ 'xl/workbook.xml': new TextEncoder().encode(wide) });
  const found = await Promise.all(
    [whole, new TextEncoder().encode('PK no workbook'), bomb, whole].map((bytes) =>
      reader.read(bytes),
    ),
  );
  expect(found.map((table) => table?.rows[0]?.cells ?? null)).toEqual([[7], null, null, [7]]);
});

it('leaves the bytes to the caller', async () => {
  const bytes = new Uint8Array(whole);
  await reader.read(bytes);
  expect(bytes.length).toBe(whole.length);
});
