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
import { makeJpeg, makePdf, writeSample } from '../support/sample-files.ts';
import { makeDocx, paragraph, picturesOf, table, textsOf } from '../support/word-documents.ts';
import { openPracticeDesk, test } from './desk-window.ts';
import { addressOf, inspectPage, newReport, overflowsSideways } from './page.ts';
import { nameFields, namesOf, sentFile } from './report-photos.ts';

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

const desk = openPracticeDesk();
const filesDir = join(desk.folderPath, 'templates');
let page: Page;
test.beforeAll(() => {
  mkdirSync(filesDir);
  page = desk.page();
});
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
  expect(await desk.window().clipboard()).toBe('{vehicle.plate}');
});

test('a report is written from it, and names before what stays empty', async () => {
  await newReport(page, 0);
  await page
    .locator('input[type=file][multiple]')
    .setInputFiles([writeSample(filesDir, 'Front.jpg', makeJpeg())]);
  await expect(nameFields(page)).toHaveCount(1);
  const key = await page.locator('.top-bar .tabular').innerText();
  await page.getByRole('button', { name: 'Bericht schreiben' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByRole('combobox', { name: 'Vorlage' })).toHaveValue(
    'Unser Gutachten (Deutsch)',
  );
  await expect(dialog).toContainText('1 Feld bleibt leer');
  await expect(dialog).toContainText('Fotos: Legende (1-mal)');
  await dialog.getByText('Alle Felder').click();
  await expect(dialog.getByText(`Wert im Fall ${key}`).first()).toBeVisible();
  await expect(dialog.getByRole('button', { name: /^\{case\.key\}/ })).toContainText(key);
  expect(await inspectPage(page, 'write-report')).toEqual([]);
  await dialog.getByRole('button', { name: 'Ausfüllen' }).click();
  await expect(dialog).toBeHidden();
  await expect(nameFields(page)).toHaveCount(2);
  const name = `Unser Gutachten ${key}.docx`;
  expect(await namesOf(page)).toEqual([name, 'Front.jpg']);
  await expect(page.getByText('aus der Vorlage «Unser Gutachten»')).toBeVisible();
  expect(await inspectPage(page, 'written-report')).toEqual([]);
  const bytes = await sentFile(desk.window(), name);
  expect(textsOf(bytes)[0]).toMatch(new RegExp(`^Gutachten ${key} für .+, Ada Muster$`));
  expect(picturesOf(bytes)).toHaveLength(1);
});

test('it is changed and saved in another program, and each time taken back', async ({ shell }) => {
  test.skip(shell === 'electron' || process.platform !== 'linux', 'a program would open');
  const opener = join(programs, 'xdg-open');
  const taken = join(desk.folderPath, 'taken');
  writeFileSync(opener, `#!/bin/sh\nprintf %s "$1" > '${taken}'\n`, { mode: 0o755 });
  await page.getByRole('button', { name: /^In Word bearbeiten: Unser Gutachten/ }).click();
  await expect.poll(() => existsSync(taken) && readFileSync(taken, 'utf8')).toMatch(/\.docx$/);
  const copy = readFileSync(taken, 'utf8');
  expect(statSync(copy).mode & 0o777).toBe(0o600);
  saveInOffice(copy);
  await expect(page.getByText(/^in Word gespeichert \d\d:\d\d$/)).toBeVisible({ timeout: 30_000 });
  const bytes = await sentFile(desk.window(), basename(copy));
  expect(bytes.equals(readFileSync(copy))).toBe(true);
  expect(textsOf(bytes).join(' ')).toContain('Ada Muster');
  // Exported next to it.
  writeFileSync(copy.replace(/docx$/, 'pdf'), await exportedPdf(copy));
  await expect(nameFields(page)).toHaveCount(3, { timeout: 30_000 });
  await expect(page.getByText('Wird nicht gesendet')).toBeVisible();
  await expect(page.getByText('2 Dateien, ')).toBeVisible();
  // The document is newer than its PDF.
  writeFileSync(copy, makeDocx(paragraph('Von Hand ergänzt')));
  await expect(page.getByText('Das PDF ist älter als das Word-Dokument.')).toBeVisible({
    timeout: 30_000,
  });
  expect(await inspectPage(page, 'report-in-word')).toEqual([]);
  await page.getByRole('button', { name: /^Entfernen: Unser Gutachten .*\.pdf$/ }).click();
  await expect(nameFields(page)).toHaveCount(2);
  await page.getByRole('checkbox', { name: /^Senden: Unser Gutachten/ }).check();
});

/** LibreOffice reads and writes the document; without it another program is in its place. */
function saveInOffice(copy: string): void {
  const office = findOffice();
  if (office === null) {
    writeFileSync(copy, makeDocx(paragraph('Ada Muster')));
    return;
  }
  convert(office, copy, 'docx');
  cpSync(join(filesDir, basename(copy)), copy);
}
async function exportedPdf(copy: string): Promise<Buffer> {
  const office = findOffice();
  if (office === null) return await makePdf('Gutachten');
  convert(office, copy, 'pdf');
  return readFileSync(join(filesDir, basename(copy).replace(/docx$/, 'pdf')));
}
function convert(office: string, copy: string, to: 'docx' | 'pdf'): void {
  const profile = `-env:UserInstallation=file://${join(desk.folderPath, 'office')}`;
  execFileSync(office, [profile, '--headless', '--convert-to', to, '--outdir', filesDir, copy]);
}

test('filled again it takes its own place, and shows what is not sent', async () => {
  await page.getByRole('button', { name: 'Bericht schreiben' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByText('wird neu ausgefüllt')).toBeVisible();
  await dialog.getByRole('button', { name: 'Ausfüllen' }).click();
  await expect(dialog).toBeHidden();
  await expect(nameFields(page)).toHaveCount(2);
  await page.getByRole('checkbox', { name: /^Senden: Unser Gutachten/ }).uncheck();
  await expect(page.getByText('Wird nicht gesendet')).toBeVisible();
  await expect(page.getByText('1 Datei, ')).toBeVisible();
});
