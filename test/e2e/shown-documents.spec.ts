import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import { expect, type Page } from '@playwright/test';
import {
  buttonsPdf,
  clippedPdf,
  colourPdf,
  inflatingPdf,
  inlinePicturesPdf,
  overlargePdf,
  picturesPdf,
  scanPdf,
} from '../support/pdf-files.ts';
import { makePdf, writeSample } from '../support/sample-files.ts';
import { openPracticeDesk, test } from './desk-window.ts';
import { inspectPage, newReport } from './page.ts';
import { nameFields } from './report-photos.ts';
import { ofWindow } from './specs.ts';

/**
 * Documents that people send with a report are shown as their sender made them, without any
 * network.
 */
test.describe.configure({ mode: 'serial' });

const desk = openPracticeDesk();

test('a mail is shown with its people, time, text and files, and fetches nothing', async () => {
  const page = desk.page();
  const folder = join(desk.folderPath, 'mails');
  mkdirSync(folder);
  const offer = await makePdf('Offerte');
  const fetched: string[] = [];
  page.on('request', (request) => fetched.push(request.url()));
  await newReport(page, 3);
  await page
    .locator('input[type=file][multiple]')
    .setInputFiles(writeSample(folder, 'Anfrage.eml', mailWith(offer)));
  await expect(nameFields(page)).toHaveCount(1);
  await page.getByRole('button', { name: /^Ansehen: Anfrage/ }).click();
  const mail = page.getByRole('article');
  await expect(mail.getByRole('heading', { name: 'Kotflügel vorne' })).toBeVisible();
  await expect(mail).toContainText('Zoé Müller <zoe@garage.example>');
  await expect(mail).toContainText('02.03.2026');
  await expect(mail).toContainText('Grüezi, hier die Offerte.');
  expect(await inspectPage(page, 'mail')).toEqual([]);
  const saved = await desk
    .window()
    .saved(() => mail.getByRole('button', { name: 'Datei speichern: Offerte.pdf' }).click());
  expect(saved.name).toBe('Offerte.pdf');
  expect(readFileSync(saved.path).equals(offer)).toBe(true);
  await mail.getByRole('button', { name: 'Datei ansehen: Offerte.pdf' }).click();
  const shown = page.getByRole('dialog');
  await expect(shown.locator('.page')).toContainText('Offerte');
  expect(await inspectPage(page, 'mail-file')).toEqual([]);
  await shown.getByRole('button', { name: 'Zurück zu Anfrage.eml' }).click();
  await expect(mail.getByRole('heading', { name: 'Kotflügel vorne' })).toBeVisible();
  expect(fetched.filter((url) => url.includes('tracker'))).toEqual([]);
});

test('a signed mail is shown with its text, and an encrypted one says what opens it', async () => {
  const page = desk.page();
  await newReport(page, 3);
  const names = ['signed-opaque.eml', 'encrypted.eml'];
  await page
    .locator('input[type=file][multiple]')
    .setInputFiles(names.map((name) => join(import.meta.dirname, '../support/fixtures', name)));
  await expect(nameFields(page)).toHaveCount(2);
  const mail = page.getByRole('article');
  await page.getByRole('button', { name: 'Ansehen: signed-opaque.eml' }).click();
  await expect(mail).toContainText('Guten Tag, die Reparatur kostet 4750.00 CHF für Tür.');
  await expect(mail.getByRole('button', { name: 'Datei ansehen: offerte.pdf' })).toBeVisible();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Ansehen: encrypted.eml' }).click();
  await expect(mail).toContainText('Der Text ist verschlüsselt');
  await page.keyboard.press('Escape');
});

test('of a long text the beginning is shown, in its own order, and the window goes on', async () => {
  const page = desk.page();
  // The controls would show the name as `exe.jpg`. The second line is what an address book copies.
  const head = 'Rechnung \u202egpj.exe\u202c\n\u2066044 000 00 00\u2069\n';
  const shownHead = 'Rechnung \ufffdgpj.exe\n044 000 00 00\n';
  // One line of 1 MB. The beginning of 500,000 bytes ends within a letter, because the head has an
  // odd number of bytes.
  const long = Buffer.from(`${head}${'ü'.repeat(500_000)}`);
  await newReport(page, 7);
  await page
    .locator('input[type=file][multiple]')
    .setInputFiles([
      writeSample(desk.folderPath, 'lang.txt', long),
      writeSample(desk.folderPath, 'kurz.txt', Buffer.from('Kotflügel vorne links')),
    ]);
  await expect(nameFields(page)).toHaveCount(2);
  await page.getByRole('button', { name: 'Ansehen: lang.txt' }).click();
  const shown = page.getByRole('dialog');
  const onlyBeginning = shown.getByText('Nur der Anfang der Datei wird angezeigt.');
  await expect(onlyBeginning).toBeVisible();
  const text = (await shown.locator('pre').textContent()) ?? '';
  expect(text.slice(0, shownHead.length)).toBe(shownHead);
  expect(new Set(text.slice(shownHead.length))).toEqual(new Set('ü'));
  const shownBytes = 500_000 - Buffer.byteLength(head);
  expect(text).toHaveLength(shownHead.length + Math.floor(shownBytes / 2));
  // A line without an end is broken, so that it can be read.
  const isBroken = `(() => {
    const { scrollWidth, clientWidth } = document.querySelector('pre.leaf');
    return scrollWidth <= clientWidth;
  })()`;
  expect(await page.evaluate(isBroken)).toBe(true);
  await page.keyboard.press('Alt+ArrowRight');
  await expect(shown.locator('pre')).toHaveText('Kotflügel vorne links');
  await expect(onlyBeginning).toHaveCount(0);
  await page.keyboard.press('Escape');
  await expect(shown).toHaveCount(0);
  await nameFields(page).first().fill('Rechnung');
  await expect(nameFields(page).first()).toHaveValue('Rechnung');
});

const fixtures = join(import.meta.dirname, '../support/fixtures');
/** An area of a page in hundredths, from its upper left corner. */
type PageArea = readonly [left: number, top: number, right: number, bottom: number];
/** Returns the dark share of an area of the drawn page, 0 to 1. */
const darkIn = (page: Page, area: PageArea) =>
  page.evaluate<number>(`(() => {
    const canvas = document.querySelector('.page canvas');
    const [left, top, right, bottom] = ${JSON.stringify(area)};
    const { width, height } = canvas ?? { width: 0, height: 0 };
    if (width < 2 || height < 2) return 0;
    const at = [left * width, top * height, (right - left) * width, (bottom - top) * height];
    const { data } = canvas.getContext('2d').getImageData(...at.map((part) => part / 100));
    let dark = 0;
    for (let at = 0; at < data.length; at += 4)
      if (data[at + 3] > 0 && data[at] < 128) dark += 1;
    return dark / (data.length / 4);
  })()`);

test(
  'a PDF shows the values of its form, a scan of any size, and what a password protects',
  ofWindow,
  async ({ shell }) => {
    const page = desk.page();
    const big = writeSample(desk.folderPath, 'scan.pdf', scanPdf(8_000, 8_000));
    const large = writeSample(desk.folderPath, 'large.pdf', overlargePdf());
    const colour = writeSample(desk.folderPath, 'colour.pdf', colourPdf());
    const buttons = writeSample(desk.folderPath, 'buttons.pdf', buttonsPdf());
    const clipped = writeSample(desk.folderPath, 'clipped.pdf', clippedPdf('Kotflügel'));
    const hostile = writeSample(desk.folderPath, 'hostile.pdf', inflatingPdf(200_000_000));
    const inline = writeSample(desk.folderPath, 'inline.pdf', inlinePicturesPdf(4_000));
    const names = ['form-noap.pdf', 'form-needap.pdf', 'pw-user.pdf', 'portfolio.pdf'];
    await newReport(page, 4);
    await page
      .locator('input[type=file][multiple]')
      .setInputFiles([
        big,
        large,
        colour,
        hostile,
        inline,
        buttons,
        clipped,
        ...names.map((name) => join(fixtures, name)),
      ]);
    // Each file is opened completely before it is in the list.
    await expect(nameFields(page)).toHaveCount(10);
    // One kilobyte unpacks to 200 MB of page content, which the viewer would also refuse.
    await expect(
      page.getByText('«hostile.pdf» lässt sich nicht bis zum Ende öffnen'),
    ).toBeVisible();
    // Chromium logs refusals of the desktop shell's protocol, as in report.spec.ts.
    const refusals =
      shell === 'electron'
        ? [expect.stringContaining('the server responded with a status of 400')]
        : [];
    expect(desk.window().errors().splice(0)).toEqual(refusals);
    // The user is warned and may still send the file.
    await expect(page.getByText('Mit einem Passwort geschützt: Der Versicherer')).toHaveCount(1);
    const shown = page.getByRole('dialog');
    const open = (name: string) => page.getByRole('button', { name: `Ansehen: ${name}` }).click();
    const close = () => page.keyboard.press('Escape');

    await open('scan.pdf');
    await expect.poll(() => darkIn(page, [10, 10, 90, 45])).toBe(1);
    await expect.poll(() => darkIn(page, [10, 55, 90, 90])).toBe(0);
    await close();

    await open('large.pdf');
    await expect(shown.getByText('Ein Bild in diesem PDF ist zu gross')).toBeVisible();
    await shown.getByRole('button', { name: 'Datei ansehen: gross.bin' }).click();
    await expect(shown.getByText('gross.bin hat entpackt mehr als 50')).toBeVisible();
    expect(await inspectPage(page, 'pdf-too-large')).toEqual([]);
    await close();

    // The content of this page has thousands of small pictures, 158 MB in total.
    await open('inline.pdf');
    // The viewer reads each of these pictures first, which takes long on a busy machine.
    const tooMuch = shown.getByText('Entpackt braucht es mehr Speicher');
    await expect(tooMuch).toBeVisible();
    await expect(shown.locator('.page')).toHaveCount(0);
    await close();

    // Separate pictures may unpack to more than that, in the browser and in pdf.js.
    await open('colour.pdf');
    await expect.poll(() => darkIn(page, [10, 5, 90, 45])).toBe(1);
    await expect.poll(() => darkIn(page, [10, 55, 90, 95])).toBe(1);
    await close();

    await open('buttons.pdf');
    // Returns the dark share in the middle of a box or button of 40 points, without its border.
    const chosen = (middle: number) => {
      const [x, y] = [(middle / 595) * 100, (75 / 595) * 100];
      return darkIn(page, [x - 2, y - 2, x + 2, y + 2]);
    };
    for (const middle of [70, 170]) await expect.poll(() => chosen(middle)).toBeGreaterThan(0.2);
    for (const middle of [120, 220]) expect(await chosen(middle)).toBe(0);
    await expect(shown.getByText('Dieses Formular hat Optionsfelder ohne Bild')).toBeVisible();
    await close();

    await open('clipped.pdf');
    await shown.getByRole('button', { name: 'Datei ansehen: kalkulation.txt' }).click();
    await expect(shown.getByText('Kotflügel')).toBeVisible();
    await close();

    for (const name of names.slice(0, 2)) {
      await open(name);
      // The field is at [250 770 500 800] of 595 × 842 points.
      await expect.poll(() => darkIn(page, [42, 5, 70, 8.5])).toBeGreaterThan(0.01);
      await close();
    }

    await open('pw-user.pdf');
    const password = shown.getByLabel('Passwort', { exact: true });
    await password.fill('falsch');
    await shown.getByRole('button', { name: 'Öffnen', exact: true }).click();
    await expect(shown.getByText('Das Passwort ist falsch.')).toBeVisible();
    expect(await inspectPage(page, 'pdf-password')).toEqual([]);
    await password.fill('geheim');
    await page.keyboard.press('Enter');
    await expect(shown.locator('.page')).toBeVisible();
    await close();
    // The desk remembers the password for this session and stores it nowhere.
    await open('pw-user.pdf');
    await expect(shown.locator('.page')).toBeVisible();
    await close();

    // A collection lists its files, which the user can open and save.
    await open('portfolio.pdf');
    await expect(shown.locator('.page')).toContainText('For the best experience');
    expect(await inspectPage(page, 'pdf-files')).toEqual([]);
    const saved = await desk
      .window()
      .saved(() => shown.getByRole('button', { name: 'Datei speichern: schaden.pdf' }).click());
    expect(saved.name).toBe('schaden.pdf');
    expect(readFileSync(saved.path, 'latin1').slice(0, 5)).toBe('%PDF-');
    await shown.getByRole('button', { name: 'Datei ansehen: schaden.pdf' }).click();
    await expect(shown.locator('.page')).toBeVisible();
    await expect(shown.locator('.page')).not.toContainText('For the best experience');
    await shown.getByRole('button', { name: 'Zurück zu portfolio.pdf' }).click();
    await expect(shown.locator('.page')).toContainText('For the best experience');
    await close();
  },
);

/** Collects the pictures that workers post to the window from now on. */
const collectPictures = `(() => {
  window.pictures_ = [];
  window.Worker = class extends window.Worker {
    constructor(...given) {
      super(...given);
      this.addEventListener('message', ({ data }) => {
        if (data?.action === 'obj' && data.data[2] === 'Image')
          pictures_.push({ pixels: data.data[3].bitmap.width * data.data[3].bitmap.height, ...data.data[3] });
      });
    }
  };
})()`;

test('the pictures of a page are reduced together, and freed once it is drawn', async () => {
  const page = desk.page();
  const [width, height] = [4000, 3000];
  const bytes = deflateSync(Buffer.alloc((width / 8) * height));
  const entries = '/ColorSpace/DeviceGray/BitsPerComponent 1/Filter/FlateDecode';
  const pdf = picturesPdf(1, 3, { width, height, bytes, entries });
  const path = writeSample(desk.folderPath, 'album.pdf', pdf);
  await newReport(page, 5);
  await page.locator('input[type=file][multiple]').setInputFiles(path);
  await expect(nameFields(page)).toHaveCount(1);
  await page.evaluate(collectPictures);
  await page.getByRole('button', { name: 'Ansehen: album.pdf' }).click();
  // A busy machine takes seconds for each picture. Two of them fill the bottom of the page.
  await expect.poll(() => darkIn(page, [2, 70, 98, 98])).toBe(1);
  // The third one, which is drawn last, stands above the first.
  await expect.poll(() => darkIn(page, [2, 35, 45, 60])).toBe(1);
  const pixels = await page.evaluate<number[]>('pictures_.map(({ pixels }) => pixels)');
  // The page may be drawn again at another size, and as a thumbnail.
  expect(pixels.length).toBeGreaterThanOrEqual(3);
  const whole = pixels.filter((each) => each === width * height);
  const reduced = pixels.filter((each) => each <= 6_000_000 && each > 5_900_000);
  expect(whole.length + reduced.length).toBe(pixels.length);
  expect(reduced.length).toBeGreaterThan(0);
  // A closed picture has no width.
  const open = () => page.evaluate<number>('pictures_.filter(({ bitmap }) => bitmap.width).length');
  await expect.poll(open).toBe(0);
  await page.keyboard.press('Escape');
});

test('a large picture in colour without loss is shown', ofWindow, async () => {
  const page = desk.page();
  const [width, height] = [7001, 9000];
  const half = 3 * (width >> 1);
  const row = Buffer.concat([Buffer.alloc(half, 20), Buffer.alloc(3 * width - half, 240)]);
  const rows = Buffer.concat(Array.from({ length: height }, () => row));
  const bytes = deflateSync(rows, { level: 1 });
  const entries = '/ColorSpace/DeviceRGB/BitsPerComponent 8/Filter/FlateDecode';
  const pdf = picturesPdf(1, 1, { width, height, bytes, entries });
  const path = writeSample(desk.folderPath, 'plan.pdf', pdf);
  await newReport(page, 6);
  await page.locator('input[type=file][multiple]').setInputFiles(path);
  await expect(nameFields(page)).toHaveCount(1);
  await page.getByRole('button', { name: 'Ansehen: plan.pdf' }).click();
  const patient = { timeout: 90_000 };
  await expect.poll(() => darkIn(page, [2, 35, 48, 98]), patient).toBe(1);
  expect(await darkIn(page, [52, 35, 98, 98])).toBe(0);
  await page.keyboard.press('Escape');
});

function mailWith(file: Buffer): Buffer {
  return Buffer.from(
    [
      'From - Mon Mar 02 10:00:00 2026',
      'From: =?utf-8?Q?Zo=C3=A9_M=C3=BCller?= <zoe@garage.example>',
      'To: appraiser@example.ch',
      'Date: Mon, 2 Mar 2026 10:00:00 +0100',
      'Subject: =?utf-8?Q?Kotfl=C3=BCgel_vorne?=',
      'MIME-Version: 1.0',
      'Content-Type: multipart/mixed; boundary=part',
      '',
      '--part',
      'Content-Type: text/html; charset=utf-8',
      '',
      '<p>Grüezi, hier die <b>Offerte</b>.</p><img src="https://tracker.invalid/seen.png">',
      '<link rel="stylesheet" href="https://tracker.invalid/a.css"><script>alert(1)</script>',
      '--part',
      'Content-Type: application/pdf; name="Offerte.pdf"',
      'Content-Disposition: attachment; filename="Offerte.pdf"',
      'Content-Transfer-Encoding: base64',
      '',
      file.toString('base64').replaceAll(/.{76}/g, '$&\r\n'),
      '--part--',
      '',
    ].join('\r\n'),
  );
}
