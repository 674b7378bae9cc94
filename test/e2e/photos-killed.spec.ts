import { expect, type Page } from '@playwright/test';
import { smokeOrLong } from '../support/long.ts';
import { makeCameraPhoto, makeScan, placeMark } from '../support/sample-files.ts';
import { deskFolder, type DeskWindow, type OpenDesk, test } from './desk-window.ts';
import { addressOf, newReport } from './page.ts';
import {
  holdsSecret,
  isNear,
  nameFields,
  namesOf,
  openMarks,
  sentFile,
  showPhotosAsRows,
} from './report-photos.ts';
import { holdUploads } from './page-bytes.ts';

const folder = deskFolder();

const size = { width: 1000, height: 750 };
const camera = (seed: number, { width, height } = size) => ({
  name: `IMG_${seed + 1}.jpg`,
  mimeType: 'image/jpeg',
  buffer: makeCameraPhoto({
    width,
    height,
    orientation: 1,
    takenAt: `2026:05:01 10:${String(seed).padStart(2, '0')}:00`,
    seed,
  }),
});
/** These photos are small, because here it counts only which of them arrive. */
const photos = Array.from({ length: smokeOrLong(7, 12) }, (_, seed) =>
  camera(seed, { width: 400, height: 300 }),
);
const scan = { name: 'Akten.tif', mimeType: 'image/tiff', buffer: makeScan([200, 120, 40]) };
const pages = 3;
const yellow = [255, 212, 0];

/** The numbers, from 1, of the upload requests during which the desk dies. */
const moments = smokeOrLong([5], [2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);

const open = (openDesk: OpenDesk) => folder.open(openDesk, { lang: 'de' });
/** The desk that the next test goes on with. */
let desk: DeskWindow | null = null;

/** Opens a new report of the case at a position of the list. Returns its address in the window. */
async function openReport(page: Page, place: number): Promise<string> {
  await newReport(page, place);
  return new URL(page.url()).hash.slice(2);
}

const addFiles = (page: Page, files: typeof photos) =>
  page.locator('input[type=file][multiple]').setInputFiles(files);
/** Expects that the report is complete and can be submitted. */
const isReady = (page: Page) =>
  expect(page.getByRole('button', { name: 'Bericht einreichen' })).toBeEnabled();

test('a desk that is killed while photos come in has each once, whole and smaller, or not at all', async ({
  openDesk,
}) => {
  for (const [place, moment] of moments.entries()) {
    const before = desk ?? (await open(openDesk));
    const { page } = before;
    const report = await openReport(page, place);
    const hasStruck = await holdUploads(page, '/files/', moment);
    await addFiles(page, [scan, ...photos]);
    await hasStruck();
    await before.kill();

    const after = await open(openDesk);
    await after.page.goto(addressOf(after.page, report));
    await isReady(after.page);
    await showPhotosAsRows(after.page);
    const stored = await namesOf(after.page);
    const ofCamera = stored.filter((name) => name !== 'Akten.jpg');
    expect([moment, (stored.length - ofCamera.length) % pages]).toEqual([moment, 0]);
    expect([moment, ...ofCamera]).toEqual([moment, ...new Set(ofCamera)]);
    const lost = [scan, ...photos].filter(
      ({ name }) => !stored.includes(name.replace('.tif', '.jpg')),
    );
    expect([moment, lost.length > 0]).toEqual([moment, true]);
    await addFiles(after.page, lost);
    await expect(nameFields(after.page)).toHaveCount(photos.length + pages);
    await isReady(after.page);
    for (const { name } of photos) {
      const bytes = await sentFile(after, name);
      expect([moment, name, bytes.includes(placeMark)]).toEqual([moment, name, false]);
    }
    desk = after;
  }
});

test('a desk that is killed in the middle of a stroke has every stroke before it', async ({
  openDesk,
}) => {
  const before = desk ?? (await open(openDesk));
  const { page } = before;
  const report = await openReport(page, moments.length);
  await addFiles(page, [camera(0), camera(1)]);
  await isReady(page);
  await page.getByRole('link', { name: 'Fotos bearbeiten' }).click();
  const { editor, begin, draw } = await openMarks(page, 0, size);
  await editor.getByRole('button', { name: 'Gelb' }).click();
  await draw([0.1, 0.9], [0.4, 0.7]);
  await editor.getByRole('button', { name: 'Unkenntlich machen' }).click();
  await draw([0.44, 0.44], [0.66, 0.56]);
  // The engine has stored both marks.
  await expect(editor.locator('[data-stored="2"]')).toBeVisible();
  await begin([0.7, 0.7], [0.9, 0.9]);
  await before.kill();

  const after = await open(openDesk);
  await after.page.goto(addressOf(after.page, report));
  await isReady(after.page);
  const bytes = await sentFile(after, 'IMG_1.jpg');
  expect(isNear(bytes, [0.25, 0.8], yellow)).toBe(true);
  expect(holdsSecret(bytes)).toBe(false);
});
