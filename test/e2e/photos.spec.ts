import { mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, type Page } from '@playwright/test';
import { smokeOrLong } from '../support/long.ts';
import {
  makeCameraPhoto,
  makeScan,
  placeMark,
  telephonePhotos,
  thumbnailMark,
  topLeft,
  makeHugePng,
} from '../support/sample-files.ts';
import { openPracticeDesk, test } from './desk-window.ts';
import {
  chooseFromMenu,
  accessibilityFaults,
  addressOf,
  inspectPage,
  keepUndo,
  newReport,
  overflowsSideways,
} from './page.ts';
import {
  holdsSecret,
  isNear,
  nameFields,
  namesOf,
  showPhotosAsRows,
  openMarks,
  photoGrid,
  pixelsOf,
  sentFile,
} from './report-photos.ts';
import { ofWindow } from './specs.ts';

/** This is the journey "The photographs" (docs/guide.md), from the camera to the marked page. */
test.describe.configure({ mode: 'serial' });

const desk = openPracticeDesk();
let page: Page;
test.beforeAll(async () => {
  page = desk.page();
  await keepUndo(page);
  await showPhotosAsRows(page);
});

// The long form uses photos of 12 megapixels.
const long = smokeOrLong(1000, 4000);
const short = (long * 3) / 4;
const count = smokeOrLong(10, 28);
/** Photos that were taken later have earlier file names. */
const camera = Array.from({ length: count }, (_, index) => {
  const orientation = (index % 8) + 1;
  return {
    name: `IMG_${String(100 - index)}.jpg`,
    buffer: makeCameraPhoto({
      width: orientation % 2 === 0 ? short : long,
      height: orientation % 2 === 0 ? long : short,
      orientation,
      takenAt: `2026:05:01 10:${String(59 - index).padStart(2, '0')}:00`,
      seed: index,
      isBlurred: index === count - 1,
    }),
  };
});

const names = () => namesOf(page);
const sent = (fileName: string) => sentFile(desk.window(), fileName);
const grid = () => photoGrid(page);
const cells = () => grid().getByRole('option');

/** The position of the camera's first photo. The telephone's photos were taken an hour before. */
const place = telephonePhotos.length;

/** Returns the number of colours right of the middle of the editor's photo. */
const shadesInTheMiddle = `(() => {
  const canvas = document.querySelector('.board canvas');
  const { data } = canvas.getContext('2d').getImageData(canvas.width / 2, canvas.height / 2, 60, 20);
  const colours = new Uint32Array(data.buffer);
  return new Set(colours).size;
})()`;

test('photographs come in upright, in the order they were taken, and smaller; bad ones are named', async () => {
  await newReport(page, 0);
  const [first] = camera;
  if (!first) throw new Error('no photo was made');
  const files = [
    ...camera,
    ...telephonePhotos,
    { name: 'Akten.tif', buffer: makeScan([200, 120, 40]) },
    { name: 'abgebrochen.jpg', buffer: first.buffer.subarray(0, first.buffer.length / 2) },
    { name: 'gelogen.jpg', buffer: Buffer.from('kein Bild') },
    { name: 'riesig.png', buffer: makeHugePng() },
  ];
  // The files are passed by path, because Playwright accepts at most 50 MB of bytes.
  for (const { name, buffer } of files) writeFileSync(join(desk.folderPath, name), buffer);
  const paths = files.map(({ name }) => join(desk.folderPath, name));
  await page.locator('input[type=file][multiple]').setInputFiles(paths);
  await expect(nameFields(page)).toHaveCount(count + 7);
  await expect(page.getByText('3 Dateien wurden nicht übernommen.').first()).toBeVisible();
  for (const [name, reason] of [
    ['abgebrochen.jpg', 'das Ende der Datei fehlt'],
    ['gelogen.jpg', 'passt nicht zu ihrem Namen'],
    ['riesig.png', 'mehr als 100 Millionen Pixel'],
  ] as const)
    await expect(page.getByRole('alert').filter({ hasText: name })).toContainText(reason);
  await page.getByRole('button', { name: 'Alle ausblenden' }).click();

  expect(await names()).toEqual([
    ...telephonePhotos.map(({ name }) => name.replace('.heic', '.jpg')),
    ...camera.map(({ name }) => name).toReversed(),
    'Akten.jpg',
    'Akten.jpg',
    'Akten.jpg',
  ]);
  await expect(page.getByText(/^Fotos verkleinert: .*Die Originale bleiben/)).toBeVisible();
  for (const [index, { name, buffer }] of camera.entries()) {
    const bytes = await sent(name);
    expect(bytes.length).toBeLessThan(buffer.length);
    const { width, height } = pixelsOf(bytes);
    expect(width < height).toBe(index % 2 === 1);
    expect(Math.max(width, height)).toBe(Math.min(long, 2400));
    expect(isNear(bytes, [0.1, 0.1], topLeft)).toBe(true);
    for (const mark of [placeMark, thumbnailMark, 'DEVICEMARK'])
      expect([buffer.includes(mark), bytes.includes(mark)]).toEqual([true, false]);
    expect(bytes.includes(`2026:05:01 10:${String(59 - index).padStart(2, '0')}:00`)).toBe(true);
  }
  for (const { name } of telephonePhotos) {
    const bytes = await sent(name.replace('.heic', '.jpg'));
    const { width, height } = pixelsOf(bytes);
    expect([name, width < height]).toEqual([name, name.includes('portrait')]);
    expect([name, isNear(bytes, [0.1, 0.1], topLeft)]).toEqual([name, true]);
    for (const mark of ['TestCam', 'DEVICEMARK', placeMark])
      expect([name, bytes.includes(mark)]).toEqual([name, false]);
  }
});

test(
  'on the workbench the blurred are found, thrown out with undo, turned, moved and described',
  ofWindow,
  async () => {
    await page.getByRole('link', { name: 'Fotos bearbeiten' }).click();
    await expect(page.getByText(`${count + 7} Fotos`)).toBeVisible();
    const suggestion = page.getByRole('paragraph').filter({ hasText: 'vielleicht unscharf' });
    // The pages of the scan and two plain photos of the telephone have few edges and count as
    // blurred.
    await expect(suggestion).toContainText('6 sind vielleicht unscharf');
    expect(await inspectPage(page, 'photos-grid')).toEqual([]);

    const blurred = `IMG_${101 - count}.jpg`;
    await cells().filter({ hasText: blurred }).click();
    await page.keyboard.press('Delete');
    await expect(page.getByText(`${count + 6} Fotos`)).toBeVisible();
    await page.keyboard.press('Control+z');
    await expect(page.getByText(`${count + 7} Fotos`)).toBeVisible();
    await expect(cells().nth(place)).toContainText(blurred);
    await cells().nth(place).click();
    await page.keyboard.press('Delete');
    await expect(page.getByText(`${count + 6} Fotos`)).toBeVisible();

    // Several photos move one place back by a key, and return by another.
    await cells().nth(place).click();
    await cells()
      .nth(place + 1)
      .click({ modifiers: ['Shift'] });
    await expect(page.getByText('2 ausgewählt')).toBeVisible();
    const name = /IMG_\d+/.exec((await cells().nth(place).textContent()) ?? '')?.[0] ?? '?';
    await page.keyboard.press('Alt+ArrowRight');
    await expect(cells().nth(place + 1)).toContainText(name);
    await page.getByRole('button', { name: 'Rückgängig' }).click();
    await expect(cells().nth(place)).toContainText(name);

    await cells().nth(place).click();
    await page.keyboard.press('r');
    await expect(page.getByText('1 Foto gedreht.')).toBeVisible();
    await page.getByRole('button', { name: 'Rückgängig' }).click();
    await expect(page.getByText('1 Foto gedreht.')).toBeHidden();
    await cells().nth(place).click();
    await page.getByRole('textbox', { name: 'Legende' }).fill('Delle vorne links');
    await page.getByRole('combobox', { name: 'Gruppe' }).selectOption('Schaden');
    await expect(page.getByText('Schaden: vorhanden')).toBeVisible();
    await expect(cells().nth(place)).toContainText('Delle vorne links');

    await page.keyboard.press('Escape');
    await cells()
      .nth(place + 1)
      .dblclick();
    await expect(page.getByText(`${place + 2} / ${count + 6}`)).toBeVisible();
    await page.keyboard.press('ArrowLeft');
    await expect(page.getByRole('img', { name: 'Delle vorne links' })).toBeVisible();
    expect(await inspectPage(page, 'photos-large')).toEqual([]);
    await page.keyboard.press('Escape');
    expect(await overflowsSideways(page)).toBe(false);
  },
);

test(
  'a dent is marked and a plate made unreadable for good; the marks stay as data',
  ofWindow,
  async () => {
    await page.goto(page.url().replace(/\/photos$/, ''));
    const marked = (await names())[place] ?? '';
    const before = await sent(marked);
    expect(holdsSecret(before)).toBe(true);
    await page.getByRole('link', { name: 'Fotos bearbeiten' }).click();
    const { editor, draw, jump } = await openMarks(page, place, pixelsOf(before));
    await editor.getByRole('button', { name: 'Gelb' }).click();
    await draw([0.1, 0.9], [0.4, 0.7]);
    await editor.getByRole('button', { name: 'Unkenntlich machen' }).click();
    // On a busy machine the browser may omit the moves in between.
    await jump([0.44, 0.44], [0.66, 0.56]);
    // The editor shows the blocks that are sent, and not a field in their place.
    await expect.poll(() => page.evaluate(shadesInTheMiddle)).toBeGreaterThan(4);
    await editor.getByRole('button', { name: 'Nummer' }).click();
    await draw([0.8, 0.8], [0.8, 0.8]);
    await expect(editor.getByRole('button', { name: 'Nummer 1' })).toBeVisible();
    await editor.getByRole('button', { name: 'Text', exact: true }).click();
    await draw([0.2, 0.2], [0.2, 0.2]);
    // Keys in the editor do not act on the page behind it.
    await page.keyboard.type('2 Dellen s?');
    await page.keyboard.press('Enter');
    await expect(editor.getByRole('button', { name: 'Text 2 Dellen s?' })).toBeVisible();
    await draw([0.3, 0.3], [0.3, 0.3]);
    await editor.getByRole('button', { name: 'Auswählen' }).click();
    // A text mark without words is removed.
    await expect(editor.locator('.marks button.mark').filter({ hasText: /^\s*Text/ })).toHaveCount(
      1,
    );
    await page.keyboard.press('Control+k');
    await page.keyboard.press('?');
    await expect(page.getByRole('dialog')).toHaveCount(1);
    expect(await inspectPage(page, 'photos-marks')).toEqual([]);
    // Marks are stored as soon as they are drawn. A reloaded page loses none, and no unfinished photo
    // is sent.
    await page.reload();
    await expect(grid()).toBeVisible();
    await expect(page.getByRole('progressbar')).toHaveCount(0);
    await cells().nth(place).click();
    await page.keyboard.press('m');
    const arrows = editor.getByRole('button', { name: 'Pfeil', exact: true });
    await expect(arrows).toHaveCount(2);
    // The photo before has no marks and the same tool; the way back shows them again.
    await editor.getByRole('button', { name: 'Nummer', exact: true }).click();
    await editor.getByRole('button', { name: 'Vorheriges Foto' }).click();
    await expect(editor.locator('[data-ready=true]')).toBeVisible();
    await expect(arrows).toHaveCount(1);
    await page.keyboard.press('ArrowRight');
    await expect(arrows).toHaveCount(2);
    await expect(editor.getByRole('button', { name: 'Nummer', exact: true })).toHaveAttribute(
      'aria-pressed',
      'true',
    );
    await expect(editor.locator('[data-ready=true]')).toBeVisible();
    // The wheel enlarges the photo around the pointer, so a mark that begins there stands there.
    await editor.getByRole('button', { name: 'Auswählen' }).click();
    await draw([0.75, 0.25], [0.75, 0.25]);
    await page.mouse.wheel(0, -100);
    await editor.getByRole('button', { name: 'Rechteck', exact: true }).click();
    await editor.getByRole('button', { name: 'Grün' }).click();
    await draw([0.75, 0.25], [0.9, 0.4]);
    await expect(editor.getByRole('button', { name: 'Rechteck', exact: true })).toHaveCount(2);
    await editor.getByRole('button', { name: 'Fertig' }).click();
    await page.getByRole('link', { name: 'Zum Bericht' }).click();

    // The sent photo is made from the marks after the editor is closed, which may take long.
    await expect.poll(async () => holdsSecret(await sent(marked))).toBe(false);
    const after = await sent(marked);
    expect(isNear(after, [0.25, 0.8], [255, 212, 0])).toBe(true);
    expect(isNear(after, [0.75, 0.25], [18, 161, 80])).toBe(true);
    expect(isNear(after, [0.1, 0.1], topLeft)).toBe(true);
    for (const mark of [placeMark, thumbnailMark, 'Delle', 'arrow'])
      expect(after.includes(mark)).toBe(false);

    // Turned upside down by two quick presses, it has its marks where they belong.
    await page.getByRole('link', { name: 'Fotos bearbeiten' }).click();
    await cells().nth(place).click();
    await page.keyboard.press('r');
    await page.keyboard.press('r');
    await page.getByRole('link', { name: 'Zum Bericht' }).click();
    await expect.poll(async () => isNear(await sent(marked), [0.9, 0.9], topLeft)).toBe(true);
    const turned = await sent(marked);
    expect(isNear(turned, [0.25, 0.75], [18, 161, 80])).toBe(true);
    expect(holdsSecret(turned)).toBe(false);
  },
);

test('files are named by a pattern with their kinds, and named back', ofWindow, async () => {
  const before = await names();
  await chooseFromMenu(
    page.getByRole('button', { name: 'Werkzeuge' }),
    'Nach Namensmuster umbenennen',
  );
  const dialog = page.getByRole('dialog', { name: 'Nach Namensmuster umbenennen' });
  await dialog.getByLabel('Muster').fill('{n}_{kind}_{time}_{caption}');
  await dialog
    .getByRole('combobox', { name: `Art der Datei ${before.at(-1)}` })
    .last()
    .selectOption('Rechnung');
  await dialog.getByRole('button', { name: 'Umbenennen' }).click();
  await expect(nameFields(page).nth(place)).toHaveValue(/^05_Foto_10\d\d_Delle vorne links\.jpg$/);
  await expect(nameFields(page).last()).toHaveValue(/_Rechnung\.jpg$/);
  await expect(page.getByText(`bisher: ${before[place]}`)).toBeVisible();
  await page.getByRole('button', { name: 'Rückgängig' }).click();
  await expect.poll(names).toEqual(before);
  expect(await accessibilityFaults(page)).toEqual([]);
});

test('new photos of the camera’s folder are offered to the report, and come in as the others', async () => {
  const card = mkdtempSync(join(tmpdir(), 'appraiser-desk-test-'));
  await page.goto(addressOf(page, 'settings/storage'));
  const { app } = desk.window();
  if (app) {
    // The desktop shell has a dialog for folders, so that a folder is chosen and not typed.
    await app.evaluate(({ dialog }, path) => {
      dialog.showOpenDialog = () => Promise.resolve({ canceled: false, filePaths: [path] });
    }, card);
    await page.getByRole('button', { name: 'Kameraordner wählen' }).click();
  } else {
    await page.getByRole('textbox', { name: 'Ordner', exact: true }).fill(card);
    await page.getByRole('button', { name: 'Übernehmen' }).click();
  }
  await expect(page.getByRole('button', { name: 'Nicht mehr überwachen' })).toBeVisible();
  for (const { name, buffer } of camera.slice(0, 3)) {
    writeFileSync(join(card, name), buffer);
    utimesSync(join(card, name), 1, 1);
  }
  await newReport(page, 1);
  const offer = page.getByRole('region', { name: 'Fotos im Kameraordner' });
  await expect(offer).toContainText('3 neue Fotos im Kameraordner, 01.05.2026 10:57–10:59');
  expect(await accessibilityFaults(page)).toEqual([]);
  await offer.getByRole('button', { name: 'Alle 3 übernehmen' }).click();
  await expect(page.getByText(/^Fotos verkleinert: .*Die Originale bleiben/)).toBeVisible();
  await expect(offer).toBeHidden();
  const taken = camera.slice(0, 3).map(({ name }) => name);
  expect(await names()).toEqual(taken.toReversed());
  expect(readdirSync(card).sort()).toEqual(taken.sort());
  rmSync(card, { recursive: true });
});
