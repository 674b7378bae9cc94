import { readFileSync } from 'node:fs';
import { expect } from '@playwright/test';
import { smokeOrLong } from '../support/long.ts';
import { deskFolder, test } from './desk-window.ts';
import { stringsOfPdf } from '../support/sample-files.ts';
import {
  addressOf,
  chooseFromMenu,
  goBack,
  inspectPage,
  outOfSight,
  overflowsSideways,
} from './page.ts';

/** This is the journey "the evening before", with 2,000 cases and a service that stops. */

const folder = deskFolder();

/**
 * Runs in the page. Returns the parts of any visit on which its tools lie, and throws if no visit
 * has tools.
 */
const coveredByTools = `(() => {
const all = [...document.querySelectorAll('.day-case > .tools')];
if (all.length === 0) throw new Error('no visit has tools');
return all.flatMap((tools) => {
  const place = tools.getBoundingClientRect();
  return [...tools.parentElement.children]
    .flatMap((one) => (one.matches('.reach') ? [...one.children] : [one]))
    .filter((one) => one !== tools && one.checkVisibility())
    .filter((one) => {
      const { left, right, top, bottom } = one.getBoundingClientRect();
      const isBeside = right <= place.left || place.right <= left;
      return !isBeside && top < place.bottom && place.top < bottom;
    })
    .map((one) => one.className);
});
})()`;

test('the day is planned, made ready, divided among colleagues, and nothing is green unseen', async ({
  openDesk,
}) => {
  const claims = smokeOrLong(300, 2000);
  const service = await folder.start('--demo', String(claims), '--limits', 'x1000');
  const desk = await folder.open(openDesk, { lang: 'en', service });
  const { page } = desk;
  await page.goto(addressOf(page, 'today'));
  const box = (name: RegExp) => page.getByRole('region', { name });

  await test.step('one line says what needs the user, and the visits of today come first', async () => {
    await expect(box(/^Overdue inspections/)).toBeVisible();
    const inOrder = /^Ready.*\|Today.*\|Overdue.*\|Tomorrow.*\|Later/;
    await expect(page.getByRole('button', { name: /Newly assigned$/ })).toBeVisible();
    await expect(page.getByRole('button', { name: /Returned reports$/ })).toBeVisible();
    await expect
      .poll(async () => {
        const headings = await page.locator('main h2').allTextContents();
        return headings.map((text) => text.replaceAll(/\s+/g, ' ').trim()).join('|');
      })
      .toMatch(inOrder);
  });

  await test.step('every overdue inspection is there, and the count is true', async () => {
    const overdue = box(/^Overdue inspections/);
    const all = overdue.getByRole('button', { name: /^Show all/ });
    const total = Number((await all.textContent())?.replaceAll(/\D/g, ''));
    expect(total).toBeGreaterThan(smokeOrLong(20, 50));
    await all.click();
    const rows = overdue.getByRole('listitem');
    await expect(rows.first()).toHaveAttribute('aria-setsize', String(total));
    // Invisible rows do not exist, so the last one has to be scrolled into view.
    // Rows that come into view may be higher than they were taken for.
    await expect(async () => {
      await overdue.locator('[role=list] > *').last().scrollIntoViewIfNeeded();
      expect(await rows.last().getAttribute('aria-posinset')).toBe(String(total));
    }).toPass();
  });

  await test.step('Back from a case leads to the same place', async () => {
    const last = box(/^Overdue inspections/)
      .getByRole('listitem')
      .last();
    await last.scrollIntoViewIfNeeded();
    const place = await last.boundingBox();
    await last.locator('a.who').click();
    await expect(page).toHaveURL(/#\/cases\//);
    await goBack(page);
    await expect.poll(async () => (await last.boundingBox())?.y).toBeCloseTo(place?.y ?? NaN, -1);
  });

  const today = box(/^Today \d+$/);
  const rows = today.locator('a.who');
  const menu = today.getByRole('button', { name: /^More about/ }).first();
  await test.step('a visit has a phone number, an address, a time and a note', async () => {
    await today.scrollIntoViewIfNeeded();
    await expect(today.locator('a[href^="tel:"]').first()).toBeVisible();
    await expect(today.locator('a[href^="https://map"]').first()).toBeVisible();
    await chooseFromMenu(menu, 'Time and note');
    const dialog = page.getByRole('dialog', { name: 'Time and note' });
    // A dialog that is still opening does not receive keys yet.
    await expect(dialog.getByLabel('Time of day')).toBeFocused();
    await dialog.getByLabel('Time of day').fill('09:30');
    await dialog.getByRole('textbox', { name: 'Note' }).fill('Ring at the back door');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await expect(today.getByRole('textbox', { name: /^Time of day/ }).first()).toHaveValue('09:30');
    await expect(today.getByText('Ring at the back door')).toBeVisible();
  });

  await test.step('row tools cover nothing of their row, at any width', async () => {
    for (const width of [1440, 1024, 720]) {
      await page.setViewportSize({ width, height: 900 });
      const row = today.getByRole('listitem').first();
      await row.scrollIntoViewIfNeeded();
      await row.hover();
      await expect(row.locator('.tools')).toBeVisible();
      await expect(row.locator('.phone')).toBeVisible();
      expect(await page.evaluate(coveredByTools), `at ${width}`).toEqual([]);
    }
    await page.setViewportSize({ width: 1440, height: 900 });
  });

  await test.step('the order of the drive is by postal code until a person changes it', async () => {
    await expect(today.getByText('Sorted by postal code')).toBeVisible();
    const first = (await rows.first().textContent()) ?? '';
    await chooseFromMenu(menu, 'Move later');
    await expect(rows.nth(1)).toHaveText(first);
    await page.reload();
    await today.scrollIntoViewIfNeeded();
    await expect(rows.nth(1)).toHaveText(first);
    const saved = await desk.saved(() =>
      today.getByRole('button', { name: /^As a calendar file/ }).click(),
    );
    const calendar = readFileSync(saved.path, 'utf8');
    expect(calendar).toContain('T093000\r\n');
    const planned = await today.getByRole('listitem').first().getAttribute('aria-setsize');
    expect(calendar.match(/BEGIN:VEVENT/g)).toHaveLength(Number(planned));
    await today.getByRole('button', { name: 'Sort by postal code' }).click();
    await expect(rows.first()).toHaveText(first);
  });
  await test.step('on paper are the day and all overdue ones, with the date of the print', async () => {
    const overdue = box(/^Overdue inspections/);
    const all = Number((await overdue.getByRole('heading').textContent())?.replaceAll(/\D/g, ''));
    // The system's dialog would wait for a user.
    await page.evaluate('window.print = () => undefined');
    await page.keyboard.press('Control+p');
    await expect(overdue.getByRole('button', { name: /^Show all/ })).toBeHidden();
    const text = (await stringsOfPdf(await desk.printed())).flat().join(' ');
    expect(text).toMatch(/Printed \d\d\.\d\d\.\d{4} \d\d:\d\d/);
    expect(text).toContain('Ring at the back door');
    expect(text.match(/SF-\d{4}-\d+/g)?.length).toBeGreaterThan(all);
    expect(text).not.toMatch(/Ready to leave|Newly assigned|Show all/);
  });
  expect(await inspectPage(page, 'today-evening')).toEqual([]);
  for (const [width, height] of [
    [1366, 768],
    [1024, 700],
  ] as const) {
    await page.setViewportSize({ width, height });
    expect(await overflowsSideways(page), `${width}`).toBe(false);
    expect(await outOfSight(page), `${width}`).toEqual([]);
  }
  await page.setViewportSize({ width: 1440, height: 900 });

  const ready = box(/^Ready to leave/);
  await test.step('readiness names what was checked: all cases of the days, after a sync', async () => {
    await expect(ready.getByText('These days have not been checked yet.')).toBeVisible();
    await ready.getByRole('button', { name: 'Check and download' }).click();
    await expect(
      ready.getByText(/^All \d+ cases and all their documents \(\d+\) are on this device/),
    ).toBeVisible();
  });

  await test.step('a rule that cannot be read says which line and why, and changes nothing', async () => {
    await page.goto(addressOf(page, 'settings/own'));
    await page.getByRole('radio', { name: 'By a rule' }).check();
    await page.getByLabel('Postal codes').fill('8000-8499\n9000-8');
    await page.getByLabel('Postal codes').blur();
    await expect(page.getByText(/Line 2 .*“9000-8”/)).toBeVisible();
    expect(await inspectPage(page, 'settings-own')).toEqual([]);
    await page.reload();
    await expect(page.getByRole('radio', { name: 'All cases of the organization' })).toBeChecked();
    await page.getByRole('radio', { name: 'By a rule' }).check();
    await page.getByLabel('Postal codes').fill('8000-8499\n3000-3999');
    await page.getByLabel('Postal codes').blur();
    const figures = page.getByText(/^[\d’]+ of [\d’]+ cases are yours\.$/);
    await expect(figures).toBeVisible();
    await expect(page.getByText(/Line 2 .*“9000-8”/)).toHaveCount(0);
    expect(await inspectPage(page, 'settings-own')).toEqual([]);
    await page.goto(addressOf(page, 'today'));
    await expect(page.getByText('only my cases')).toBeVisible();
    await page.goto(addressOf(page, 'cases'));
    await page.getByRole('button', { name: 'Mine', exact: true }).click();
    await expect(page.getByRole('option').first()).toContainText(/\b(?:8[0-4]|3\d)\d\d\b/);
  });

  await test.step('without the partner it says what it could not check', async () => {
    await service.stop();
    await page.goto(addressOf(page, 'today'));
    await ready.getByRole('button', { name: 'Check and download' }).click();
    await expect(ready.getByText(/^Not checked: offline since \d\d:\d\d\.$/)).toBeVisible();
    await expect(ready.getByText(/are complete on this device/)).toBeVisible();
    await expect(page.getByRole('contentinfo').getByText('Offline')).toBeVisible();
  });
  expect(desk.errors()).toEqual([]);
});
