import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from '@playwright/test';
import { z } from 'zod';
import { formatDay } from '#shared/i18n/format.ts';
import { zurichDay } from '#shared/lib/zurich-day.ts';
import { patienceMs, smokeOrLong } from '../support/long.ts';
import { stringsOfPdf, makeJpeg, makePdf } from '../support/sample-files.ts';
import { type Json, openServerView, sha256Hex } from '../support/server-view.ts';
import { deskFolder, test } from './desk-window.ts';
import {
  accessibilityFaults,
  addressOf,
  chooseFromMenu,
  inspectPage,
  takePicture,
} from './page.ts';

/**
 * These are the journeys "16:30 in the back office", "the insurer's question" and "a year later".
 */
const folder = deskFolder();

const text = (value: unknown) => String(value);
/** This template is one of those that come with the desk. */
const template = 'Fahrzeuggutachten';
const personSchema = z.object({ name: z.string() });
const partiesSchema = z.object({ insured: personSchema, counterparty: personSchema.optional() });

test('a folder of reports is matched, corrected, delivered and proven; later its old cases are removed', async ({
  openDesk,
}) => {
  // The long form uses the published limits, for which the page shows a finish time.
  const limits = smokeOrLong(['--limits', 'x1000'], []);
  const demo = text(smokeOrLong(100, 2000));
  let service = await folder.start('--demo', demo, ...limits);
  const server = await openServerView(service.credentials);
  const cases = await server.cases();
  const changedAt = (one: Json) => text(one['LastChangedAt']);
  const inStatus = (status: string) =>
    cases
      // The template is one for vehicles, and fills no report of another category.
      .filter((one) => one['Status'] === status && one['Category'] === 'vehicle')
      .sort((a, b) => changedAt(a).localeCompare(changedAt(b)));
  const inProgress = inStatus('InProgress');
  const due = inProgress.slice(0, smokeOrLong(5, 40));
  // No file belongs to this case. Only the sheet names it.
  const alone = inProgress.at(-1);
  const [odd] = inStatus('Accepted');
  const [closed] = inStatus('Final');
  if (!odd || !closed || !alone || due.includes(alone))
    throw new Error('the practice claims have too few cases of a status');
  const partyOf = (one: typeof odd) => {
    const { insured, counterparty } = partiesSchema.parse(JSON.parse(text(one['PayloadJson'])));
    return new RegExp([insured.name, counterparty?.name ?? insured.name].join('|'));
  };
  const photo = makeJpeg();
  const report = Buffer.from(await makePdf('Gutachten'));
  const evening = folder.at('abend');
  for (const one of due) {
    const own = join(evening, text(one['ExternalKey']));
    mkdirSync(own, { recursive: true });
    writeFileSync(join(own, 'Gutachten.pdf'), report);
    writeFileSync(join(own, 'Restwert.jpg'), photo);
    writeFileSync(join(own, 'Thumbs.db'), 'of the system');
  }
  writeFileSync(join(evening, 'ohne Nummer.pdf'), await makePdf('Nachtrag'));
  writeFileSync(join(evening, `Gutachten ${text(closed['ExternalKey'])}.pdf`), report);
  const sheet = folder.at('Beträge.csv');
  const firstKey = text(due[0]?.['ExternalKey']);
  const aloneKey = text(alone['ExternalKey']);
  writeFileSync(
    sheet,
    `Schadennummer;Kostenvoranschlag;Freigegeben\r\n${firstKey};7'963.50;6000\r\n${aloneKey};;4321\r\n`,
  );

  const desk = await folder.open(openDesk, { lang: 'de', service });
  const { page } = desk;
  const link = (name: string) => page.getByRole('link', { name, exact: true });
  await link('Sammelversand').click();
  const files = page.getByRole('region', { name: 'Dateien und ihre Fälle' });
  const rows = files.getByRole('listitem');
  const rowOf = (name: string) => rows.filter({ hasText: name });
  const partOf = (one: Json) =>
    files.getByRole('region', { name: new RegExp(text(one['ExternalKey'])) });

  await test.step('problems stand first, each match has its party, system files are left out', async () => {
    await page.locator('input[data-pick=folder]').setInputFiles(evening);
    await expect(rows).toHaveCount(2 * due.length + 2);
    await expect(page.getByText(`${due.length} Systemdateien weggelassen.`)).toBeVisible();
    await expect(rows.nth(0)).toContainText('ohne Nummer');
    await expect(rows.nth(1)).toContainText(`Gutachten ${text(closed['ExternalKey'])}`);
    await expect(partOf(closed)).toContainText('«Abgeschlossen»');
    await expect(partOf(closed).getByRole('listitem')).toHaveCount(1);
    for (const one of due) {
      await expect(partOf(one).getByRole('heading')).toHaveText(partyOf(one));
      await expect(partOf(one).getByText('Bereit', { exact: true })).toBeVisible();
      await expect(partOf(one).getByRole('listitem')).toHaveCount(2);
    }
    await expect(page.getByLabel(`Restwert: abend/${firstKey}/Restwert.jpg`)).toBeChecked();
    expect(await inspectPage(page, 'batch')).toEqual([]);
    await expect(page.getByText('2 Dateien werden noch nicht eingereicht.')).toBeVisible();
    await expect(page.getByRole('button', { name: 'Alle einreichen' })).toBeInViewport();
    await page.getByRole('checkbox', { name: 'Nur nicht eingereichte (2)' }).check();
    await expect(rows).toHaveCount(2);
  });

  await test.step('a file is looked at, its case is found by a name, and the closed one goes', async () => {
    await page.getByRole('button', { name: /^Ansehen: .*ohne Nummer\.pdf$/ }).click();
    await expect(page.getByRole('dialog').locator('.text-layer')).toContainText('Nachtrag');
    await page.keyboard.press('Escape');
    await page
      .getByLabel(/^Schadenfall: .*ohne Nummer\.pdf$/)
      .pressSequentially(partyOf(odd).source.split('|')[0] ?? '');
    await page.getByRole('button', { name: text(odd['ExternalKey']) }).click();
    await expect(rowOf('ohne Nummer.pdf')).toContainText(partyOf(odd));
    await chooseFromMenu(
      page.getByRole('button', { name: new RegExp(`^Mehr zu .*${text(closed['ExternalKey'])}`) }),
      'Entfernen',
    );
    const filter = page.getByRole('checkbox', { name: 'Nur nicht eingereichte (0)' });
    await filter.click();
    await expect(filter).toBeHidden();
  });

  await test.step('amounts come from a sheet, one comment for all, and neither is lost', async () => {
    await page.locator('input[data-pick=sheet]').setInputFiles(sheet);
    await expect(
      page.getByText('Gelesene Zeilen: 2; mit Änderungen: 2, ohne Änderung: 0'),
    ).toBeVisible();
    const comment = page.getByLabel('Kommentar für alle Berichte (optional)');
    await comment.fill('Abendrunde');
    await link('Heute').click();
    await link('Sammelversand').click();
    await expect(comment).toHaveValue('Abendrunde');
    await expect(rows).toHaveCount(2 * due.length + 1);
  });

  const finishTime = /Voraussichtlich zugestellt: (.+)/;
  await test.step('all is queued with one click, and arrives once, as the page said', async () => {
    await expect(page.getByText(finishTime)).toBeVisible();
    await page.getByRole('combobox', { name: 'Vorlage für jeden Fall' }).press('Enter');
    const menu = page.locator('.v-overlay--active');
    await menu.getByRole('option', { name: `${template} (Deutsch)` }).click();
    await expect(menu).toHaveCount(0);
    await expect(page.getByText('Auch jeder Fall, der nur in der Tabelle steht')).toBeVisible();
    await expect(page.getByRole('button', { name: 'Sie können schliessen' })).toBeVisible();
    await page.reload();
    await expect(page.getByText(`${template} (Deutsch)`)).toBeVisible();
    await expect(page.getByText(finishTime)).toBeHidden();
    expect(await inspectPage(page, 'batch-template')).toEqual([]);
    await page.getByRole('button', { name: 'Alle einreichen' }).click();
    // The link's name ends with the count of waiting entries while there are any.
    await page
      .getByRole('navigation')
      .getByRole('link', { name: /^Postausgang/ })
      .click();
    await expect(page.getByRole('article').getByText(/^Zugestellt \d/)).toHaveCount(
      due.length + 4,
      {
        timeout: smokeOrLong(patienceMs, 1_500_000),
      },
    );
    // The delivery has used up the limits, so the reads below need a service with higher ones.
    if (smokeOrLong(false, true)) {
      await service.stop();
      const args = ['--limits', 'x1000'];
      service = await folder.start(...args);
    }
    for (const one of [...due, odd]) {
      const id = text(one['Id']);
      const submitted = (await server.reports(id)).filter((each) => each['Status'] === 'Submitted');
      expect(submitted).toMatchObject([{ Comment: 'Abendrunde' }]);
      const documents = await server.documents(text(submitted[0]?.['Id']));
      expect(documents).toHaveLength(one === odd ? 2 : 3);
      if (one === odd) continue;
      expect(documents).toMatchObject([
        { fileName: `${template} ${text(one['ExternalKey'])}.docx` },
        { fileName: 'Gutachten.pdf', isSalvageSale: false, sha256: sha256Hex(report) },
        { fileName: 'Restwert.jpg', isSalvageSale: true, sha256: sha256Hex(photo) },
      ]);
    }
    // Only the sheet names this case, so its report has the filled template alone.
    const [ofAlone] = (await server.reports(text(alone['Id']))).filter(
      (each) => each['Status'] === 'Submitted' && each['Comment'] === 'Abendrunde',
    );
    expect(await server.documents(text(ofAlone?.['Id']))).toMatchObject([
      { fileName: `${template} ${aloneKey}.docx` },
    ]);
    expect(await server.case(text(due[0]?.['Id']))).toMatchObject({
      CostEstimateAmount: 7963.5,
      ApprovedAmount: 6000,
    });
  });

  await test.step('what was delivered on a day is found by its date', async () => {
    // The outbox is already open, so the date takes at most two more clicks.
    const delivered = page.getByRole('region', { name: /^Zugestellt/ });
    const day = page.getByRole('textbox', { name: 'Zugestellt am' });
    await day.fill('12.11.2020');
    await expect(page.getByText(/^Am 12\.11\.2020 wurde .* nichts zugestellt/)).toBeVisible();
    await expect(delivered.getByRole('article')).toHaveCount(0);
    await day.fill(formatDay(zurichDay(Date.now())));
    await expect(delivered.getByRole('article')).toHaveCount(due.length + 4);
    expect(await accessibilityFaults(page)).toEqual([]);
    await takePicture(page, 'queue-day');
    await day.fill('');
  });

  await test.step('one case is proven to the insurer as a PDF in the office’s time', async () => {
    const save = page.getByRole('button', { name: `Nachweis als PDF ${firstKey}` });
    const saved = await desk.saved(() => save.click());
    expect(saved.name).toBe(`Zustellnachweis ${firstKey}.pdf`);
    const proof = (await stringsOfPdf(readFileSync(saved.path))).flat().join(' ');
    for (const part of [firstKey, '7’963.50', 'Abendrunde', 'Gutachten.pdf', sha256Hex(photo)])
      expect(proof.replaceAll(' ', '')).toContain(part.replaceAll(' ', ''));
    expect(proof).toContain('Zürich');
  });

  await test.step('cases that ended long ago leave the laptop, and an audit says so', async () => {
    const old = folder.at('home', 'audit.log');
    await page.goto(addressOf(page, 'settings/storage'));
    const days = page.getByLabel('Abgeschlossene Fälle aufbewahren (Tage)');
    await days.fill('20');
    await days.press('Enter');
    const here = page.getByRole('contentinfo').getByText(/Fälle auf diesem Gerät$/);
    await expect(here).not.toHaveText(new RegExp(`^${text(cases.length)} `));
    expect(readFileSync(old, 'utf8')).toContain('cases-removed');
    expect(readFileSync(old, 'utf8')).not.toContain(text(closed['ExternalKey']));
    await link('Fälle').click();
    await page.getByRole('searchbox').first().fill(text(closed['ExternalKey']));
    await expect(page.getByText('Kein Fall')).toBeVisible();
  });
  expect(desk.errors()).toEqual([]);
});
