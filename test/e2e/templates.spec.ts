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
import { lookAtPdf } from '#main/engine/templates/one-pdf/look-at-pdf.ts';
import { templateFields } from '#shared/desk/reports/template-fields.ts';
import { imageSizeOf } from '#shared/photos/photo-bytes.ts';
import { makePdf, makePlainJpeg, writeSample } from '../support/sample-files.ts';
import { openServerView, type ServerView } from '../support/server-view.ts';
import {
  makeDocx,
  partOf,
  paragraph,
  placedPicturesOf,
  table,
  textsOf,
  withParagraph,
} from '../support/word-documents.ts';
import { deskFolder, type DeskWindow, test } from './desk-window.ts';
import {
  addressOf,
  chooseFromMenu,
  inspectPage,
  newReport,
  overflowsSideways,
  submitReport,
} from './page.ts';
import { isNear, nameFields, namesOf, sentFile } from './report-photos.ts';
import { ofWindow } from './specs.ts';

/** The user works with the office's own report. Each test continues from the one before. */
test.describe.configure({ mode: 'serial' });

// The desk that is started below finds this folder before the system's programs.
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
/** These fields are single texts, and belong to no list. */
const ofCase = templateFields.flatMap(({ name, kind, list }) =>
  kind === 'text' && list === null ? [name] : [],
);
/** The values of the case that the window lists, by their fields. */
let values: ReadonlyMap<string, string>;
/** The photos in the order of the report. The last one has no caption. */
const photos = [
  { fileName: 'Front.jpg', caption: 'Delle vorne links', colour: [200, 40, 40] },
  { fileName: 'Heck.jpg', caption: 'Heck unbeschädigt', colour: [40, 60, 200] },
  { fileName: 'Seite.jpg', caption: '', colour: [40, 160, 60] },
] as const;
const write = (name: string, ...parts: Parameters<typeof makeDocx>) =>
  writeSample(filesDir, name, makeDocx(...parts));
const settings = () => page.goto(addressOf(page, 'settings/templates'));
const template = () => page.locator('input[type=file][data-pick=template]');

test(
  'a template with faults is shown with their places, and they are marked for Word',
  ofWindow,
  async () => {
    await settings();
    const header = paragraph('{insured.nmae}');
    await template().setInputFiles(
      write('Falsch.docx', paragraph('{#photos}{caption}'), { header }),
    );
    const dialog = page.getByRole('dialog');
    const alert = dialog.getByRole('alert');
    await expect(alert).toContainText('«Falsch.docx» wurde nicht hinzugefügt: 2 Stellen');
    await expect(alert).toContainText('{#photos}: Das Ende fehlt.');
    await expect(alert).toContainText('Kopfzeile: {insured.nmae}');
    await expectSample(['{insured.nmae}', '{#photos}']);
    expect(await inspectPage(page, 'template-faults')).toEqual([]);
    const saved = await window.saved(() =>
      dialog.getByRole('button', { name: 'In Word markieren' }).click(),
    );
    expect(saved.name).toBe('Falsch markiert.docx');
    const comments = partOf(readFileSync(saved.path), 'word/comments1.xml');
    expect(comments).toContain('Kopfzeile: {insured.nmae}: Dieses Feld gibt es hier nicht.');
    expect(comments).toContain('{#photos}: Das Ende fehlt.');
    await expect(dialog).toBeHidden();
  },
);

/** Expects the filled page next to the findings: LibreOffice's PDF, or else the desk's own view. */
async function expectSample(marks: readonly string[]): Promise<void> {
  const sample = page.getByRole('dialog').getByRole('region', { name: 'Mit Mustern ausgefüllt' });
  if (findOffice() === null) await expect(sample.locator('mark')).toHaveText(marks);
  else await expect(sample.locator('.text-layer').first()).toContainText(marks.at(-1) ?? '');
}

test('a template is added, named and found in the list; the appraiser is stored', async () => {
  const body =
    paragraph('Gutachten {case.key} für {party.name}, {appraiser.name}') +
    ofCase.map((name) => paragraph(`${name}={${name}}`)).join('') +
    table(['{#photos}{photo}', '{number} {caption}{/photos}']);
  await settings();
  await template().setInputFiles(write('Gutachten.docx', body));
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByLabel('Name der Vorlage')).toHaveValue('Gutachten');
  await expect(dialog.getByRole('region', { name: 'Mit Mustern ausgefüllt' })).toContainText(
    'Gutachten Schadennummer',
  );
  expect(await inspectPage(page, 'template-added')).toEqual([]);
  await dialog.getByLabel('Name der Vorlage').fill('Unser Gutachten');
  await dialog.getByRole('button', { name: 'Speichern' }).click();
  await expect(dialog).toBeHidden();
  await expect(page.getByText('Eigene · Deutsch · Alle Kategorien')).toBeVisible();
  const form = page.getByRole('region', { name: 'Angaben zur Expertin oder zum Experten' });
  await form.getByLabel('Name').fill('Ada Muster');
  await form.getByLabel('Name').blur();
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
  // The pictures have the size at which the page shows them.
  const sizes = placedPicturesOf(bytes).map(imageSizeOf);
  expect(sizes).toEqual(photos.map(() => ({ width: 1379, height: 1034 })));
});

test('it is changed and saved in another program, and each time taken back', async () => {
  test.skip(process.platform !== 'linux', 'the program is given by a script');
  const copy = await editInWord();
  expect(statSync(copy).mode & 0o777).toBe(0o600);
  saveInOffice(copy, 'Erste Fassung');
  await expect(page.getByText(/^in Word gespeichert \d\d:\d\d$/)).toBeVisible();
  const bytes = await sentFile(window, basename(copy));
  expect(bytes.equals(readFileSync(copy))).toBe(true);
  expect(textsOf(bytes)).toContain('Erste Fassung');
  // The user exports a PDF into the same folder.
  writeFileSync(copy.replace(/docx$/, 'pdf'), await exportedPdf(copy));
  await expect(nameFields(page)).toHaveCount(5);
  await expect(page.getByText('Wird nicht gesendet')).toBeVisible();
  await expect(page.getByText('4 Dateien, ')).toBeVisible();
  // The document is newer than its PDF.
  writeFileSync(copy, withParagraph(readFileSync(copy), 'Von Hand ergänzt'));
  await expect(page.getByText('Das PDF ist älter als das Word-Dokument.')).toBeVisible();
  expect(await inspectPage(page, 'report-in-word')).toEqual([]);
  await chooseFromMenu(
    page.getByRole('button', { name: /^Mehr zu «Unser Gutachten .*\.pdf»$/ }),
    'Entfernen',
  );
  await expect(nameFields(page)).toHaveCount(4);
  await page.getByRole('checkbox', { name: /^Senden: Unser Gutachten/ }).check();
});

/** Opens a document in Word and returns the path of the copy that the system's program is given. */
async function editInWord(name = 'Unser Gutachten'): Promise<string> {
  const opener = join(programs, 'xdg-open');
  const taken = join(folder.path, 'taken');
  rmSync(taken, { force: true });
  // The script renames the file only after it is complete.
  const script = `#!/bin/sh\nprintf %s "$1" > '${taken}.new' && mv '${taken}.new' '${taken}'\n`;
  writeFileSync(opener, script, { mode: 0o755 });
  await page.getByRole('button', { name: new RegExp(`^In Word bearbeiten: ${name}`) }).click();
  await expect.poll(() => existsSync(taken) && readFileSync(taken, 'utf8')).toMatch(/\.docx$/);
  return readFileSync(taken, 'utf8');
}

/**
 * Adds a line, and saves the document with LibreOffice or, if it is missing, with another program.
 */
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
  await expect(page.getByText(/^in Word gespeichert \d\d:\d\d$/)).toBeVisible();
  const saved = readFileSync(copy);
  await submitReport(page);
  const key = values.get('case.key') ?? '';
  const found = (await server.cases()).find((each) => each['ExternalKey'] === key);
  const submitted = async () =>
    (await server.reports(String(found?.['Id']))).find((each) => each['Status'] === 'Submitted');
  await expect.poll(submitted).toBeTruthy();
  const contents = await server.contents(String((await submitted())?.['Id']));
  expect([...contents.keys()].sort()).toEqual(
    [basename(copy), ...photos.map(({ fileName }) => fileName)].sort(),
  );
  const document = contents.get(basename(copy)) ?? Buffer.alloc(0);
  expect(document.equals(saved)).toBe(true);
  const lines = textsOf(document);
  for (const name of ofCase) expect(lines).toContain(`${name}=${values.get(name) ?? ''}`);
  // The case itself has these values from the insurer.
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

/**
 * Returns a template like that of an office: bullets, rows of marks, pairs of photos, sums, a
 * signature.
 */
function officeTemplate(name: string): string {
  const bullet = (text: string) =>
    `<w:p><w:pPr><w:pStyle w:val="ListBullet"/></w:pPr>${paragraph(text).slice('<w:p>'.length)}`;
  const body =
    paragraph('Gutachten {case.key}') +
    paragraph(name) +
    ['{#checklist}', '{entry}: {answer}', '{/checklist}'].map(bullet).join('') +
    table(['Person', 'Adresse'], ['{#persons}', ''], ['{name}', '{address}'], ['{/persons}', '']) +
    paragraph('MWST {1234 * 8.1% | round: 0.05 | chf}, Fotos: {photos | count}') +
    table(['{#photoPairs}{left.photo}', '{right.photo}{/photoPairs}']) +
    paragraph('{appraiser.signature | height: 1.5cm}');
  // The company's template is on a network share.
  const relations =
    '<Relationship Id="company" TargetMode="External" Target="file://share/Firma.dotx" ' +
    'Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/attachedTemplate"/>';
  return write('Firma.docx', body, { relations });
}

const journey = "an office's templates";
test(
  `${journey}: a mistake is marked in Word, the template corrected, filled and written on`,
  ofWindow,
  async () => {
    test.skip(process.platform !== 'linux', 'the program is given by a script');
    await settings();
    const form = page.getByRole('region', { name: 'Angaben zur Expertin oder zum Experten' });
    await form
      .locator('input[type=file]')
      .setInputFiles(writeSample(filesDir, 'signature.jpg', makePlainJpeg(600, 200, [10, 10, 90])));
    await expect(form.getByRole('img', { name: 'Unterschrift' })).toBeVisible();

    await template().setInputFiles(officeTemplate('Für {insured.nmae}'));
    const dialog = page.getByRole('dialog');
    await expect(dialog.getByRole('alert')).toContainText('Gemeint ist wohl {insured.name}.');
    await dialog.getByRole('button', { name: 'Abbrechen' }).click();
    await template().setInputFiles(officeTemplate('Für {insured.name}'));
    await expect(dialog).toContainText('die Verbindung zur Dokumentvorlage');
    await dialog.getByRole('button', { name: 'Aus der Vorlage entfernen' }).click();
    await expect(dialog.getByRole('region', { name: 'Versionen' })).toContainText('Version 2');
    await dialog.getByRole('button', { name: 'Speichern' }).click();
    await expect(dialog).toBeHidden();

    await newReport(page, 1);
    await page
      .locator('input[type=file][multiple]')
      .setInputFiles([
        writeSample(
          filesDir,
          'Kostenvoranschlag.pdf',
          Buffer.from(await makePdf('Kalkulation 4711')),
        ),
        ...photos.map(({ fileName }) => join(filesDir, fileName)),
      ]);
    await expect(nameFields(page)).toHaveCount(4);
    await page.getByRole('button', { name: 'Bericht schreiben' }).click();
    const chosen = dialog.getByRole('combobox', { name: 'Vorlage' });
    await expect(chosen).toHaveValue('Firma (Deutsch)');
    await dialog.getByRole('button', { name: 'Ausfüllen' }).click();
    await expect(dialog).toBeHidden();
    await expect(page.getByText('aus der Vorlage «Firma», Version 2')).toBeVisible();
    const key = await page.locator('.top-bar .tabular').innerText();
    const filled = await sentFile(window, `Firma ${key}.docx`);
    const lines = textsOf(filled);
    expect(lines.filter((line) => /: (?:offen|erledigt)$/.test(line)).length).toBeGreaterThan(2);
    expect(lines.find((line) => line.startsWith('MWST'))).toMatch(/^MWST CHF\s99\.95, Fotos: 3$/);
    // The document has three photos in two rows, and the signature.
    expect(placedPicturesOf(filled)).toHaveLength(4);

    const copy = await editInWord('Firma');
    saveInOffice(copy, 'Von Hand geprüft');
    await expect(page.getByText(/^in Word gespeichert \d\d:\d\d$/)).toBeVisible();
    // The user saves the text as another document in the same folder.
    const other = withParagraph(readFileSync(copy), 'Entwurf');
    writeFileSync(copy.replace(/\.docx$/, ' Entwurf.docx'), other);
    await expect(nameFields(page)).toHaveCount(6);
    await chooseFromMenu(
      page.getByRole('button', { name: /^Mehr zu «.* Entwurf\.docx»$/ }),
      'Entfernen',
    );
    await expect(nameFields(page)).toHaveCount(5);
    if (findOffice() !== null) return;
    // Without LibreOffice, Word exports the report's PDF.
    writeFileSync(copy.replace(/docx$/, 'pdf'), await makePdf(`Gutachten ${key} Von Hand geprüft`));
    await expect(nameFields(page)).toHaveCount(6);
  },
);

test(
  `${journey}: one PDF with its annexes is delivered, fetched back and read`,
  ofWindow,
  async () => {
    test.skip(process.platform !== 'linux', 'the program is given by a script');
    const key = await page.locator('.top-bar .tabular').innerText();
    await chooseFromMenu(page.getByRole('button', { name: 'Werkzeuge' }), 'Ein PDF');
    const binding = page.getByRole('dialog');
    await expect(binding.getByRole('checkbox', { name: 'Kostenvoranschlag.pdf' })).toBeChecked();
    expect(await inspectPage(page, 'one-pdf')).toEqual([]);
    await binding.getByRole('button', { name: 'PDF erstellen' }).click();
    await expect(binding).toBeHidden();
    const bound = `Firma ${key} mit Beilagen.pdf`;
    expect((await namesOf(page))[0]).toBe(bound);
    await expect(page.getByText('1 Datei, ')).toBeVisible();

    await submitReport(page);
    const found = (await server.cases()).find((each) => each['ExternalKey'] === key);
    const submitted = async () =>
      (await server.reports(String(found?.['Id']))).find((each) => each['Status'] === 'Submitted');
    await expect.poll(submitted).toBeTruthy();
    const contents = await server.contents(String((await submitted())?.['Id']));
    expect([...contents.keys()]).toEqual([bound]);
    const { pages, bookmarks } = await lookAtPdf(Uint8Array.from(contents.get(bound) ?? []));
    const text = pages.join(' ').replaceAll(/\s+/g, ' ');
    for (const words of [key, 'Von Hand geprüft', 'Kalkulation 4711', 'Front'])
      expect(text).toContain(words);
    expect(bookmarks.map(({ title }) => title)).toEqual([
      'Bericht',
      'Beilagen',
      '1  Kostenvoranschlag.pdf',
      '2  Fotos',
    ]);
    await page.goto(addressOf(page, `cases/${String(found?.['Id'])}`));
    const reports = page.getByRole('region', { name: 'Berichte' });
    await reports.getByRole('button', { name: 'Gesendete Dateien anzeigen' }).click();
    await reports.getByRole('button', { name: bound }).click();
    const viewer = page.getByRole('region', { name: /^Dokument / });
    await expect(viewer.locator('.text-layer').first()).toContainText(`Gutachten ${key}`);
  },
);

const byOffice = `${journey}: the pages of the PDF are made by LibreOffice`;
if (findOffice() === null) test.skip(`${byOffice}: LibreOffice is not installed`, () => undefined);
