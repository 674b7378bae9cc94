import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import { chromium } from '@playwright/test';
import { tiffFile } from '#shared/photos/tiff-file.ts';
import { makePng } from '../support/sample-files.ts';
import { startDesk, temporaryFolder } from '../support/processes.ts';
import { printFigure } from './figures.ts';
import { buildWindow, chromiumOptions, openReport, peakMegabytes, view } from './in-chromium.ts';

/**
 * What the largest pictures that the desk takes need of the page's process while they are made
 * ready (docs/benchmarks.md).
 */

/** 95 megapixels, of the 100 that are the limit. */
const edge = 9750;
/** Some grain, and different rows; it compresses well, so the file is below 50 MB. */
const rowsOf = (rows: number, perRow: number) => Buffer.alloc(rows * perRow, 'photograph');

/** A TIFF in colour, compressed with Deflate. */
function tiff(rowsPerStrip: number): Buffer {
  const numbers: Readonly<Record<number, number>> = {
    256: edge,
    257: edge,
    259: 8,
    262: 2,
    277: 3,
    278: rowsPerStrip,
  };
  const field = (tag: number, ...values: readonly number[]) => {
    const value = new DataView(new ArrayBuffer(values.length * 4));
    values.forEach((one, index) => value.setUint32(index * 4, one, true));
    const bytes = new Uint8Array(value.buffer);
    return { tag, type: 4, count: values.length, value: bytes };
  };
  const parts = Array.from({ length: Math.ceil(edge / rowsPerStrip) }, (_, part) => {
    const rows = Math.min(rowsPerStrip, edge - part * rowsPerStrip);
    return deflateSync(rowsOf(rows, edge * 3), { level: 1 });
  });
  const page = {
    width: edge,
    height: edge,
    orientation: 1,
    isLittle: true,
    fields: [
      ...Object.entries(numbers).map(([tag, value]) => field(Number(tag), value)),
      field(258, 8, 8, 8),
    ],
    parts,
    isTiled: false,
    numbers: (tag: number) => (tag in numbers ? [numbers[tag] ?? 0] : []),
  };
  return Buffer.from(tiffFile([page]));
}

/** A PNG in colour. Its first sample is given, because equal files are reported. */
function png(sample: number): Buffer {
  const rows = Buffer.alloc(edge * (1 + edge * 3));
  rows[1] = sample;
  return makePng({ edge, bits: 8, colour: 2 }, rows);
}
const files: Readonly<Record<string, () => readonly [string, Buffer][]>> = {
  'a TIFF of 95 megapixels in strips': () => [['strips.tif', tiff(64)]],
  'a TIFF of 95 megapixels in one strip': () => [['whole.tif', tiff(edge)]],
  'two PNGs of 95 megapixels at once': () => [
    ['one.png', png(1)],
    ['two.png', png(2)],
  ],
};

buildWindow();
const folder = temporaryFolder();
for (const [what, make] of Object.entries(files)) {
  const desk = await startDesk({ home: join(folder.path, what), args: ['--lang', 'en'] });
  const browser = await chromium.launch(chromiumOptions);
  try {
    const page = await (await browser.newContext(view)).newPage();
    page.setDefaultTimeout(180_000);
    await page.goto(desk.url);
    await openReport(page);
    const paths = make().map(([name, bytes]) => {
      const path = join(folder.path, name);
      writeFileSync(path, bytes);
      return path;
    });
    const input = page.locator('input[type=file][multiple]');
    await input.waitFor({ state: 'attached' });
    const startedAt = performance.now();
    const peak = await peakMegabytes(browser, async () => {
      await input.setInputFiles(paths);
      await page.getByRole('textbox', { name: `File name ${paths.length}`, exact: true }).waitFor();
      await page
        .getByText(/reduced/)
        .first()
        .waitFor();
    });
    printFigure({ what, figure: peak, unit: 'MB', limit: 1000 });
    const seconds = (performance.now() - startedAt) / 1000;
    printFigure({ what: `${what}: ready`, figure: seconds, unit: 's', limit: 60 });
  } finally {
    await browser.close();
    await desk.stop();
  }
}
folder.remove();
