import { mkdirSync, writeFileSync } from 'node:fs';
import { expect } from '@playwright/test';
import { z } from 'zod';
import { ledgerSchema } from '#shared/desk/delivery/ledger.ts';
import { zurichDay, zurichMidnight } from '#shared/lib/zurich-day.ts';
import { runDesk } from '../support/processes.ts';
import { setClock } from '../support/set-clock.mjs';
import {
  connectExpert,
  deskFolder,
  type DeskWindow,
  keepNoDocuments,
  test,
} from './desk-window.ts';
import { addressOf, inspectPage, outOfSight, overflowsSideways, takePicture } from './page.ts';

/**
 * This is the journey "close of the day": twelve reports, a comment, and visits, by keyboard alone.
 */

const folder = deskFolder();
const minutePdf = '%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\ntrailer<</Root 1 0 R>>\n';

/**
 * Returns where the overdue visits begin on Today at an hour of the window's clock, in three widths.
 * @param links the number of links to the close of the day that the page then has
 */
async function placesOnToday(desk: DeskWindow, hour: number, links: number) {
  const page = await desk.openAnother();
  await page.addInitScript(setClock, atHour(hour) - Date.now());
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.goto(addressOf(page, 'today'));
  const places = [];
  for (const width of [1440, 1024, 720]) {
    await page.setViewportSize({ width, height: 900 });
    await page.reload();
    const overdue = page.locator('#today-overdue');
    await expect(overdue).toBeVisible();
    // What the check knows and the next decisions of the visits are read on their own.
    await expect(page.locator('.verdict strong')).not.toBeEmpty();
    await expect(page.locator('section', { has: overdue }).locator('.said').first()).toBeVisible();
    // The counts and this link come with the state of the sync.
    await expect(page.getByRole('button', { name: /Reports, not submitted$/ })).toBeVisible();
    await expect(
      page.getByRole('main').getByRole('link', { name: /^Close of the day/ }),
    ).toHaveCount(links);
    places.push({ width, top: (await overdue.boundingBox())?.y });
  }
  await page.close();
  return places;
}

const atHour = (hour: number) => zurichMidnight(zurichDay(Date.now())) + hour * 60 * 60_000;

test('everything unfinished is on one page, and ends in what was seen at the insurer', async ({
  openDesk,
}) => {
  const service = await folder.start('--demo', '60', '--limits', 'x1000');
  const home = folder.at('home');
  // A document that arrives during the comparison changes what Today says.
  keepNoDocuments(home);
  await connectExpert(home, service);
  await runDesk(home, 'sync');
  const listed = z.object({
    items: z.array(z.object({ id: z.string(), externalKey: z.string() })),
  });
  const cases = (await runDesk(home, 'cases', '--status', 'InProgress')).json(listed).items;
  const accepted = (await runDesk(home, 'cases', '--status', 'Accepted')).json(listed).items;
  const chosen = [...cases, ...accepted].slice(0, 12);
  const dropped = folder.at('reports');
  mkdirSync(dropped, { recursive: true });
  for (const { externalKey } of chosen)
    writeFileSync(`${dropped}/${externalKey} report.txt`, `report on ${externalKey} ${minutePdf}`);
  await runDesk(home, 'batch', dropped);
  const before = ledgerSchema.parse((await runDesk(home, 'unfinished')).json(z.unknown()));
  expect(before.counts.draft).toBe(chosen.length);

  const desk = await folder.open(openDesk, { lang: 'en', service });
  const { page } = desk;
  const [first] = chosen;
  await page.goto(addressOf(page, `cases/${first?.id}`));
  await page.getByRole('textbox', { name: /^Comment/ }).fill('A dent on the left door');
  const nav = page.getByRole('navigation', { name: 'Main navigation' });
  const begun = chosen.length + 1;
  // The navigation, the status bar and the page show the same count.
  await expect(nav.getByRole('link', { name: /^Close of day/ })).toContainText(String(begun));
  await expect(page.getByRole('contentinfo').getByText(`${begun} started`)).toBeVisible();

  // In the evening Today leads to that page, and nothing on it moves for that.
  const atNoon = await placesOnToday(desk, 12, 0);
  expect(await placesOnToday(desk, 17, 1)).toEqual(atNoon);

  let keys = 0;
  const press = async (key: string) => {
    keys += 1;
    await page.keyboard.press(key);
  };
  await page.getByRole('heading', { level: 1 }).click();
  await press('e');
  await expect(page.getByRole('heading', { level: 1, name: 'Close of the day' })).toBeVisible();
  const end = page.getByRole('main').getByRole('status');
  await expect(end).toContainText('still open');
  await page.setViewportSize({ width: 1440, height: 900 });
  expect(await inspectPage(page, 'close-of-day')).toEqual([]);
  await page.setViewportSize({ width: 1024, height: 700 });
  expect(await overflowsSideways(page)).toBe(false);
  expect(await outOfSight(page)).toEqual([]);
  await takePicture(page, 'close-of-day-1024');
  await page.setViewportSize({ width: 1440, height: 900 });

  // The ring shows the focus. A tint over the colour would take the words below the contrast of AA.
  await expect(page.locator('.v-btn--variant-flat:focus > .v-btn__overlay')).toHaveCSS(
    'opacity',
    '0',
  );

  // The first button has the focus. It saves the typed comment, and each later one submits a
  // report.
  const acts = page.locator('.main-act');
  await expect(page.locator('.main-act:focus')).toHaveText('Save');
  await press('Enter');
  const drafts = page.getByRole('region', { name: /^Reports, not submitted/ });
  for (let left = chosen.length; left > 0; left -= 1) {
    await expect(drafts.getByRole('listitem')).toHaveCount(left);
    await expect(page.locator('.main-act:focus')).toHaveText('Submit');
    await press('Enter');
  }
  await expect(drafts).toHaveCount(0);
  expect(keys).toBeLessThanOrEqual(2 + chosen.length);
  // Only visits are left for today. Each is postponed with a reason.
  const visits = page.getByRole('region', { name: /^Inspections without/ });
  for (let left = await visits.getByRole('listitem').count(); left > 0; left -= 1) {
    await visits.locator('.main-act').first().focus();
    await page.keyboard.press('v');
    const dialog = page.getByRole('dialog', { name: 'Postpone until tomorrow' });
    await dialog.getByLabel('Reason').fill('The workshop is closed');
    await page.keyboard.press('Enter');
    await expect(visits.getByRole('listitem')).toHaveCount(left - 1);
  }
  await expect(end).toContainText('delivered and was seen at the insurer');
  await takePicture(page, 'close-of-day-end');
  await expect(acts.filter({ hasText: 'Submit' })).toHaveCount(0);
  await expect(page.getByRole('contentinfo').getByText('Nothing to send')).toBeVisible();
  expect(desk.errors()).toEqual([]);
  await desk.stop();
  const after = ledgerSchema.parse((await runDesk(home, 'unfinished')).json(z.unknown()));
  const { visit, ...others } = after.counts;
  expect(Object.values(others).every((n) => n === 0)).toBe(true);
  expect(after.items.filter(({ postponed }) => postponed !== null).length).toBeLessThanOrEqual(
    visit,
  );
});
