import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { chromium, type Page } from '@playwright/test';
import { encode } from 'jpeg-js';
import { z } from 'zod';
import { startDesk, temporaryFolder } from '../support/processes.ts';
import { printFigure } from './figures.ts';
import {
  benchFrames,
  buildWindow,
  chromiumOptions,
  privateMegabytes,
  view,
} from './in-chromium.ts';

/**
 * What the photographs of a report are measured against (docs/benchmarks.md), in a practice
 * workspace.
 */
const ofReport = 28;
const onWorkbench = 196;

/** 12 megapixels of fine grain; about 7.5 MB. */
function makePhoto(): Buffer {
  const [width, height] = [4000, 3000];
  const data = Buffer.alloc(width * height * 4, 255);
  let seed = 1;
  for (let at = 0; at < width * height; at += 1) {
    seed = (seed * 1103515245 + 12345) & 0x7fffffff;
    const [x, y] = [at % width, Math.floor(at / width)];
    for (const channel of [0, 1, 2])
      data[at * 4 + channel] = (((x + y) >> 4) * (channel + 1) + ((seed >> 16) & 63)) & 255;
  }
  return encode({ data, width, height }, 72).data;
}

const folder = temporaryFolder();
const photo = makePhoto();
let made = 0;
/** Each has other content, because equal ones are reported. */
const makeFiles = () =>
  Array.from({ length: ofReport }, () => {
    const path = join(folder.path, `IMG_${(made += 1)}.jpg`);
    writeFileSync(path, Buffer.concat([photo, Buffer.from(String(made))]));
    return path;
  });

async function openReport(page: Page): Promise<void> {
  await page.getByText('cases on this device').waitFor({ timeout: 60_000 });
  await page.goto(new URL('#/cases?status=InProgress', page.url()).href);
  await page.getByRole('listbox').getByRole('option').first().click();
  await page.getByRole('button', { name: 'New report' }).click();
  await page
    .getByRole('textbox', { name: /comment/i })
    .first()
    .waitFor();
}

/** Files are added while the user types; the letters that were painted later than 100 ms. */
async function benchAdding(page: Page): Promise<void> {
  await page.evaluate(`(() => {
    window.keys_ = [];
    new PerformanceObserver((list) => {
      for (const { name, duration } of list.getEntries()) name === 'keydown' && keys_.push(duration);
    }).observe({ type: 'event', durationThreshold: 16 });
  })()`);
  const files = makeFiles();
  const startedAt = performance.now();
  await page.locator('input[type=file][multiple]').setInputFiles(files);
  await page
    .getByRole('textbox', { name: /comment/i })
    .first()
    .click();
  let typed = 0;
  const isDone = `document.querySelectorAll('input[aria-label^="File name"]').length === ${ofReport} &&
    /reduced/.test(document.querySelector('.working')?.textContent ?? '')`;
  while ((await page.evaluate(isDone)) !== true)
    for (const letter of 'abcde') {
      await page.keyboard.press(letter);
      typed += 1;
      await page.waitForTimeout(200);
    }
  const size = Math.round(photo.length / 1e5) / 10;
  printFigure({
    what: `${ofReport} photographs of 12 megapixels and ${size} MB ready to be sent`,
    figure: (performance.now() - startedAt) / 1000,
    unit: 's',
    limit: 30,
  });
  const keys = z.array(z.number()).parse(await page.evaluate('window.keys_'));
  printFigure({
    what: `keys painted later than 100 ms meanwhile (of ${typed}; longest ${Math.max(...keys)} ms)`,
    figure: keys.filter((ms) => ms > 100).length,
    unit: 'keys',
    limit: 0,
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
