import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, type Page } from '@playwright/test';
import fc from 'fast-check';
import { typeByContent } from '#shared/lib/file-type.ts';
import { brokenFiles } from '../support/broken-files.ts';
import { smokeOrLong } from '../support/long.ts';
import { makeHugePng, makeTurnedWebp } from '../support/sample-files.ts';
import { openServerView, type ServerView } from '../support/server-view.ts';
import { deskFolder, type DeskWindow, test } from './desk-window.ts';
import { newReport, submitReport } from './page.ts';
import {
  isNear,
  nameFields,
  namesOf,
  pixelsOf,
  sentFile,
  showPhotosAsRows,
} from './report-photos.ts';

/** Pictures of every usual kind are shown and sent upright, or refused with the reason. */
test.describe.configure({ mode: 'serial' });

const fixtures = join(import.meta.dirname, '../support/fixtures');
const kinds = join(fixtures, 'pictures');
const folder = deskFolder();
const fixture = (name: string) => readFileSync(join(kinds, name));
const red = [200, 40, 40];
const blue = [40, 60, 200];

/** These pictures are black and white. */
const bilevel = ['fax98.tif', 'g3.tif', 'g3-2d.tif', 'g4.tif'];
const grey = ['grey2.tif', 'grey4.tif', 'packbits.tif'];
/** These pictures are stored sideways. */
const turned = ['orient6.tif', 'turned.webp'];
const asItIs = ['lossless.webp', 'damaged.jpg'];
const refused = ['cmykjpeg.tif', 'float.tif', 'lab.tif'];
/**
 * These files are unchanged. One has a small copy as its second page, and the page of another
 * points to itself.
 */
const found = ['gps-nan.jpg', 'gps-ok.jpg'].concat(
  ['orient-6', 'thumb', 'bigtiff', 'g4-stripbytecounts0', 'loop'].map((kind) => `tiff-${kind}.tif`),
);
const unsupported = 'diese Art von TIFF wird nicht unterstützt; bitte als JPEG oder PDF speichern';
const jpeg = fixture('plain.jpg');
const baseline = fixture('baseline.jpg');
const files: Readonly<Record<string, Buffer>> = {
  ...Object.fromEntries(readdirSync(kinds).map((name) => [name, fixture(name)])),
  ...Object.fromEntries(found.map((name) => [name, readFileSync(join(fixtures, name))])),
  'no-eoi.jpg': jpeg.subarray(0, -2),
  'half.jpg': jpeg.subarray(0, -20),
  // Some programs end an incomplete file like this.
  'damaged.jpg': Buffer.concat([baseline.subarray(0, -200), baseline.subarray(-2)]),
  'turned.webp': makeTurnedWebp(fixture('lossless.webp'), [48, 32], 6),
};
const shown = Object.keys(files).filter(
  (name) => ![...refused, 'half.jpg', 'tiff-loop.tif'].includes(name),
);

/** One picture of each way to convert, of which the window shows what is sent before it goes. */
const looked = smokeOrLong(
  shown.filter((name) => /^(?:plain|turned|orient6|lossless|damaged)\.|\.heic$/.test(name)),
  shown,
);

let server: ServerView;
let desk: DeskWindow;
let page: Page;
test.beforeAll(async ({ openDesk }) => {
  const service = await folder.start('--demo', '40', '--limits', 'x1000');
  server = await openServerView(service.credentials);
  desk = await folder.open(openDesk, { lang: 'de', service });
  page = desk.page;
  await showPhotosAsRows(page);
});
test.afterEach(() => {
  expect(desk.errors()).toEqual([]);
});

test('each picture comes in, or is named with what is wrong and what to do', async () => {
  await newReport(page, 0);
  for (const [name, bytes] of Object.entries(files)) writeFileSync(folder.at(name), bytes);
  const paths = Object.keys(files).map((name) => folder.at(name));
  await page.locator('input[type=file][multiple]').setInputFiles(paths);
  await expect(nameFields(page)).toHaveCount(shown.length);
  for (const name of refused)
    await expect(page.getByRole('alert').filter({ hasText: name })).toContainText(unsupported);
  await expect(page.getByRole('alert').filter({ hasText: 'half.jpg' })).toContainText(
    'das Ende der Datei fehlt',
  );
  await expect(page.getByRole('alert').filter({ hasText: 'tiff-loop.tif' })).toContainText(
    'nicht lesbar',
  );
  expect((await namesOf(page)).length).toBe(shown.length);
  const hint = 'Sieht beschädigt aus: Teile des Bildes oder der Seiten sind vielleicht falsch.';
  await expect(page.getByText(hint)).toHaveCount(1);
  const damaged = page.getByRole('listitem').filter({ hasText: hint });
  await expect(damaged.getByRole('textbox', { name: /^Dateiname/ })).toHaveValue('damaged.jpg');
  await expect(page.getByText('1 Datei sieht beschädigt aus.')).toBeVisible();
});

/** Returns the name under which a picture is sent. */
const sentName = (name: string) =>
  name === 'lossless.webp' ? name : name.replace(/\.(?:tif|heic|webp|png)$/, '.jpg');

function expectRight(name: string, bytes: Buffer): void {
  // The sent file is small, upright, and contains only a picture.
  if (asItIs.includes(name)) {
    expect([name, files[name]?.equals(bytes)]).toEqual([name, true]);
    return;
  }
  const { width, height } = pixelsOf(bytes);
  const near = (place: readonly [number, number], colour: readonly number[]) =>
    expect([name, isNear(bytes, place, colour)]).toEqual([name, true]);
  if (turned.includes(name)) {
    expect([name, width, height]).toEqual([name, 32, 48]);
    near([0.9, 0.1], red);
    near([0.1, 0.9], blue);
  } else if (name.startsWith('gps-')) {
    near([0.1, 0.1], [255, 0, 0]);
    // The time of capture is retained, even if the location is removed.
    expect([name, bytes.includes('2026:05:01 10:00:00')]).toEqual([name, true]);
  } else if (name === 'tiff-orient-6.tif') {
    expect([name, width, height]).toEqual([name, 400, 600]);
    near([0.9, 0.1], [255, 0, 0]);
  } else if (name === 'tiff-thumb.tif') {
    expect([name, width, height]).toEqual([name, 900, 600]);
    near([0.1, 0.1], [255, 0, 0]);
  } else if (name.startsWith('tiff-')) {
    // This point lies on a black frame.
    near([0.1625, 0.5], [0, 0, 0]);
    near([0.5, 0.5], [255, 255, 255]);
  } else if (bilevel.includes(name)) {
    near([0.1, 0.1], [0, 0, 0]);
    near([0.5, 0.5], [255, 255, 255]);
  } else if (grey.includes(name)) near([0.5, 0.5], [85, 85, 85]);
  else if (name === 'alpha.tif') near([0.1, 0.1], [227, 147, 147]);
  else if (name === 'progressive.jpg') near([0.1, 0.1], [155, 174, 214]);
  else if (['baseline.jpg', 'restarts.jpg'].includes(name)) near([0.1, 0.1], [202, 164, 50]);
  else near([0.1, 0.1], red);
  // The fax has 204 x 98 pixels per inch.
  if (name === 'fax98.tif') expect([width, height]).toEqual([48, Math.round((32 * 204) / 98)]);
}

test('what is sent shows the picture, the right way up', async () => {
  for (const name of looked) expectRight(name, await sentFile(desk, sentName(name)));
});

/** Sheets, texts and mails are sent unchanged. */
const documents = [
  '02-sep.csv',
  '03-utf16tab.csv',
  '08-quote.csv',
  'cp1252.txt',
  'utf16.txt',
  'x03-formula-nocache.xlsx',
  'x09-hidden-row.xlsx',
  'x12-date-comment.xlsx',
  'x18-no-r.xlsx',
].concat(['blank', 'bom', 'crlf', 'gt-from', 'mbox'].map((kind) => `eml-${kind}.eml`));

test('pictures and documents arrive at the insurer as they were shown', async () => {
  const originals = documents.map((name) => [name, readFileSync(join(fixtures, name))] as const);
  for (const [name, bytes] of originals) writeFileSync(folder.at(name), bytes);
  const names = [...shown, ...documents];
  await page
    .locator('input[type=file][multiple]')
    .setInputFiles(documents.map((name) => folder.at(name)));
  await expect(nameFields(page)).toHaveCount(names.length);
  const key = await page.locator('.top-bar .tabular').innerText();
  await submitReport(page);
  const chosen = (await server.cases()).find((each) => each['ExternalKey'] === key);
  const submitted = async () => {
    const reports = await server.reports(String(chosen?.['Id']));
    return reports.find((each) => each['Status'] === 'Submitted');
  };
  await expect.poll(submitted).toBeTruthy();
  const arrived = await server.contents(String((await submitted())?.['Id']));
  expect(arrived.size).toBe(names.length);
  for (const name of shown) expectRight(name, arrived.get(sentName(name)) ?? Buffer.alloc(0));
  for (const [name, bytes] of originals)
    expect([name, arrived.get(name)?.equals(bytes)]).toEqual([name, true]);
});

/** At most this number of refused files is named at once (`AttachmentList.vue`). */
const listedRefusals = 20;

test('broken pictures come in or are named, and the next one comes in', async () => {
  const count = smokeOrLong(30, 500);
  await newReport(page, 1);
  const seed = smokeOrLong(1, Math.floor(Math.random() * 2 ** 31));
  const broken = fc.sample(brokenFiles(Object.values(files)), { numRuns: count, seed });
  const paths = broken.map((bytes, index) => {
    const type = typeByContent(bytes)?.split('/')[1] ?? 'tiff';
    const path = folder.at(`broken-${index}.${type}`);
    writeFileSync(path, bytes);
    return path;
  });
  // One intact file follows the broken ones.
  const all = paths.toSpliced(listedRefusals - 1, 0, folder.at('plain.jpg'));
  const refusals = page.getByRole('alert').filter({ hasText: 'broken-' });
  const stemOf = (text: string | undefined) => /[a-z]+(?:-\d+)?(?=\.)/.exec(text ?? '')?.[0];
  for (let from = 0; from < all.length; from += listedRefusals) {
    const chosen = all.slice(from, from + listedRefusals);
    await page.locator('input[type=file][multiple]').setInputFiles(chosen);
    /** Returns the files that are neither in the report nor refused by name. */
    const missing = async () => {
      const named = [...(await namesOf(page)), ...(await refusals.allTextContents())];
      const stems = new Set(named.map(stemOf));
      return chosen.map((path) => basename(path)).filter((name) => !stems.has(stemOf(name)));
    };
    await expect.poll(missing, { message: `seed ${seed}` }).toEqual([]);
    // The button that dismisses all refusals comes after those of the single files.
    const dismissal = page.getByRole('button', { name: /^(?:Ausblenden: |Alle ausblenden$)/ });
    if ((await refusals.count()) > 0) await dismissal.last().click();
    await expect(refusals).toHaveCount(0);
  }
  expect(await namesOf(page)).toContain('plain.jpg');
});

/** The lock that all windows share (`heavy-turn.ts`). */
const heavyTurn = 'heavy picture';

test('a large picture waits for the one that another window works on', async () => {
  await newReport(page, 2);
  writeFileSync(folder.at('large.png'), makeHugePng(6000));
  const otherWork = await page.evaluateHandle(async (name) => {
    const work = Promise.withResolvers<undefined>();
    const begun = Promise.withResolvers<undefined>();
    void navigator.locks.request(name, () => {
      begun.resolve(undefined);
      return work.promise;
    });
    await begun.promise;
    return work;
  }, heavyTurn);
  await page.locator('input[type=file][multiple]').setInputFiles(folder.at('large.png'));
  const isWaiting = (name: string) =>
    navigator.locks.query().then(({ pending }) => pending.some((lock) => lock.name === name));
  await expect.poll(() => page.evaluate(isWaiting, heavyTurn)).toBe(true);
  await expect(nameFields(page)).toHaveCount(0);
  await otherWork.evaluate((work) => work.resolve(undefined));
  await expect(nameFields(page)).toHaveCount(1);
});
