import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, type Page } from '@playwright/test';
import { z } from 'zod';
import { formatDay } from '#shared/i18n/format.ts';
import { zurichDay } from '#shared/lib/zurich-day.ts';
import { makeJpeg, makePdf, stringsOfPdf } from '../support/sample-files.ts';
import { openServerView } from '../support/server-view.ts';
import { deskFolder, test } from './desk-window.ts';
import { addressOf, openCase, submitReport } from './page.ts';

/** Counts the clicks of the usual work, so that a change of a page does not add any. */

const folder = deskFolder();
const text = (value: unknown) => String(value);

/** Counts the clicks of the user within an act. */
async function clicksOf(page: Page, act: () => Promise<void>): Promise<number> {
  // The script is text, because tests are checked without the browser's types.
  await page.evaluate(`window.clicked = 0; if (!window.countsClicks) {
    window.countsClicks = true;
    addEventListener('click', (event) => { if (event.isTrusted && event.detail > 0) window.clicked += 1; }, true);
  }`);
  await act();
  return z.number().parse(await page.evaluate('window.clicked'));
}

/** Chooses files in the system's dialog, which an act opens. */
async function choose(page: Page, act: () => Promise<void>, paths: string | string[]) {
  const choosing = page.waitForEvent('filechooser');
  await act();
  await (await choosing).setFiles(paths);
}

test('a case, its amounts, comment, report, revision and proof, a day and a batch take few clicks', async ({
  openDesk,
}) => {
  const service = await folder.start('--demo', '40', '--limits', 'x1000', '--backoffice');
  const server = await openServerView(service.credentials);
  const inWork = (await server.cases()).filter((one) => one['Status'] === 'InProgress');
  const [first, second] = inWork.map((one) => text(one['ExternalKey']));
  const caseId = text(inWork[0]?.['Id']);
  if (!first || !second) throw new Error('the practice claims have too few in work');
  const photos = [1, 2].map((n) => folder.at(`Foto ${text(n)}.jpg`));
  for (const path of photos) writeFileSync(path, makeJpeg());
  const pdf = folder.at('Gutachten.pdf');
  writeFileSync(pdf, await makePdf('Gutachten'));
  const evening = folder.at('abend');
  mkdirSync(join(evening, second), { recursive: true });
  writeFileSync(join(evening, second, 'Gutachten.pdf'), await makePdf('Zweites Gutachten'));
  const desk = await folder.open(openDesk, { lang: 'de', service });
  const { page } = desk;
  const button = (name: string | RegExp) => page.getByRole('button', { name });
  const link = (name: string) => page.getByRole('link', { name, exact: true });
  const clicks = (act: () => Promise<void>) => clicksOf(page, act);
  const submitted = async () =>
    (await server.reports(caseId)).filter((one) => one['Status'] === 'Submitted');

  await page.goto(addressOf(page, 'today'));
  const visit = page.locator('a.who').first();
  await expect(visit).toBeVisible();
  // The times of visits take four digits and one key each, and no click after the first.
  const overdue = page.getByRole('region', { name: /^Überfällige Besichtigungen/ });
  const times = overdue.getByRole('textbox', { name: /^Uhrzeit/ });
  await expect(times.nth(2)).toBeVisible();
  const ofTimes = await clicks(async () => {
    await times.first().click();
    for (const time of ['0815', '0930', '1045']) {
      await page.keyboard.type(time);
      await page.keyboard.press('Tab');
    }
  });
  expect(ofTimes).toBe(1);
  for (const [at, time] of ['08:15', '09:30', '10:45'].entries())
    await expect(times.nth(at)).toHaveValue(time);
  await page.reload();
  await expect(times.nth(2)).toHaveValue('10:45');
  // What is said of a wrong time moves nothing, so that the click that leaves the field hits.
  // What stands above the rows may still be growing, so the height of the row is measured.
  const row = overdue.getByRole('listitem').first();
  const height = async () => (await row.boundingBox())?.height;
  const before = await height();
  await times.first().fill('99');
  await times.nth(1).click();
  await expect(overdue.getByRole('alert')).toBeVisible();
  expect(await height()).toBe(before);
  await times.first().fill('0815');
  expect(await clicks(() => visit.click())).toBe(1);
  await expect(page.getByRole('region', { name: 'Beträge' })).toBeVisible();

  await openCase(page, first);
  const amounts = page.getByRole('region', { name: 'Beträge' });
  const ofAmounts = await clicks(async () => {
    await amounts.getByLabel('Kostenvoranschlag').click();
    await page.keyboard.press('Control+A');
    await page.keyboard.type('8200');
    await amounts.getByLabel('Anerkannter Betrag').focus();
    await page.keyboard.press('Control+A');
    await page.keyboard.type('7900');
    await page.keyboard.press('Enter');
    await expect(amounts.getByText(/^Zugestellt/)).toBeVisible();
  });
  expect(ofAmounts).toBe(1);

  const comment = page.getByRole('region', { name: 'Kommentar an den Versicherer' });
  const ofComment = await clicks(async () => {
    await comment.getByRole('textbox').click();
    await page.keyboard.type('Achse verzogen');
    await button('Kommentar speichern').click();
    await expect(comment.getByText(/^Zugestellt/)).toBeVisible();
  });
  expect(ofComment).toBe(2);

  const ofReport = await clicks(async () => {
    await button('Neuer Bericht').click();
    await choose(page, () => button('Dateien wählen').click(), [pdf, ...photos]);
    await expect(page.getByRole('textbox', { name: 'Dateiname 3' })).toBeVisible();
    await expect(button('Bericht einreichen')).toBeEnabled();
    await submitReport(page);
  });
  expect(ofReport).toBe(3);
  await expect.poll(async () => (await submitted()).length).toBe(1);

  const [report] = await submitted();
  await server.backoffice('POST', `/_backoffice/reports/${text(report?.['Id'])}/return`, {});
  await button('Jetzt synchronisieren').click();
  await openCase(page, first);
  const revise = button('Bericht überarbeiten');
  await expect(revise).toBeVisible();
  const ofRevision = await clicks(async () => {
    await revise.click();
    const replace = button('Durch eine andere Datei ersetzen: Gutachten.pdf');
    await choose(page, () => replace.click(), pdf);
    await expect(button('Bericht einreichen')).toBeEnabled();
    await submitReport(page);
  });
  expect(ofRevision).toBe(3);
  await expect.poll(async () => (await submitted()).length).toBe(1);

  await page.goto(addressOf(page, 'today'));
  let proof = '';
  const ofProof = await clicks(async () => {
    await page
      .getByRole('navigation')
      .getByRole('link', { name: /^Postausgang/ })
      .click();
    proof = (await desk.saved(() => button(`Nachweis als PDF ${first}`).click())).path;
  });
  const insurer = z.object({ Name: z.string() }).parse(inWork[0]?.['Insurer']).Name;
  const printed = (await stringsOfPdf(readFileSync(proof))).flat().join(' ');
  expect(printed).toContain(`Versicherer: ${insurer}`);
  expect(ofProof).toBe(2);

  await page.goto(addressOf(page, 'today'));
  const ofDay = await clicks(async () => {
    await page
      .getByRole('navigation')
      .getByRole('link', { name: /^Postausgang/ })
      .click();
    await page.getByRole('textbox', { name: 'Zugestellt am' }).click();
    await page.keyboard.type(formatDay(zurichDay(Date.now())));
    const delivered = page.getByRole('region', { name: /^Zugestellt/ });
    await expect(delivered.getByRole('article')).toHaveCount(4);
  });
  expect(ofDay).toBe(2);

  await page.goto(addressOf(page, 'today'));
  const ofBatch = await clicks(async () => {
    await link('Sammelversand').click();
    await choose(page, () => button('Ordner wählen').click(), evening);
    await expect(button('Alle einreichen')).toBeEnabled();
    await button('Alle einreichen').click();
  });
  expect(ofBatch).toBe(3);
  const secondId = text(inWork[1]?.['Id']);
  const ofSecond = async () =>
    (await server.reports(secondId)).map((one) => one['Status']).includes('Submitted');
  await expect.poll(ofSecond).toBe(true);
  expect(desk.errors()).toEqual([]);
});
