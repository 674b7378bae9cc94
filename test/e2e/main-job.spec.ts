import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from '@playwright/test';
import { makeJpeg, makePdf, writeSample } from '../support/sample-files.ts';
import { type Json, openServerView, sha256Hex } from '../support/server-view.ts';
import { deskFolder, test } from './desk-window.ts';
import { accessibilityFaults, openCase, takePicture, themeShown } from './page.ts';

const folder = deskFolder();

const isPdf = (document: Json) => document['ContentType'] === 'application/pdf';

async function findAsync<T>(items: T[], test: (item: T) => Promise<boolean>): Promise<T | null> {
  for (const item of items) if (await test(item)) return item;
  return null;
}

test('a first start shows the practice workspace with 60 cases, no questions asked', async ({
  openDesk,
}) => {
  const desk = await folder.open(openDesk, {
    lang: 'de',
    home: 'practice',
    fetchesDocuments: true,
  });
  const { page, errors } = desk;
  await page.getByRole('link', { name: 'Fälle', exact: true }).click();
  await expect(page.getByText('60 Fälle', { exact: true })).toBeVisible();
  await expect(page.getByText('Übung', { exact: true }).last()).toBeVisible();
  expect(page.url()).not.toContain('token');
  await page.getByRole('option').first().click();
  await expect(page.getByRole('heading', { name: 'Dokumente' })).toBeVisible();
  await expect(page.getByRole('button', { name: /^Öffnen: / }).first()).toBeVisible();
  await takePicture(page, 'practice');
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await themeShown(page, colorScheme);
    expect(await accessibilityFaults(page), colorScheme).toEqual([]);
  }
  await takePicture(page, 'practice-dark');
  expect(errors()).toEqual([]);
  expect(await desk.stop()).toBe(0);
});

test('the main job: read online, work offline, survive a kill, deliver', async ({ openDesk }) => {
  const filesDir = folder.at('files');
  mkdirSync(filesDir);
  const serviceArgs = ['--demo', '60', '--limits', 'x1000', '--backoffice'];
  let service = await folder.start(...serviceArgs);
  const { credentials } = service;
  const audience = credentials.audience;

  // Finds a case in progress that has at least one PDF.
  const server = await openServerView(credentials);
  const candidates = await server.cases();
  const chosen = await findAsync(
    candidates.filter((each) => each['Status'] === 'Accepted'),
    async (each) => (await server.caseDocuments(String(each['Id']))).some(isPdf),
  );
  const caseId = String(chosen?.['Id']);
  const externalKey = String(chosen?.['ExternalKey']);
  const reportsBefore = (await server.reports(caseId)).length;

  let desk = await folder.open(openDesk, { lang: 'de', service });
  let { page } = desk;
  await page.getByRole('link', { name: 'Fälle', exact: true }).click();
  await expect(page.getByText(`${candidates.length} Fälle`, { exact: true })).toBeVisible();

  await test.step('a case is opened and its PDF is read', async () => {
    await openCase(page, externalKey);
    await page
      .getByRole('button', { name: /^Öffnen: .*\.pdf/ })
      .first()
      .click();
    const viewer = page.getByRole('region', { name: /^(?:Dokument|Document) / });
    // The expected words are on the page itself, and not only in the name above it.
    await expect(viewer.locator('.text-layer').first()).toContainText(/\p{L}{4}/u);
    await takePicture(page, 'document');
    await page.keyboard.press('Escape');
    await expect(viewer).toBeHidden();
  });

  await test.step('the network goes away', async () => {
    expect(await service.stop()).toBe(0);
    await page.getByRole('button', { name: 'Jetzt synchronisieren' }).click();
    await expect(page.getByText('Offline', { exact: true })).toBeVisible();
  });

  await test.step('amounts are set', async () => {
    await page
      .getByRole('textbox', { name: /^(Kostenvoranschlag|Geforderter Betrag)/ })
      .fill("12'345.60");
    await page.getByLabel('Anerkannter Betrag').fill('10000');
    await expect(page.getByText(/2.345\.60/).first()).toBeVisible();
    await page.getByRole('button', { name: 'Beträge speichern' }).click();
    await expect(page.getByText('Wartet auf eine Verbindung').first()).toBeVisible();
  });

  const report = await makePdf('Gutachten zum Hauptauftrag');
  const photo = makeJpeg();
  await test.step('a report is put together, one document marked salvage sale', async () => {
    await page.getByRole('button', { name: 'Neuer Bericht' }).click();
    const picker = page.locator('input[type=file]');
    await picker.setInputFiles([
      writeSample(filesDir, 'Gutachten Zürich.pdf', report),
      writeSample(filesDir, 'Schaden vorne.jpg', photo),
    ]);
    await expect(page.getByRole('textbox', { name: 'Dateiname 2' })).toHaveValue(
      'Schaden vorne.jpg',
    );
    await page.getByLabel('Restwert').nth(1).check();
    await page
      .getByRole('textbox', { name: 'Kommentar zum Bericht' })
      .fill('Fahrzeug auf der Hebebühne geprüft');
    await takePicture(page, 'report');
    await page.getByRole('button', { name: 'Bericht einreichen' }).click();
    await page.getByRole('link', { name: 'Postausgang' }).first().click();
    await expect(page.getByText('Wartet auf eine Verbindung').first()).toBeVisible();
    await takePicture(page, 'queue');
  });

  await test.step('the desk is killed and started again: everything is still there', async () => {
    await desk.kill();
    desk = await folder.open(openDesk, { lang: 'de', service });
    ({ page } = desk);
    await page.getByRole('link', { name: 'Fälle', exact: true }).click();
    await expect(page.getByText(`${candidates.length} Fälle`, { exact: true })).toBeVisible();
    await openCase(page, externalKey);
    await expect(
      page.getByRole('textbox', { name: /^(Kostenvoranschlag|Geforderter Betrag)/ }),
    ).toHaveValue(/12.345\.60/);
    await expect(page.getByLabel('Anerkannter Betrag')).toHaveValue(/10.000\.00/);
    await page.getByRole('link', { name: 'Postausgang' }).first().click();
    await expect(page.getByText('Beträge', { exact: true })).toBeVisible();
    await expect(page.getByText('Bericht', { exact: true })).toBeVisible();
    await expect(page.getByRole('article').getByText(/^Zugestellt \d/)).toHaveCount(0);
  });

  await test.step('the network is back: the queue empties', async () => {
    service = await folder.start(...serviceArgs);
    await page.getByRole('button', { name: 'Jetzt synchronisieren' }).click();
    await page.getByText('Nichts zu senden').waitFor();
    await expect(
      page
        .getByRole('article')
        .getByText(/^Zugestellt \d/)
        .first(),
    ).toBeVisible();
    await takePicture(page, 'delivered');
  });

  await test.step('another client reads amounts and documents back', async () => {
    const view = await openServerView({ ...credentials, audience });
    expect(await view.case(caseId)).toMatchObject({
      CostEstimateAmount: 12345.6,
      ApprovedAmount: 10000,
      SavingsAmount: 2345.6,
      Status: 'ExpertCompleted',
    });
    const reports = await view.reports(caseId);
    expect(reports).toHaveLength(reportsBefore + 1);
    const [submitted] = reports.filter((each) => each['Status'] === 'Submitted');
    expect(submitted).toMatchObject({ Comment: 'Fahrzeug auf der Hebebühne geprüft' });
    const documents = await view.documents(String(submitted?.['Id']));
    expect(documents).toMatchObject([
      {
        fileName: 'Gutachten Zürich.pdf',
        contentType: 'application/pdf',
        isSalvageSale: false,
        sha256: sha256Hex(readFileSync(join(filesDir, 'Gutachten Zürich.pdf'))),
      },
      {
        fileName: 'Schaden vorne.jpg',
        contentType: 'image/jpeg',
        isSalvageSale: true,
        sha256: sha256Hex(photo),
      },
    ]);
  });
});
