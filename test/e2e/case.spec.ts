import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { expect, type Page } from '@playwright/test';
import { PDFDocument } from '@cantoo/pdf-lib';
import {
  makeScan,
  telephonePhotos,
  stringsOfPdf,
  makeHugePng,
  makeJpeg,
} from '../support/sample-files.ts';
import { billPayload, codeOf } from '../support/qr-bills.ts';
import { openPracticeDesk, test } from './desk-window.ts';
import { answerDocuments } from './page-bytes.ts';
import {
  addressOf,
  expectPicture,
  goBack,
  inspectPage,
  openInWork,
  outOfSight,
  overflowsSideways,
} from './page.ts';

/** The user reads, prints and searches a case and its documents. */

// The desk that is started below finds this folder before the system's programs.
const programs = mkdtempSync(join(tmpdir(), 'desk-programs-'));
const path = process.env['PATH'];
test.beforeAll(() => {
  process.env['PATH'] = `${programs}${delimiter}${path}`;
});
test.afterAll(() => {
  process.env['PATH'] = path;
  rmSync(programs, { recursive: true, force: true });
});

const desk = openPracticeDesk({ fetchesDocuments: true });
let page: Page;
// Each test begins at the same case, so that a failure does not affect the other tests.
test.beforeAll(async () => {
  page = desk.page();
  await openInWork(page);
  await fetchAll();
});

const documents = () => page.getByRole('region', { name: /^Dokumente/ });
const openButton = (kind: string) =>
  documents().getByRole('button', { name: new RegExp(`^Öffnen: .*\\.${kind}`) });
const viewer = () => page.getByRole('region', { name: /^Dokument / });

/** Downloads every document of the case, so that the tests do not depend on their order. */
async function fetchAll(): Promise<void> {
  const missing = documents().getByRole('button', { name: /^Auf dieses Gerät laden: / });
  await expect(
    documents()
      .getByRole('button', { name: /^Öffnen: / })
      .first(),
  ).toBeVisible();
  // The desk also downloads documents by itself, so a button may disappear before a click.
  await expect(async () => {
    await missing.evaluateAll((buttons) => {
      for (const button of buttons) (button as { click?(): void }).click?.();
    });
    expect(await missing.count()).toBe(0);
  }).toPass();
  await expect(documents().getByText('Auf diesem Gerät', { exact: true }).first()).toBeAttached();
}

test('a case shows what does not fit, links to call, write and find, and its JSON', async () => {
  await expect(page.getByRole('link', { name: /^Anrufen: / }).first()).toHaveAttribute(
    'href',
    /^tel:\+?\d+$/,
  );
  await expect(page.getByRole('link', { name: /^E-Mail an / }).first()).toHaveAttribute(
    'href',
    /^mailto:/,
  );
  await expect(page.getByRole('link', { name: /^Auf der Karte suchen: / }).first()).toHaveAttribute(
    'href',
    /^https:\/\/map\.geo\.admin\.ch\/\?swisssearch=/,
  );
  await page.getByLabel(/^(Kostenvoranschlag|Geforderter Betrag)/).fill('1000');
  await page.getByLabel('Anerkannter Betrag').fill('1200');
  await page.getByRole('button', { name: 'Beträge speichern' }).click();
  await expect(page.getByRole('region', { name: 'Hinweise' })).toContainText(
    /Der anerkannte Betrag ist höher als «(Kostenvoranschlag|Geforderter Betrag)/,
  );
  await expectPicture(openButton('jpg').first());
  await expectPicture(openButton('pdf').first());
  expect(await overflowsSideways(page)).toBe(false);
  expect(await inspectPage(page, 'case')).toEqual([]);
  const details = page
    .getByRole('region', { name: 'Angaben des Versicherers' })
    .getByText('Technische Angaben');
  await details.click();
  await expect(page.locator('pre').filter({ hasText: '"policyNumber"' })).toBeVisible();
  await details.click();
  await expect(page.locator('pre')).toHaveCount(0);
});

test('Back leads to the case that one left, however quick one is', async () => {
  const caseAddress = page.url();
  // In the browser the next page loads until `release` is called.
  let release: () => void = () => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  await page.route('**/assets/QueuePage-*.js', async (route) => {
    await released;
    await route.continue();
  });
  const address = await page.evaluate(`(async () => {
    document.querySelector('a[href="#/queue"]').click();
    // Within the task of the click, so that nothing comes between it and the address.
    for (let turn = 0; turn < 200; turn += 1) await null;
    return location.hash;
  })()`);
  expect(address).toBe('#/queue');
  await goBack(page);
  release();
  await expect(page).toHaveURL(caseAddress);
  await expect(page.getByRole('region', { name: 'Beträge' })).toBeVisible();
});

test('on paper there is the case and nothing of the window', async () => {
  await page.emulateMedia({ media: 'print' });
  await expect(page.getByRole('navigation', { name: 'Hauptnavigation' })).toBeHidden();
  await expect(page.getByRole('listbox', { name: 'Fallliste' })).toBeHidden();
  await expect(page.getByRole('button', { name: 'Beträge speichern' })).toBeHidden();
  await expect(page.getByText(/^Gedruckt /)).toBeVisible();
  // Everything begins at one edge of the paper; a note keeps its bar.
  const edges = await page.evaluate(`[...new Set(
    [...document.querySelectorAll('.case :is(h1, h2, .saving, .case-facts:not(.block *))')]
      .filter((one) => one.checkVisibility() && !one.closest('.note'))
      .map((one) => Math.round(one.getBoundingClientRect().left)),
  )]`);
  expect(edges).toEqual([0]);
  await page.emulateMedia({ media: null });
  const heading = (await page.getByRole('heading', { level: 1 }).textContent()) ?? '';
  const printed = await desk.window().printed();
  const text = (await stringsOfPdf(printed)).flat().join(' ');
  for (const words of [heading.trim(), 'Policennummer', 'Schadenbeschrieb', 'Kommentar an'])
    expect(text).toContain(words);
  expect(text).not.toContain('Einstellungen');
  expect((await PDFDocument.load(printed)).getPageCount()).toBe(1);
  // The print has no age, which is wrong an hour later, and no link, which paper cannot follow.
  expect(text).not.toMatch(/vor \d+ (?:Sekunden|Minuten|Stunden)|gerade eben|Karte/);
});

test('the bar of a document beside its case has two lines at 1024x700, with the search behind a button', async () => {
  await page.setViewportSize({ width: 1024, height: 700 });
  await openButton('pdf').first().click();
  await expect(viewer().locator('.text-layer span').first()).toBeAttached();
  const tops = () =>
    page.evaluate(`[...new Set(
      [...document.querySelectorAll('.viewer [role=toolbar] button')]
        .filter((one) => one.checkVisibility())
        .map((one) => Math.round(one.getBoundingClientRect().top)),
    )]`);
  expect(await tops()).toHaveLength(2);
  const field = viewer().getByRole('searchbox', { name: 'Im Dokument suchen' });
  await expect(field).toBeHidden();
  await viewer().getByRole('button', { name: 'Im Dokument suchen' }).click();
  await expect(field).toBeFocused();
  expect(await outOfSight(page)).toEqual([]);
  expect(await inspectPage(page, 'document-beside')).toEqual([]);
  await page.keyboard.press('Tab');
  await expect(field).toBeHidden();
  await viewer().getByRole('button', { name: 'Schliessen', exact: true }).click();
  await page.setViewportSize({ width: 1440, height: 900 });
});

test('a PDF is searched, with its hits marked, and enlarged', async () => {
  await openButton('pdf').first().click();
  await expect(viewer().locator('.text-layer span').first()).toBeAttached();
  await page.keyboard.press('Control+f');
  const field = viewer().getByRole('searchbox', { name: 'Im Dokument suchen' });
  await expect(field).toBeFocused();
  await field.fill('SCHADEN');
  await expect(
    viewer()
      .getByText(/^1 von \d+$/)
      .first(),
  ).toBeVisible();
  await expect
    .poll(() => page.evaluate(`CSS.highlights.get('pdf-hit')?.size ?? 0`))
    .toBeGreaterThan(0);
  expect(await inspectPage(page, 'document-search')).toEqual([]);
  await field.fill('gibt es hier nicht');
  await expect(viewer().getByText('Kein Treffer')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(field).toHaveValue('');
  // The buttons next to this text move when it disappears.
  await expect(viewer().getByText('Kein Treffer')).toBeHidden();
  const width = async () => (await viewer().locator('.page').first().boundingBox())?.width ?? 0;
  const before = await width();
  await viewer().getByRole('button', { name: 'Vergrössern' }).click();
  await expect.poll(width).toBeGreaterThan(before);
  await page.keyboard.press('Escape');
  await expect(viewer()).toBeHidden();
});

test('a document is read next to the amounts and the comment, at a width that is stored', async () => {
  await openButton('pdf').first().click();
  await expect(viewer().locator('.text-layer span').first()).toBeAttached();
  const comment = page.getByRole('textbox', { name: 'Kommentar' });
  const left = async () => {
    const box = await viewer().boundingBox();
    return box ? box.x + box.width : Infinity;
  };
  for (const field of [page.getByLabel('Anerkannter Betrag'), comment])
    expect((await field.boundingBox())?.x).toBeGreaterThan(await left());
  await page.keyboard.press('F6');
  await expect(page.getByLabel(/^(Kostenvoranschlag|Geforderter Betrag)/)).toBeFocused();
  await page.keyboard.type('2345.60');
  await page.keyboard.press('F6');
  await expect(viewer().locator('.viewer')).toBeFocused();

  const divider = page.getByRole('separator', { name: 'Breite des Dokuments' });
  const before = await left();
  await divider.press('ArrowLeft');
  await expect.poll(left).toBeLessThan(before);
  const box = await divider.boundingBox();
  if (!box) throw new Error('there is no divider');
  await page.mouse.move(box.x + 4, box.y + 100);
  await page.mouse.down();
  await page.mouse.move(box.x - 150, box.y + 100);
  await page.mouse.up();
  const at = await divider.getAttribute('aria-valuenow');
  expect(Number(at)).toBeLessThan(50);
  expect(await inspectPage(page, 'document-beside')).toEqual([]);
  await page.reload();
  await openButton('pdf').first().click();
  await expect(divider).toHaveAttribute('aria-valuenow', at ?? '');
  await expect(viewer().locator('.viewer')).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(viewer()).toBeHidden();
  await expect(openButton('pdf').first()).toBeFocused();
});

test('a picture fits the window, is turned and enlarged', async () => {
  await openButton('jpg').first().click();
  const picture = viewer().getByRole('img', { name: /\.jpg$/ });
  await expect(picture).toBeVisible();
  await viewer().getByRole('button', { name: 'Drehen' }).click();
  await expect(picture).toHaveAttribute('style', /rotate\(90deg\)/);
  const box = async () => (await picture.boundingBox()) ?? { width: 0, height: 0 };
  // The picture may not be laid out in its turned form yet.
  await expect.poll(async () => (await box()).height - (await box()).width).toBeGreaterThan(0);
  const { height } = await box();
  await viewer().getByRole('button', { name: 'Vergrössern' }).click();
  await expect.poll(async () => (await box()).height).toBeGreaterThan(height);
  const { name, path: file } = await desk
    .window()
    .saved(() => viewer().getByRole('button', { name: 'Kopie speichern' }).click());
  expect(name).toMatch(/\.jpg$/);
  expect(readFileSync(file).subarray(0, 3)).toEqual(Buffer.from([0xff, 0xd8, 0xff]));
  await page.keyboard.press('Escape');
});

test('a document is opened with another program, as a copy that nobody else can read', async ({
  shell,
}) => {
  test.skip(shell === 'electron' || process.platform !== 'linux', 'a program would open');
  // This script replaces the system's opener and stores the path that it is given.
  const taken = join(desk.folderPath, 'taken');
  const opener = join(programs, 'xdg-open');
  writeFileSync(opener, `#!/bin/sh\nprintf %s "$1" > '${taken}'\n`, { mode: 0o755 });
  await openButton('pdf').first().click();
  const openWith = viewer().getByRole('button', { name: 'Mit anderem Programm öffnen' });
  await openWith.click();
  await expect.poll(() => existsSync(taken) && readFileSync(taken, 'utf8')).toMatch(/\.pdf$/);
  const copy = readFileSync(taken, 'utf8');
  expect(readFileSync(copy, 'latin1').slice(0, 5)).toBe('%PDF-');
  expect(statSync(copy).mode & 0o777).toBe(0o600);

  writeFileSync(opener, '#!/bin/sh\nexit 3\n');
  await openWith.click();
  await expect(
    viewer().getByText(/gibt es auf diesem Gerät kein passendes Programm/),
  ).toBeVisible();
  expect(await inspectPage(page, 'document-not-opened')).toEqual([]);
  await page.keyboard.press('Escape');
  await expect(viewer()).toBeHidden();
});

test('the text of a scan is recognized when the user asks, and the search finds it', async ({
  shell,
}) => {
  test.skip(shell === 'electron', 'the files of the desktop shell come from no network');
  const payload = billPayload({
    iban: 'CH4431999123000889012',
    name: 'Garage Muster',
    rappen: 194_975,
    currency: 'CHF',
    type: 'QRR',
    reference: '210000000003139471430009017',
  });
  const { data, width } = await codeOf(payload.join('\r\n'), 'QRCode');
  const drawn: unknown = await page.evaluate(`(() => {
    const canvas = Object.assign(document.createElement('canvas'), { width: 900, height: 900 });
    const context = canvas.getContext('2d');
    context.fillStyle = '#fff';
    context.fillRect(0, 0, 900, 900);
    context.fillStyle = '#000';
    context.font = '44px sans-serif';
    context.fillText('Zylinderkopf gerissen', 60, 120);
    const modules = ${JSON.stringify([...data])};
    for (const [at, light] of modules.entries())
      if (light === 0)
        context.fillRect(100 + (at % ${width}) * 5, 200 + Math.floor(at / ${width}) * 5, 5, 5);
    return canvas.toDataURL('image/png').split(',')[1];
  })()`);
  const body = Buffer.from(String(drawn), 'base64');
  const answer = await answerDocuments(page);
  answer({ body, contentType: 'image/png' });
  await openButton('jpg').first().click();
  // The button appears once the desk has read the documents, one after the other in the background.
  await viewer().getByRole('button', { name: 'Text erkennen' }).click();
  await expect(viewer().getByText(/^Der Text von 1 Seite ist erkannt/)).toBeVisible();
  expect(await inspectPage(page, 'document-recognized')).toEqual([]);
  await page.keyboard.press('Escape');
  const bill = page
    .getByRole('list', { name: 'Totalbeträge in den Dokumenten' })
    .getByRole('listitem')
    .filter({ hasText: 'aus der QR-Rechnung' });
  await expect(bill).toContainText('CHF 1’949.75');
  await expect(bill).toContainText('Garage Muster · 21 00000 00003 13947 14300 09017');
  expect(await inspectPage(page, 'amount-of-qr-bill')).toEqual([]);
  answer(null);
  const search = page.getByRole('searchbox', { name: 'Fälle durchsuchen' });
  await search.fill('zylinderkopf');
  const found = page.getByRole('listbox', { name: 'Fallliste' }).getByRole('option');
  await expect(found.first()).toContainText('Dokument (erkannter Text)');
  await expect(found).toHaveCount(1);
  await search.fill('');
});

/**
 * Lists elements that a script has scrolled although the user cannot scroll them back, with the
 * offset in pixels.
 */
const movedOutOfReach = `[...document.querySelectorAll('*')]
  .filter((at) => at.scrollTop !== 0)
  .filter((at) => !['auto', 'scroll'].includes(getComputedStyle(at).overflowY))
  .map((at) => at.tagName + ' ' + at.className + ' ' + at.scrollTop)`;

test('a total of the estimate is shown at its place, and taken by the user', async () => {
  const caseAddress = page.url();
  await page.goto(addressOf(page, 'cases'));
  const offered = page.getByRole('list', { name: 'Totalbeträge in den Dokumenten' });
  const search = page.getByRole('searchbox', { name: 'Fälle durchsuchen' });
  // The estimates contain this word, so a hit has an estimate on the laptop.
  const found = page.getByRole('listbox', { name: 'Fallliste' }).getByRole('option');
  const chosen = found.filter({ hasText: 'In Arbeit' }).first();
  await expect(async () => {
    // The desk may still be reading the documents.
    await search.fill('');
    await search.fill('Dachhaut');
    await expect(chosen).toContainText('Dokument: ', { timeout: 15_000 });
  }).toPass();
  await chosen.click();
  await page.getByLabel(/^(Kostenvoranschlag|Geforderter Betrag)/).fill('');
  const frame = viewer().locator('.page .frame');
  const before = page.viewportSize();
  for (const [width, height] of [
    [1366, 768],
    [1440, 900],
    [1024, 700],
  ] as const) {
    await page.setViewportSize({ width, height });
    await offered.getByRole('button', { name: 'CHF 5’602.25 im Dokument zeigen' }).click();
    await expect(frame).toBeInViewport();
    expect(await page.evaluate(movedOutOfReach), `${width}x${height}`).toEqual([]);
  }
  if (before) await page.setViewportSize(before);
  const share = async () => {
    const [inner, outer] = [
      await frame.boundingBox(),
      await viewer().locator('.page').boundingBox(),
    ];
    return inner && outer ? (inner.y - outer.y) / outer.height : 0;
  };
  // The page is drawn again in the width of the window.
  await expect.poll(share).toBeCloseTo(0.38, 1);
  await offered.getByRole('button', { name: /^CHF 5’602\.25 in «.+» übernehmen$/ }).click();
  const estimate = page.getByRole('textbox', { name: /^(Kostenvoranschlag|Geforderter Betrag)/ });
  await expect(estimate).toHaveValue('5’602.25');
  await expect(estimate).toBeFocused();
  await page
    .getByRole('region', { name: 'Beträge' })
    .getByRole('button', { name: 'Verwerfen' })
    .click();
  await page.goto(caseAddress);
});

test('broken documents, lying types and pictures too large are named, not guessed at', async ({
  shell,
}) => {
  test.skip(shell === 'electron', 'the files of the desktop shell come from no network');
  const answer = await answerDocuments(page);
  const give = (body: Buffer, contentType: string) => answer({ body, contentType });
  give(Buffer.from('%PDF-1.7\nthis is none\n'), 'application/pdf');
  await openButton('pdf').first().click();
  await expect(viewer().getByText(/^Dieses PDF kann nicht angezeigt werden/)).toBeVisible();
  await page.keyboard.press('Escape');

  give(makeJpeg(), 'application/pdf');
  await openButton('pdf').first().click();
  await expect(
    viewer().getByText('Dateiendung PDF, Inhalt JPEG. Angezeigt wird der Inhalt.'),
  ).toBeVisible();
  await expect(viewer().getByRole('img', { name: /\.pdf$/ })).toBeVisible();
  await page.keyboard.press('Escape');

  // No browser draws these formats, so they are converted: a telephone's photo, and a scan by
  // pages.
  const scan = makeScan([200, 120, 40]);
  for (const [body, contentType] of [
    [telephonePhotos[0]?.buffer ?? scan, 'image/heic'],
    [scan, 'image/tiff'],
  ] as const) {
    give(body, contentType);
    await openButton('jpg').first().click();
    await expect(viewer().getByRole('img', { name: /\.jpg$/ })).toBeVisible();
    if (body === scan) {
      await viewer().getByRole('button', { name: 'Nächste Seite' }).click();
      await expect(viewer().getByText('Seite 2 von 3')).toBeVisible();
      expect(await inspectPage(page, 'document-scan')).toEqual([]);
    }
    await page.keyboard.press('Escape');
  }
  give(scan.subarray(0, -1), 'image/tiff');
  await openButton('jpg').first().click();
  await expect(viewer().getByText('Die Datei ist abgeschnitten.')).toBeVisible();
  await page.keyboard.press('Escape');

  give(makeHugePng(), 'image/png');
  await openButton('jpg').first().click();
  await expect(viewer().getByText('Dieses Bild ist zu gross für die Anzeige')).toBeVisible();
  await expect(viewer().getByRole('img', { name: /\.jpg$/ })).toHaveCount(0);
  expect(await inspectPage(page, 'document-too-large')).toEqual([]);
  await page.keyboard.press('Escape');

  give(Buffer.from('\xff\xd8\xff\xe0 no picture', 'latin1'), 'image/jpeg');
  await openButton('jpg').first().click();
  await expect(viewer().getByText('Dieses Bild kann hier nicht angezeigt werden.')).toBeVisible();
  await page.keyboard.press('Escape');
  answer(null);
});
