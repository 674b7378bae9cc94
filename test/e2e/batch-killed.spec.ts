import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, type Page } from '@playwright/test';
import { smokeOrLong } from '../support/long.ts';
import { makePdf } from '../support/sample-files.ts';
import { openServerView, sha256Hex } from '../support/server-view.ts';
import { deskFolder, test } from './desk-window.ts';
import { holdUploads } from './page-bytes.ts';

/** This is the journey "the drop that broke off". */

const folder = deskFolder();
const text = (value: unknown) => String(value);
const filesOf = (page: Page) =>
  page.getByRole('region', { name: 'Dateien und ihre Fälle' }).getByRole('listitem');

test('a desk that is killed while it takes a batch in shows it as it was, and sends nothing twice', async ({
  openDesk,
}) => {
  const service = await folder.start('--demo', '60', '--limits', 'x1000');
  const server = await openServerView(service.credentials);
  const due = (await server.cases())
    .filter((one) => one['Status'] === 'InProgress')
    .slice(0, smokeOrLong(6, 12));
  const evening = folder.at('abend');
  const reports = new Map<string, Buffer>();
  for (const one of due) {
    const key = text(one['ExternalKey']);
    mkdirSync(join(evening, key), { recursive: true });
    for (const name of ['Gutachten.pdf', 'Kalkulation.pdf']) {
      const content = Buffer.from(await makePdf(`${name} ${key}`));
      if (name === 'Gutachten.pdf') reports.set(text(one['Id']), content);
      writeFileSync(join(evening, key, name), content);
    }
  }
  const all = 2 * due.length;
  const drop = (page: Page) => page.locator('input[data-pick=folder]').setInputFiles(evening);

  const delivered = async (id: string) =>
    (await server.reports(id)).filter(
      (each) => each['Status'] === 'Submitted' && each['Comment'] === 'Abendrunde',
    );

  const before = await folder.open(openDesk, { lang: 'de', service });
  await before.page.getByRole('link', { name: 'Sammelversand', exact: true }).click();
  // One file after the other is added, so the first one has arrived.
  const hasStruck = await holdUploads(before.page, '/batches/', 2);
  await drop(before.page);
  await hasStruck();
  await before.kill();

  const after = await folder.open(openDesk, { lang: 'de', service });
  const { page } = after;
  await test.step('the batch stands there as it was, and says what is missing', async () => {
    await page
      .getByRole('link', {
        name: new RegExp(`^Sammelversand nicht abgeschlossen: ${text(all)} Dateien`),
      })
      .click();
    await expect(filesOf(page)).toHaveCount(all);
    await expect(page.getByText(/Datei fehlt, weil|Dateien fehlen, weil/)).toBeVisible();
    const missing = await filesOf(page).filter({ hasText: 'Noch nicht hinzugefügt.' }).count();
    expect(missing).toBeGreaterThan(0);
    expect(missing).toBeLessThan(all);
  });

  await test.step('a reload of the window changes nothing', async () => {
    await page.getByLabel('Kommentar für alle Berichte (optional)').fill('Abendrunde');
    await expect(page.getByRole('button', { name: 'Sie können schliessen' })).toBeVisible();
    await page.reload();
    await expect(filesOf(page)).toHaveCount(all);
    await expect(page.getByLabel('Kommentar für alle Berichte (optional)')).toHaveValue(
      'Abendrunde',
    );
  });

  const queue = page.getByRole('button', { name: 'Alle einreichen' });
  await test.step('the same folder again completes it, and each report arrives once', async () => {
    await drop(page);
    await expect(page.getByText(`${text(due.length)} Berichte sind bereit`)).toBeVisible();
    await expect(filesOf(page)).toHaveCount(all);
    await expect(queue).toBeEnabled();
    await queue.click();
    await expect(filesOf(page).filter({ hasText: 'Im Postausgang' })).toHaveCount(all);
    await expect.poll(() => delivered(text(due.at(-1)?.['Id']))).toHaveLength(1);
    await page.getByRole('button', { name: 'Eingereichte ausblenden' }).click();
  });

  await test.step('a third time each file is recognized, and nothing goes', async () => {
    await drop(page);
    await expect(
      filesOf(page).filter({ hasText: /schon (zugestellt|im Postausgang)/ }),
    ).toHaveCount(all);
    await expect(queue).toBeDisabled();
    await page.getByRole('button', { name: 'Sammelversand verwerfen' }).click();
    await page.getByRole('link', { name: 'Heute', exact: true }).click();
    await expect(page.getByText(/^Sammelversand nicht abgeschlossen/)).toHaveCount(0);
  });

  for (const [id, content] of reports) {
    await expect.poll(() => delivered(id)).toHaveLength(1);
    const documents = await server.documents(text((await delivered(id))[0]?.['Id']));
    expect(documents).toHaveLength(2);
    expect(documents[0]).toMatchObject({ sha256: sha256Hex(content) });
  }
  expect(after.errors()).toEqual([]);
  await after.stop();
});
