import { join } from 'node:path';
import { chromium, type Page } from '@playwright/test';
import { writeFileSync } from 'node:fs';
import { deflateSync } from 'node:zlib';
import { pdfOf, picturesPdf, streamOf } from '../support/pdf-files.ts';
import { startDesk, temporaryFolder } from '../support/processes.ts';
import { printFigure } from './figures.ts';
import { makeGrainyPhoto, megapixels12 } from './grainy-photo.ts';
import { buildWindow, chromiumOptions, openReport, peakMegabytes, view } from './in-chromium.ts';

/**
 * What the largest PDFs that offices send take of the page's process, while the desk opens them and
 * while the user turns their pages (docs/benchmarks.md).
 */

const photo = (size: { width: number; height: number }) =>
  makeGrainyPhoto({ ...size, grain: 8, quality: 50 });

/** A drawing of one page with this many lines, each one a path. */
function drawingPdf(paths: number): Buffer {
  const lines = Array.from({ length: paths }, (_, at) => {
    const [x, y] = [at % 590, Math.floor(at / 590) % 840];
    return `${x} ${y} m ${x + 3} ${y + 2} l S\n`;
  });
  return pdfOf([
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Contents 4 0 R/Resources<<>>>>',
    streamOf(deflateSync(lines.join('')), '/Filter/FlateDecode'),
  ]);
}

const { width, height } = megapixels12;
const colour = '/ColorSpace/DeviceRGB/BitsPerComponent 8';
const asJpeg = `${colour}/Filter/DCTDecode`;
const asFlat = `${colour}/Filter/FlateDecode`;
const jpeg = { width, height, bytes: photo(megapixels12), entries: asJpeg };
const raw = deflateSync(Buffer.alloc(width * height * 3, 'photograph'), { level: 1 });
const flat = { width, height, bytes: raw, entries: asFlat };
const a0 = { width: 9933, height: 14043 };
const plan = () => ({ ...a0, bytes: photo(a0), entries: asJpeg });
/** A0 at 220 dots per inch; at 300 it would be left out. */
const coarse = { width: 7283, height: 10_300 };
const flatPlan = () => ({
  ...coarse,
  bytes: deflateSync(Buffer.alloc(coarse.width * coarse.height * 3, 'plan'), { level: 1 }),
  entries: asFlat,
});
const blackPlan = () => ({
  ...a0,
  bytes: deflateSync(Buffer.alloc(Math.ceil(a0.width / 8) * a0.height, 'plan')),
  entries: '/ColorSpace/DeviceGray/BitsPerComponent 1/Filter/FlateDecode',
});
const files: Readonly<Record<string, () => Buffer>> = {
  '24 photographs of 12 megapixels, one on each page': () => picturesPdf(24, 1, jpeg),
  '24 photographs of 12 megapixels on one page': () => picturesPdf(1, 24, jpeg),
  '24 pictures of 12 megapixels without loss on one page': () => picturesPdf(1, 24, flat),
  'a plan of A0 at 300 dots per inch': () => picturesPdf(1, 1, plan()),
  'a plan of A0 at 220 dots per inch without loss': () => picturesPdf(1, 1, flatPlan()),
  'a plan of A0 in black and white': () => picturesPdf(1, 1, blackPlan()),
  'a drawing of 600,000 lines': () => drawingPdf(600_000),
};

/** Whether each page near the view has something in its lower left corner. */
const isDrawn = `(() => {
  const drawings = [...document.querySelectorAll('.page canvas')];
  return drawings.length > 0 && drawings.every((canvas) => {
    if (canvas.width < 60) return false;
    const place = [canvas.width / 8, canvas.height * 0.8].map(Math.floor);
    const { data } = canvas.getContext('2d').getImageData(...place, 60, 60);
    return data.some((value, at) => at % 4 === 0 && value < 250 && data[at + 3] > 0);
  });
})()`;

async function viewPages(page: Page): Promise<void> {
  const pages = page.getByRole('dialog').locator('.page');
  await pages.first().waitFor();
  for (let at = 0; at < (await pages.count()); at += 1) {
    await pages.nth(at).scrollIntoViewIfNeeded();
    await page.waitForFunction(isDrawn, null, { timeout: 180_000, polling: 200 });
  }
}

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
    const path = join(folder.path, 'drawing.pdf');
    writeFileSync(path, make());
    const input = page.locator('input[type=file][multiple]');
    await input.waitFor({ state: 'attached' });
    const opening = await peakMegabytes(browser, async () => {
      await input.setInputFiles(path);
      await page.getByRole('button', { name: /^View: / }).waitFor();
    });
    printFigure({ what: `${what}: opened`, figure: opening, unit: 'MB', limit: 1000 });
    const viewing = await peakMegabytes(browser, async () => {
      await page.getByRole('button', { name: /^View: / }).click();
      await viewPages(page);
    });
    printFigure({ what: `${what}: viewed`, figure: viewing, unit: 'MB', limit: 1000 });
  } finally {
    await browser.close();
    await desk.stop();
  }
}
folder.remove();
