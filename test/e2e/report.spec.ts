import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, type Locator, type Page } from '@playwright/test';
import { getDocument, OPS } from 'pdfjs-dist/legacy/build/pdf.mjs';
import {
  makeCameraPhoto,
  placeMark,
  makeJpeg,
  makePdf,
  writeSample,
} from '../support/sample-files.ts';
import { smokeOrLong } from '../support/long.ts';
import { openPracticeDesk, test } from './desk-window.ts';
import {
  chooseFromMenu,
  accessibilityFaults,
  expectPicture,
  addressOf,
  inspectPage,
  newReport,
  overflowsSideways,
  setAppearance,
} from './page.ts';
import { nameFields, namesOf, sentFile } from './report-photos.ts';
import { ofWindow } from './specs.ts';

/** The user creates a report from dropped files. Each test continues from the one before. */
test.describe.configure({ mode: 'serial' });

const desk = openPracticeDesk();
const filesDir = join(desk.folderPath, 'files');
let page: Page;
test.beforeAll(() => {
  mkdirSync(filesDir);
  page = desk.page();
});

const tools = () => page.getByRole('button', { name: 'Werkzeuge' });
const menuOf = (row: Locator) => row.getByRole('button', { name: /^Mehr zu / });
const rows = () =>
  page
    .getByRole('list')
    .locator('li')
    .filter({ has: nameFields(page) });
const picker = () => page.locator('input[type=file][multiple]');

test('a report is put together of files, each with its picture', async () => {
  await newReport(page, 3);
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
  const photo = (name: string) =>
    readFileSync(join(import.meta.dirname, '../../main/service/practice/fixtures', name));
  await picker().setInputFiles([
    writeSample(filesDir, 'Gutachten.pdf', await makePdf('Gutachten')),
    writeSample(filesDir, 'Front links.jpg', photo('car-1.jpg')),
    writeSample(filesDir, 'Fahrzeug der Gegenpartei.jpg', photo('car-2.jpg')),
    writeSample(filesDir, 'Garage von aussen.jpg', photo('house.jpg')),
    writeSample(filesDir, 'Rechnung Abschleppdienst.pdf', await makePdf('Rechnung')),
  ]);
  await expect(nameFields(page)).toHaveCount(5);
  await expect(rows().locator('img')).toHaveCount(5);
  // Four photos or more in a row are a group, until the user wants a row for each.
  await picker().setInputFiles(
    [1, 2, 3, 4].map((n) => writeSample(filesDir, `IMG_${n}.jpg`, makeJpeg())),
  );
  const group = page.getByRole('button', { name: '4 Fotos' });
  await expect(page.getByRole('button', { name: /^Ansehen: IMG_/ })).toHaveCount(4);
  await expect(group).toBeVisible();
  await expect(nameFields(page)).toHaveCount(5);
  expect(await inspectPage(page, 'report-files')).toEqual([]);
  await group.click();
  await expect(nameFields(page)).toHaveCount(9);
  await expect(nameFields(page).nth(5)).toBeFocused();
  await chooseFromMenu(tools(), 'Fotos gruppieren');
  await expect(nameFields(page)).toHaveCount(5);
  await expect(nameFields(page).first()).toBeFocused();
});

test('names of any kind are taken, doubles are marked, and keys put files in order', async () => {
  await newReport(page, 0);
  const photo = makeJpeg();
  const long = `${'ä'.repeat(115)}${'x'.repeat(10)}.jpg`;
  await picker().setInputFiles([
    writeSample(filesDir, 'Gutachten 🚗.pdf', await makePdf('Gutachten')),
    writeSample(filesDir, 'صورة الضرر.jpg', photo),
    writeSample(filesDir, long, makeJpeg()),
    writeSample(filesDir, 'Kopie.jpg', photo),
  ]);
  await expect(nameFields(page)).toHaveCount(4);
  await expect(page.getByText('Gleicher Inhalt wie Datei 2')).toBeVisible();
  await expect(page.getByText('1 Datei hat denselben Inhalt wie eine frühere.')).toBeVisible();
  await expectPicture(rows().nth(1));

  await nameFields(page).nth(3).focus();
  await page.keyboard.press('Alt+ArrowUp');
  await expect(nameFields(page).nth(2)).toHaveValue('Kopie.jpg');
  await expect(nameFields(page).nth(2)).toBeFocused();
  await page.keyboard.press('Alt+ArrowUp');
  await expect(nameFields(page).nth(1)).toHaveValue('Kopie.jpg');
  await expect(page.getByText('Kopie.jpg ist jetzt an Position 2 von 4.')).toBeAttached();
  // Playwright's own drag fails if the page starts it late, because Playwright looks for it only
  // once.
  const handle = rows().nth(1).locator('.handle');
  await expect(handle).toHaveAttribute('draggable', 'true');
  const dataTransfer = await page.evaluateHandle('new DataTransfer()');
  await handle.dispatchEvent('dragstart', { dataTransfer });
  await expect(rows().nth(1)).toHaveClass(/dragged/);
  await rows().nth(3).dispatchEvent('dragover', { dataTransfer });
  await expect(rows().nth(3)).toHaveClass(/edge-top/);
  await rows().nth(3).dispatchEvent('drop', { dataTransfer });
  await expect(nameFields(page).nth(3)).toHaveValue('Kopie.jpg');
  // The page does not treat a moved row as a dropped file.
  await expect(page.getByText('Zum Hinzufügen loslassen')).toBeHidden();
  expect(await overflowsSideways(page)).toBe(false);
  expect(await accessibilityFaults(page)).toEqual([]);
});

test('a name of 255 characters is accepted, a longer one and other bad files are refused with a reason', async ({
  shell,
}) => {
  const buffer = makeJpeg();
  await picker().setInputFiles([
    { name: `${'n'.repeat(251)}.jpg`, mimeType: 'image/jpeg', buffer },
    { name: `${'n'.repeat(252)}.jpg`, mimeType: 'image/jpeg', buffer },
    { name: 'leer.pdf', mimeType: 'application/pdf', buffer: Buffer.alloc(0) },
    { name: 'gelogen.pdf', mimeType: 'application/pdf', buffer },
    { name: 'nur-anfang.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.7\n') },
    { name: 'programm.exe', mimeType: 'application/pdf', buffer: Buffer.from('MZ\0\0') },
  ]);
  await expect(page.getByText('5 Dateien wurden nicht übernommen.').first()).toBeVisible();
  await expect(page.getByRole('alert').filter({ hasText: 'leer.pdf' })).toBeVisible();
  await expect(page.getByRole('alert').filter({ hasText: 'gelogen.pdf' })).toBeVisible();
  await expect(page.getByRole('alert').filter({ hasText: 'nur-anfang.pdf' })).toContainText(
    'beschädigt oder unvollständig',
  );
  // Only the engine refuses this file. Chromium logs a refusal of the desktop shell's protocol. In
  // the browser files travel over a socket, so nothing is logged.
  const refusals =
    shell === 'electron'
      ? [expect.stringContaining('the server responded with a status of 400')]
      : [];
  expect(desk.window().errors().splice(0)).toEqual(refusals);
  await expect(nameFields(page).nth(4)).toHaveValue(`${'n'.repeat(251)}.jpg`);
  expect(await overflowsSideways(page)).toBe(false);
  await page.getByRole('button', { name: 'Alle ausblenden' }).click();
  await expect(page.getByRole('alert')).toHaveCount(0);
  // If a file is removed while its picture loads, the console shows an error.
  await expectPicture(rows().nth(4));
  await chooseFromMenu(menuOf(rows().nth(4)), 'Entfernen');
  await expect(nameFields(page)).toHaveCount(4);
});

test('all files are named by a template that is seen before', ofWindow, async () => {
  await chooseFromMenu(tools(), 'Nach Namensmuster umbenennen');
  const dialog = page.getByRole('dialog', { name: 'Nach Namensmuster umbenennen' });
  await dialog.getByLabel('Muster').fill('{kind} {n} {name}');
  await expect(dialog.getByRole('cell', { name: 'Gutachten 01 Gutachten 🚗.pdf' })).toBeVisible();
  expect(await inspectPage(page, 'report-rename')).toEqual([]);
  await dialog.getByLabel('Muster').fill('{key}_{n}_{kind}');
  await dialog.getByRole('button', { name: 'Umbenennen' }).click();
  await expect(nameFields(page).nth(3)).toHaveValue(/^SF-\d{4}-\d{6}_04_Foto\.jpg$/);
  await expect(nameFields(page).first()).toHaveValue(/^SF-\d{4}-\d{6}_01_Gutachten\.pdf$/);
});

test('files are dropped anywhere on the page', async () => {
  const transfer = await page.evaluateHandle(`(() => {
    const transfer = new DataTransfer();
    transfer.items.add(new File(['Notiz vom Hof'], 'abgelegt.txt', { type: 'text/plain' }));
    transfer.items.add(new File(['a;b'], 'auch.csv', { type: 'text/csv' }));
    return transfer;
  })()`);
  // The drop lands next to the files, or on one of them.
  const area = page.getByRole('heading', { name: 'Vor dem Einreichen' });
  const drag = { dataTransfer: transfer, bubbles: true, cancelable: true };
  await area.dispatchEvent('dragenter', drag);
  await expect(page.getByText('Zum Hinzufügen loslassen')).toBeVisible();
  await area.dispatchEvent('dragover', drag);
  await area.dispatchEvent('drop', drag);
  await expect(page.getByText('Zum Hinzufügen loslassen')).toBeHidden();
  await expect(nameFields(page)).toHaveCount(6);
  expect((await namesOf(page)).slice(4)).toEqual(['abgelegt.txt', 'auch.csv']);
  expect((await sentFile(desk.window(), 'abgelegt.txt')).toString()).toBe('Notiz vom Hof');
  const row = rows().first();
  for (const step of ['dragenter', 'dragover', 'drop']) await row.dispatchEvent(step, drag);
  await expect(nameFields(page)).toHaveCount(8);
  for (let added = 0; added < 2; added += 1) {
    await chooseFromMenu(menuOf(rows().last()), 'Entfernen');
    await expect(nameFields(page)).toHaveCount(7 - added);
  }
});

test('a picture is pasted, and one pasted with words into a field is the field’s', async () => {
  const before = (await namesOf(page)).length;
  await page.evaluate(`(() => {
    const clipboardData = new DataTransfer();
    clipboardData.items.add(new File(['Vom Bildschirm'], 'eingefügt.txt', { type: 'text/plain' }));
    document.body.dispatchEvent(
      new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
  })()`);
  await expect(nameFields(page)).toHaveCount(before + 1);
  await expect(nameFields(page).last()).toHaveValue('eingefügt.txt');
  await page.getByRole('textbox', { name: 'Kommentar zum Bericht' }).focus();
  await page.evaluate(`navigator.clipboard.writeText('Nur Worte')`);
  await page.keyboard.press('Control+v');
  await expect(page.getByRole('textbox', { name: 'Kommentar zum Bericht' })).toHaveValue(
    'Nur Worte',
  );
  await expect(nameFields(page)).toHaveCount(before + 1);
});

test(
  'a comment that is too long is stored as it is typed, and cannot be sent',
  ofWindow,
  async () => {
    const comment = page.getByRole('textbox', { name: 'Kommentar zum Bericht' });
    await comment.fill('x'.repeat(10_000));
    await expect(page.getByText('6’000 Zeichen zu viel.')).toBeVisible();
    await expect(page.getByRole('button', { name: 'Bericht einreichen' })).toBeDisabled();
    await expect(page.getByRole('button', { name: 'Sie können schliessen' })).toBeVisible();
    await page.reload();
    await expect(comment).toHaveValue('x'.repeat(10_000));
    await comment.fill('kurz');
    await expect(page.getByRole('button', { name: 'Sie können schliessen' })).toBeVisible();
  },
);

test('a folder that is dropped brings its files, by name', async () => {
  await newReport(page, 4);
  const photos = join(filesDir, 'Fotos');
  mkdirSync(photos);
  for (const name of ['10 innen.jpg', '2 hinten.jpg', '1 vorne.jpg'])
    writeSample(photos, name, makeJpeg());
  // Only a real drop passes folders, so the test uses the browser's own protocol.
  const browser = await page.context().newCDPSession(page);
  const data = { items: [], files: [photos], dragOperationsMask: 1 };
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const)
    await browser.send('Input.dispatchDragEvent', { type, x: 600, y: 500, data });
  await expect.poll(() => namesOf(page)).toEqual(['1 vorne.jpg', '2 hinten.jpg', '10 innen.jpg']);
  await browser.detach();
});

test('files that were moved after they were chosen are refused by name, and cost the others nothing', async () => {
  await newReport(page, 5);
  const paths = ['weg.jpg', 'weg.pdf', 'da.txt'].map((name) => join(filesDir, name));
  for (const path of paths) writeFileSync(path, path);
  await page.evaluate(`document.body.append(Object.assign(document.createElement('input'),
    { type: 'file', multiple: true, id: 'chosen-before' }))`);
  await page.locator('#chosen-before').setInputFiles(paths);
  for (const path of paths.slice(0, 2)) rmSync(path);
  await page.evaluate(`{
    const chosen = document.querySelector('#chosen-before');
    const picker = document.querySelector('#content input[type=file][multiple]');
    picker.files = chosen.files;
    chosen.remove();
    picker.dispatchEvent(new Event('change'));
  }`);
  for (const name of ['weg.jpg', 'weg.pdf'])
    await expect(page.getByRole('alert').filter({ hasText: name })).toContainText(
      'lässt sich nicht lesen und wurde nicht hinzugefügt',
    );
  await expect.poll(() => namesOf(page)).toEqual(['da.txt']);
  await page.getByRole('button', { name: 'Alle ausblenden' }).click();
});

/** Returns a photo as a camera held upright writes it: turned by a quarter, and with a location. */
const cameraPhoto = (seed: number) =>
  makeCameraPhoto({ width: 48, height: 64, orientation: 6, takenAt: '2026:06:15 08:00:00', seed });

test(
  'how large photos are sent is chosen, and applies to those in the report',
  ofWindow,
  async () => {
    await newReport(page, 1);
    const camera = cameraPhoto(1);
    expect(camera.includes(placeMark)).toBe(true);
    await picker().setInputFiles([
      { name: 'Front.jpg', mimeType: 'image/jpeg', buffer: camera },
      { name: 'Heck.jpg', mimeType: 'image/jpeg', buffer: cameraPhoto(2) },
    ]);
    await expect(nameFields(page)).toHaveCount(2);
    const made = await sentFile(desk.window(), 'Front.jpg');
    expect(made.includes(placeMark)).toBe(false);
    await chooseFromMenu(tools(), 'Grösse der Fotos');
    const dialog = page.getByRole('dialog', { name: 'Wie Fotos gesendet werden' });
    await expect(dialog.getByRole('radio', { name: 'höchstens 2’400 Pixel' })).toBeChecked();
    await expect(dialog.getByRole('checkbox')).not.toBeChecked();
    expect(await inspectPage(page, 'report-photos')).toEqual([]);
    await dialog.getByRole('radio', { name: 'höchstens 1’600 Pixel' }).check();
    await dialog.getByRole('button', { name: 'Übernehmen' }).click();
    await expect(page.getByRole('progressbar')).toHaveCount(0);
    await expect.poll(() => namesOf(page)).toEqual(['Front.jpg', 'Heck.jpg']);
    expect((await sentFile(desk.window(), 'Front.jpg')).includes(placeMark)).toBe(false);
  },
);

test('a photo sheet is made of chosen photos, with captions in any script', ofWindow, async () => {
  await chooseFromMenu(tools(), 'Fotodokumentation');
  const dialog = page.getByRole('dialog', { name: 'Fotodokumentation (PDF)' });
  // The dialog focuses its heading when it is open, and would take the focus from a caption.
  await expect(dialog.getByLabel('Überschrift')).toBeFocused();
  await dialog.getByLabel('Legende 1').fill('Schaden vorne links, Zürich');
  await dialog.getByLabel('Legende 2').fill('الباب الأيسر 🚗');
  await dialog.getByLabel('Überschrift').fill('Fotos vom Hof');
  await dialog
    .locator('input[type=file]')
    .setInputFiles({ name: 'logo.jpg', mimeType: 'image/jpeg', buffer: Buffer.from(makeJpeg()) });
  await expect(dialog.getByRole('img', { name: 'Logo des Büros' })).toBeVisible();
  expect(await inspectPage(page, 'report-sheet')).toEqual([]);
  await dialog.getByRole('button', { name: 'Fotodokumentation erstellen' }).click();
  await expect(nameFields(page).nth(2)).toHaveValue(/^Fotodokumentation SF-\d{4}-\d{6}\.pdf$/);
  const sheet = await sentFile(desk.window(), (await namesOf(page))[2] ?? '');
  const pdf = await getDocument({ data: new Uint8Array(sheet), verbosity: 0 }).promise;
  const first = await pdf.getPage(1);
  const { fnArray } = await first.getOperatorList();
  expect(fnArray.filter((one) => one === OPS.paintImageXObject).length, 'with the logo').toBe(4);
  const content = await first.getTextContent();
  const text = content.items.map((item) => ('str' in item ? item.str : '')).join(' ');
  expect(text).toContain('Fotos vom Hof');
  expect(text).toContain('Schaden vorne links, Zürich');
  expect(pdf.numPages).toBe(1);
  await pdf.loadingTask.destroy();
});

test('many files at once are taken, counted and stored', async () => {
  const count = smokeOrLong(30, 500);
  await newReport(page, 2);
  const buffer = makeJpeg();
  const files = Array.from({ length: count }, (_, index) => ({
    name: `Foto ${index + 1}.jpg`,
    mimeType: 'image/jpeg',
    buffer: Buffer.concat([buffer, Buffer.from(String(index))]),
  }));
  // The count is gone once all are there, so the page itself watches for it.
  await page.evaluate(`{
    window.isCounted = false;
    new MutationObserver(() => {
      if (/noch \\d+ Dateien/.test(document.querySelector('main').textContent))
        window.isCounted = true;
    }).observe(document.querySelector('main'), { subtree: true, childList: true, characterData: true });
  }`);
  await picker().setInputFiles(files);
  // While the files are added, the page still takes typed text.
  await page.getByRole('textbox', { name: 'Kommentar zum Bericht' }).fill('Viele Fotos');
  const sum = page.getByText(new RegExp(`^${count} Dateien, `));
  // `toBeVisible` would describe the whole page at each look while it waits.
  await sum.waitFor();
  expect(await page.evaluate('window.isCounted')).toBe(true);
  await expect(sum).toContainText('Hochladen dauert mindestens');
  await expect(nameFields(page)).toHaveCount(count);
  await expect(nameFields(page).last()).toHaveValue(`Foto ${count}.jpg`);
  await page.getByRole('textbox', { name: 'Kommentar zum Bericht' }).blur();
  // The draft has all files, so nothing asks before the page is closed.
  await expect(page.getByRole('button', { name: 'Sie können schliessen' })).toBeVisible();
  await page.reload();
  await expect(nameFields(page)).toHaveCount(count);
  await expect(page.getByRole('textbox', { name: 'Kommentar zum Bericht' })).toHaveValue(
    'Viele Fotos',
  );

  // The files are named, marked and queued by keyboard alone, starting at the file button.
  let keys = 0;
  const press = async (key: string) => {
    keys += 1;
    await page.keyboard.press(key);
  };
  const tabTo = async (target: Locator) => {
    for (let at = 0; at < 12; at += 1) {
      await press('Tab');
      if ((await target.and(page.locator(':focus')).count()) > 0) return;
    }
    throw new Error('it is not in reach');
  };
  await page.getByRole('button', { name: 'Dateien wählen' }).focus();
  await tabTo(tools());
  await press('Enter');
  await expect(page.getByText('Nach Namensmuster umbenennen', { exact: true })).toBeVisible();
  await press('ArrowUp');
  await press('Enter');
  const rename = page.getByRole('dialog', { name: 'Nach Namensmuster umbenennen' });
  await expect(rename.getByLabel('Muster')).toBeFocused();
  await press('Enter');
  await expect(nameFields(page).nth(27)).toHaveValue(/_28_Foto\.jpg$/);
  await expect(rename).toBeHidden();
  await expect(nameFields(page).first()).toBeFocused();
  await tabTo(rows().first().getByRole('checkbox'));
  for (const place of [1, 2, 3]) {
    await press('ArrowDown');
    await press('Space');
    await expect(rows().nth(place).getByRole('checkbox')).toBeChecked();
    await expect(rows().nth(place).getByRole('checkbox')).toBeFocused();
  }
  await expect(page.getByRole('button', { name: 'Bericht einreichen' })).toBeEnabled();
  await press('Control+Enter');
  await expect(page.getByRole('heading', { level: 1, name: 'Postausgang' })).toBeVisible();
  expect(keys).toBeLessThan(40);
});

test('the tools of the files stay in one line in every language', ofWindow, async () => {
  await newReport(page, 3);
  await picker().setInputFiles([
    writeSample(filesDir, 'Gutachten.pdf', await makePdf('Gutachten')),
    ...[1, 2, 3, 4].map((n) => writeSample(filesDir, `IMG_${n}.jpg`, makeJpeg())),
  ]);
  await expect(page.getByRole('button', { name: '4 Fotos' })).toBeVisible();
  await setAppearance(page, { photosAsRows: true });
  await expect(page.locator('[data-part=name]')).toHaveCount(5);
  const report = page.url();
  for (const name of ['Français', 'Italiano', 'English', 'Deutsch']) {
    await page.goto(addressOf(page, 'settings/appearance'));
    await page.getByRole('radio', { name, exact: true }).check();
    await page.goto(report);
    await expect(page.locator('[data-part=name]')).toHaveCount(5);
    for (const [width, height] of [
      [1024, 700],
      [1440, 900],
    ] as const) {
      await page.setViewportSize({ width, height });
      const middles = await page.evaluate(`[...new Set(
        [...document.querySelectorAll('.section-head:has(#files-title) > *')].map((one) => {
          const { top, bottom } = one.getBoundingClientRect();
          return Math.round((top + bottom) / 2);
        }),
      )]`);
      expect(middles, `${name} at ${width}`).toHaveLength(1);
    }
  }
  await setAppearance(page, { photosAsRows: false });
});
