import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, type Page } from '@playwright/test';
import { loadWindowTexts, words } from '#shared/i18n/catalogue.ts';
import { type Language, languages } from '#shared/i18n/language.ts';
import { maxPictureBytes, picturedSections } from '../support/help-pictures.ts';
import { smokeOrLong } from '../support/long.ts';
import { root } from '../support/processes.ts';
import { makePdf } from '../support/sample-files.ts';
import { deskFolder, test } from './desk-window.ts';
import { addressOf, overflowsSideways, setTheme } from './page.ts';

/**
 * The first day in the practice workspace of a language, as the help shows it.
 * `DESK_PICTURES=docs/images npm run test:long -- e2e help-pictures` takes its pictures again.
 */

const photos = join(import.meta.dirname, '../../main/service/practice/fixtures');

for (const lang of smokeOrLong<readonly Language[]>(['fr'], languages))
  test.describe(lang, () => {
    const folder = deskFolder();
    test(`the first day in ${lang} is shown by the pictures of the help`, async ({ openDesk }) => {
      const texts = await loadWindowTexts[lang]();
      const { page, errors } = await folder.open(openDesk, { lang, locale: `${lang}-CH` });
      await page.setViewportSize({ width: 1024, height: 640 });
      const taken: string[] = [];
      const take = async (section: string) => {
        expect(await overflowsSideways(page), section).toBe(false);
        await takeForHelp(page, lang, section);
        taken.push(section);
      };
      const button = (name: string) => page.getByRole('button', { name });
      const title = (name: string) => page.getByRole('heading', { level: 1, name });

      const opens = new RegExp(`^${texts.documents.open}`);

      await page.goto(addressOf(page, 'today'));
      await expect(title(texts.nav.today)).toBeVisible();
      await take('road-before');
      await page.goto(addressOf(page, 'practice'));
      await expect(page.getByRole('row').nth(5)).toBeVisible();
      await take('practice');
      await page.goto(addressOf(page, 'insights'));
      await expect(page.getByRole('main').getByRole('row').nth(1)).toBeVisible();
      await take('figures');
      await page.goto(addressOf(page, 'settings/connection'));
      await button(texts.settings.newConnection).click();
      await expect(page.getByRole('dialog', { name: texts.wizard.title })).toBeVisible();
      await take('office-start');
      await page.keyboard.press('Escape');

      await page.goto(addressOf(page, 'cases?status=InProgress'));
      const rows = page.getByRole('option');
      await expect(rows.nth(4)).toContainText(words[lang].caseStatus.InProgress);
      const titles = await rows.locator('.what').all();
      const keys = await Promise.all(titles.map((one) => one.getAttribute('title')));
      expect(keys.length).toBeGreaterThan(4);
      await rows.first().click();
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
      // Documents that arrive move everything below them, even during a click.
      await expect(page.getByRole('button', { name: opens }).first()).toBeVisible();
      await take('road-visit');
      await button(texts.reports.new).click();
      await expect(title(texts.report.title)).toBeVisible();
      const report = folder.at(`${texts.nav.reports}.pdf`);
      writeFileSync(report, await makePdf(texts.nav.reports));
      const pictures = ['car-1.jpg', 'car-2.jpg', 'house.jpg'].map((name) => join(photos, name));
      await page.locator('input[type=file][multiple]').setInputFiles([report, ...pictures]);
      await expect(page.getByRole('button', { name: /house\.jpg/ }).first()).toBeAttached();
      // A thumbnail is drawn once it comes into view.
      await expect(page.getByRole('listitem').locator('img').nth(1)).toBeVisible();
      await take('road-report');
      await page.goto(addressOf(page, 'close'));
      await expect(title(texts.nav.close)).toBeVisible();
      await take('road-after');

      await page.goto(addressOf(page, 'cases'));
      await button(texts.table.asTable).click();
      await expect(page.getByRole('columnheader').first()).toBeVisible();
      await take('office-find');
      const evening = folder.at('evening');
      for (const externalKey of keys.slice(1, 5)) {
        mkdirSync(join(evening, externalKey ?? ''), { recursive: true });
        writeFileSync(join(evening, externalKey ?? '', 'report.pdf'), await makePdf('Report'));
      }
      await page.goto(addressOf(page, 'batch'));
      await page.locator('input[data-pick=folder]').setInputFiles(evening);
      await expect(button(texts.batch.queueAll)).toBeEnabled();
      await take('office-batch');
      await button(texts.batch.queueAll).click();
      await page.goto(addressOf(page, 'queue'));
      const delivered = page.getByRole('region', {
        name: new RegExp(`^${texts.queue.parts.delivered}`),
      });
      await expect(delivered.getByRole('article')).toHaveCount(4);
      await button(texts.queue.showSteps).first().click();
      await button(texts.queue.proof).first().click();
      await page.getByRole('group', { name: texts.queue.proof }).first().scrollIntoViewIfNeeded();
      await take('office-proof');
      expect(taken.sort()).toEqual([...picturedSections].sort());
      expect(errors()).toEqual([]);
    });
  });

/** Stores a picture of each theme if DESK_PICTURES names a folder. */
async function takeForHelp(page: Page, lang: Language, section: string): Promise<void> {
  const folder = process.env['DESK_PICTURES'];
  if (folder === undefined) return;
  const target = join(root, folder, 'help', lang);
  mkdirSync(target, { recursive: true });
  // A colour in transition between the themes would stay in the picture.
  await page.emulateMedia({ reducedMotion: 'reduce' });
  const session = await page.context().newCDPSession(page);
  for (const theme of ['light', 'dark'] as const) {
    await setTheme(page, theme);
    const answer = await session.send('Page.captureScreenshot', { format: 'webp', quality: 70 });
    const picture = Buffer.from(answer.data, 'base64');
    expect(picture.length, `${lang} ${section}`).toBeLessThan(maxPictureBytes);
    writeFileSync(join(target, `${section}${theme === 'dark' ? '-dark' : ''}.webp`), picture);
  }
  await session.detach();
}
