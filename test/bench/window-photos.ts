import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { chromium, type Page } from '@playwright/test';
import { setAppearance } from '../e2e/page.ts';
import { startDesk, temporaryFolder } from '../support/processes.ts';
import { printFigure } from './figures.ts';
import { makeGrainyPhoto, megapixels12 } from './grainy-photo.ts';
import {
  benchFrames,
  benchKeys,
  buildWindow,
  chromiumOptions,
  openReport,
  privateMegabytes,
  view,
} from './in-chromium.ts';

/**
 * What the photographs of a report are measured against (docs/benchmarks.md), in a practice
 * workspace.
 */
const ofReport = 28;
const onWorkbench = 196;

const folder = temporaryFolder();
/** About 7.5 MB. */
const photo = makeGrainyPhoto({ ...megapixels12, grain: 64, quality: 72 });
let made = 0;
/** Each has other content, because equal ones are reported. */
const makeFiles = () =>
  Array.from({ length: ofReport }, () => {
    const path = join(folder.path, `IMG_${(made += 1)}.jpg`);
    writeFileSync(path, Buffer.concat([photo, Buffer.from(String(made))]));
    return path;
  });

/** Files are added while the user types. */
async function benchAdding(page: Page): Promise<void> {
  const files = makeFiles();
  const startedAt = performance.now();
  await page.locator('input[type=file][multiple]').setInputFiles(files);
  await benchKeys(page, page.getByRole('textbox', { name: /comment/i }).first(), async () => {
    const isDone = `document.querySelectorAll('.photos .look').length === ${ofReport} &&
      document.querySelector('main').textContent.includes('Photos reduced') &&
      !document.querySelector('main .v-progress-linear')`;
    return (await page.evaluate(isDone)) === true;
  });
  const size = Math.round(photo.length / 1e5) / 10;
  printFigure({
    what: `${ofReport} photographs of 12 megapixels and ${size} MB ready to be sent`,
    figure: (performance.now() - startedAt) / 1000,
    unit: 's',
    limit: 30,
  });
}

buildWindow();
const desk = await startDesk({ home: join(folder.path, 'home'), args: ['--lang', 'en'] });
const browser = await chromium.launch(chromiumOptions);
try {
  const page = await (await browser.newContext(view)).newPage();
  page.setDefaultTimeout(180_000);
  await page.goto(desk.url);
  await openReport(page);
  await benchAdding(page);
  await setAppearance(page, { photosAsRows: true });
  for (let count = 2 * ofReport; count <= onWorkbench; count += ofReport) {
    await page.locator('input[type=file][multiple]').setInputFiles(makeFiles());
    await page
      .getByRole('textbox', { name: `File name ${count}`, exact: true })
      .waitFor({ state: 'attached' });
  }
  await page.getByRole('link', { name: 'Edit photos' }).click();
  const grid = page.getByRole('listbox', { name: 'Photos by position in the report' });
  await grid.getByRole('option').first().waitFor();
  await page.waitForTimeout(5000);
  await benchFrames(page, `${onWorkbench} photographs`, grid);
  printFigure({
    what: `private memory of the page's process with ${onWorkbench} photographs`,
    figure: await privateMegabytes(browser, page),
    unit: 'MB',
    limit: 400,
  });
} finally {
  await browser.close();
  await desk.stop();
  folder.remove();
}
