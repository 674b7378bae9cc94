import { execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, delimiter, join } from 'node:path';
import { expect, type Page } from '@playwright/test';
import { findOffice } from '#main/engine/templates/make-pdf.ts';
import { templateFields } from '#shared/desk/template-fields.ts';
import { imageSizeOf } from '#shared/photos/photo-bytes.ts';
import { makePdf, makePlainJpeg, writeSample } from '../support/sample-files.ts';
import { openServerView, type ServerView } from '../support/server-view.ts';
import {
  makeDocx,
  paragraph,
  placedPicturesOf,
  table,
  textsOf,
  withParagraph,
} from '../support/word-documents.ts';
import { deskFolder, type DeskWindow, test } from './desk-window.ts';
import { addressOf, inspectPage, newReport, overflowsSideways } from './page.ts';
import { isNear, nameFields, namesOf, sentFile } from './report-photos.ts';

/** The office's own report; each test takes it over from the one before. */
test.describe.configure({ mode: 'serial' });

// Found before the system's programs by the desk that is started below.
const programs = mkdtempSync(join(tmpdir(), 'desk-programs-'));
const path = process.env['PATH'] ?? '';
test.beforeAll(() => {
  process.env['PATH'] = `${programs}${delimiter}${path}`;
});
test.afterAll(() => {
  process.env['PATH'] = path;
  rmSync(programs, { recursive: true, force: true });
});

const folder = deskFolder();
const filesDir = join(folder.path, 'templates');
let server: ServerView;
let window: DeskWindow;
let page: Page;
test.beforeAll(async ({ openDesk }) => {
  mkdirSync(filesDir);
  const service = await folder.start('--demo', '60', '--limits', 'x1000');
  server = await openServerView(service.credentials);
  window = await folder.open(openDesk, { lang: 'de', service });
  page = window.page;
});
test.afterEach(() => {
  expect(window.errors()).toEqual([]);
});
/** Every field that stands for itself. */
const ofCase = templateFields.flatMap(({ name, kind, list }) =>
  kind === 'text' && list === null ? [name] : [],
);
/** The values of the case as the window lists them, by their fields. */
let values: ReadonlyMap<string, string>;
/** In the order of the report; the last one has no caption. */
const photos = [
  { fileName: 'Front.jpg', caption: 'Delle vorne links', colour: [200, 40, 40] },
  { fileName: 'Heck.jpg', caption: 'Heck unbeschädigt', colour: [40, 60, 200] },
  { fileName: 'Seite.jpg', caption: '', colour: [40, 160, 60] },
] as const;
const write = (name: string, ...parts: Parameters<typeof makeDocx>) =>
  writeSample(filesDir, name, makeDocx(...parts));
const settings = () => page.goto(addressOf(page, 'settings/templates'));
const template = () => page.locator('input[type=file][data-pick=template]');

test('a template with faults is refused with their places', async () => {
  await settings();
  const header = paragraph('{insured.nmae}');
  await template().setInputFiles(write('Falsch.docx', paragraph('{#photos}{caption}'), { header }));
  const alert = page.getByRole('alert');
  await expect(alert).toContainText('«Falsch.docx» wurde nicht hinzugefügt: 2 Stellen');
  await expect(alert).toContainText('{#photos}: Das Ende fehlt.');
  await expect(alert).toContainText('Kopfzeile: {insured.nmae}');
});

test('a template is added, named and found in the list; the appraiser is stored', async () => {
  const body =
    paragraph('Gutachten {case.key} für {party.name}, {appraiser.name}') +
    ofCase.map((name) => paragraph(`${name}={${name}}`)).join('') +
    table(['{#photos}{photo}', '{number} {caption}{/photos}']);
  await template().setInputFiles(write('Gutachten.docx', body));
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByLabel('Name der Vorlage')).toHaveValue('Gutachten');
  await dialog.getByLabel('Name der Vorlage').fill('Unser Gutachten');
  await dialog.getByRole('button', { name: 'Speichern' }).click();
  await expect(dialog).toBeHidden();
  await expect(page.getByText('Eigene · Deutsch · Alle Kategorien')).toBeVisible();
  const form = page.getByRole('region', { name: 'Angaben zur Expertin oder zum Experten' });
  await form.getByLabel('Name').fill('Ada Muster');
  await form.getByRole('button', { name: 'Speichern' }).click();
  await expect(form.getByRole('status')).toHaveText('Gespeichert');
  expect(await overflowsSideways(page)).toBe(false);
  expect(await inspectPage(page, 'template-settings')).toEqual([]);
});

test('fields are searched, and copied by a click', async () => {
  await page.getByRole('searchbox', { name: 'Felder suchen' }).fill('Kontrollschild');
  await page.getByRole('button', { name: /^\{vehicle\.plate\}/ }).click();
  await expect(page.getByText('{vehicle.plate} kopiert')).toBeAttached();
  expect(await window.clipboard()).toBe('{vehicle.plate}');
});

test('a report is written from it, and names before what stays empty', async () => {
  await newReport(page, 0);
  await page
    .locator('input[type=file][multiple]')
    .setInputFiles(
      photos.map(({ fileName, colour }) =>
        writeSample(filesDir, fileName, makePlainJpeg(1600, 1200, colour)),
      ),
    );
  await expect(nameFields(page)).toHaveCount(photos.length);
  const report = page.url();
  await page.getByRole('link', { name: 'Fotos bearbeiten' }).click();
  for (const [at, { caption }] of photos.entries()) {
    await page.getByRole('option').nth(at).click();
    if (caption === '') continue;
    await page.getByRole('textbox', { name: 'Legende' }).fill(caption);
    await expect(page.getByRole('option').nth(at)).toContainText(caption);
  }
  await page.goto(report);
  const key = await page.locator('.top-bar .tabular').innerText();
  await page.getByRole('button', { name: 'Bericht schreiben' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByRole('combobox', { name: 'Vorlage' })).toHaveValue(
    'Unser Gutachten (Deutsch)',
  );
  await expect(dialog).toContainText(/\d+ Felder bleiben leer/);
  await expect(dialog).toContainText('Fotos: Legende (1-mal)');
  await dialog.getByText('Alle Felder').click();
  await expect(dialog.getByText(`Wert im Fall ${key}`).first()).toBeVisible();
  await expect(dialog.getByRole('button', { name: /^\{case\.key\}/ })).toContainText(key);
  const tokens = await dialog.locator('button.field > :nth-child(1)').allTextContents();
  const shown = await dialog.locator('button.field > :nth-child(3)').allTextContents();
  values = new Map(
    tokens.map((token, at) => [token.replaceAll(/[{}]/g, ''), (shown[at] ?? '').trim()]),
  );
  expect([...values.keys()]).toEqual(expect.arrayContaining(ofCase));
  expect(await inspectPage(page, 'write-report')).toEqual([]);
  await dialog.getByRole('button', { name: 'Ausfüllen' }).click();
  await expect(dialog).toBeHidden();
  await expect(nameFields(page)).toHaveCount(4);
  const name = `Unser Gutachten ${key}.docx`;
  expect(await namesOf(page)).toEqual([name, ...photos.map(({ fileName }) => fileName)]);
  await expect(page.getByText('aus der Vorlage «Unser Gutachten»')).toBeVisible();
  expect(await inspectPage(page, 'written-report')).toEqual([]);
  const bytes = await sentFile(window, name);
  expect(textsOf(bytes)[0]).toMatch(new RegExp(`^Gutachten ${key} für .+, Ada Muster$`));
  // As large as the page shows them.
  const sizes = placedPicturesOf(bytes).map(imageSizeOf);
  expect(sizes).toEqual(photos.map(() => ({ width: 1223, height: 917 })));
});

test('it is changed and saved in another program, and each time taken back', async () => {
  test.skip(process.platform !== 'linux', 'the program is given by a script');
  const copy = await editInWord();
  expect(statSync(copy).mode & 0o777).toBe(0o600);
  saveInOffice(copy, 'Erste Fassung');
  await expect(page.getByText(/^in Word gespeichert \d\d:\d\d$/)).toBeVisible({ timeout: 30_000 });
  const bytes = await sentFile(window, basename(copy));
  expect(bytes.equals(readFileSync(copy))).toBe(true);
  expect(textsOf(bytes)).toContain('Erste Fassung');
  // Exported next to it.
  writeFileSync(copy.replace(/docx$/, 'pdf'), await exportedPdf(copy));
  await expect(nameFields(page)).toHaveCount(5, { timeout: 30_000 });
  await expect(page.getByText('Wird nicht gesendet')).toBeVisible();
  await expect(page.getByText('4 Dateien, ')).toBeVisible();
  // The document is newer than its PDF.
  writeFileSync(copy, withParagraph(readFileSync(copy), 'Von Hand ergänzt'));
  await expect(page.getByText('Das PDF ist älter als das Word-Dokument.')).toBeVisible({
    timeout: 30_000,
  });
  expect(await inspectPage(page, 'report-in-word')).toEqual([]);
  await page.getByRole('button', { name: /^Entfernen: Unser Gutachten .*\.pdf$/ }).click();
  await expect(nameFields(page)).toHaveCount(4);
  await page.getByRole('checkbox', { name: /^Senden: Unser Gutachten/ }).check();
});

/** The copy that the system's program is given. */
async function editInWord(): Promise<string> {
  const opener = join(programs, 'xdg-open');
  const taken = join(folder.path, 'taken');
  rmSync(taken, { force: true });
  // Written whole before it has its name.
  const script = `#!/bin/sh\nprintf %s "$1" > '${taken}.new' && mv '${taken}.new' '${taken}'\n`;
  writeFileSync(opener, script, { mode: 0o755 });
  await page.getByRole('button', { name: /^In Word bearbeiten: Unser Gutachten/ }).click();
  await expect.poll(() => existsSync(taken) && readFileSync(taken, 'utf8')).toMatch(/\.docx$/);
  return readFileSync(taken, 'utf8');
}

/** A line is added, and LibreOffice writes the document; without it another program does. */
function saveInOffice(copy: string, text: string): void {
  const written = withParagraph(readFileSync(copy), text);
  const office = findOffice();
  if (office === null) {
    writeFileSync(copy, written);
    return;
  }
  const place = join(filesDir, 'office');
  mkdirSync(place, { recursive: true });
  convert(office, writeSample(place, basename(copy), written), 'docx');
  cpSync(join(filesDir, basename(copy)), copy);
}
async function exportedPdf(copy: string): Promise<Buffer> {
  const office = findOffice();
  if (office === null) return await makePdf('Gutachten');
  convert(office, copy, 'pdf');
  return readFileSync(join(filesDir, basename(copy).replace(/docx$/, 'pdf')));
}
function convert(office: string, copy: string, to: 'docx' | 'pdf'): void {
  const profile = `-env:UserInstallation=file://${join(folder.path, 'office')}`;
  execFileSync(office, [profile, '--headless', '--convert-to', to, '--outdir', filesDir, copy]);
}

test('filled again it takes its own place, and shows what is not sent', async () => {
  await page.getByRole('button', { name: 'Bericht schreiben' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByText('wird neu ausgefüllt')).toBeVisible();
  await dialog.getByRole('button', { name: 'Ausfüllen' }).click();
  await expect(dialog).toBeHidden();
  await expect(nameFields(page)).toHaveCount(4);
  await page.getByRole('checkbox', { name: /^Senden: Unser Gutachten/ }).uncheck();
  await expect(page.getByText('Wird nicht gesendet')).toBeVisible();
  await expect(page.getByText('3 Dateien, ')).toBeVisible();
});

test('the insurer has it as it was saved last: each value, the photos in order, their captions', async () => {
  test.skip(process.platform !== 'linux', 'the program is given by a script');
  await page.getByRole('checkbox', { name: /^Senden: Unser Gutachten/ }).check();
  const copy = await editInWord();
  saveInOffice(copy, 'Schlussfassung');
  await expect(page.getByText(/^in Word gespeichert \d\d:\d\d$/)).toBeVisible({ timeout: 30_000 });
  const saved = readFileSync(copy);
  await page.getByRole('button', { name: 'Bericht einreichen' }).click();
  const key = values.get('case.key') ?? '';
  const found = (await server.cases()).find((each) => each['ExternalKey'] === key);
  const submitted = async () =>
    (await server.reports(String(found?.['Id']))).find((each) => each['Status'] === 'Submitted');
  await expect.poll(submitted, { timeout: 120_000 }).toBeTruthy();
  const contents = await server.contents(String((await submitted())?.['Id']));
  expect([...contents.keys()].sort()).toEqual(
    [basename(copy), ...photos.map(({ fileName }) => fileName)].sort(),
  );
  const document = contents.get(basename(copy)) ?? Buffer.alloc(0);
  expect(document.equals(saved)).toBe(true);
  const lines = textsOf(document);
  for (const name of ofCase) expect(lines).toContain(`${name}=${values.get(name) ?? ''}`);
  // The insurer itself has these in the case.
  const record = JSON.stringify(await server.case(String(found?.['Id'])));
  for (const name of ['policyNumber', 'insured.name']) {
    expect(values.get(name)).toMatch(/./);
    expect(record).toContain(values.get(name) ?? '');
  }
  expect(lines).toContain('Schlussfassung');
  expect(lines).not.toContain('Erste Fassung');
  const captions = photos.map(({ caption }, at) => `${at + 1} ${caption}`);
  expect(lines.filter((line) => /^\d /.test(line))).toEqual(captions);
  const placed = placedPicturesOf(document);
  expect(placed).toHaveLength(photos.length);
  for (const [at, { colour }] of photos.entries())
    expect(isNear(Buffer.from(placed[at] ?? []), [0.5, 0.5], colour)).toBe(true);
});
