import { expect, type Page } from '@playwright/test';
import { dayMs } from '#shared/lib/clock.ts';
import { formatLongDay } from '#shared/i18n/format.ts';
import { zurichDay } from '#shared/lib/zurich-day.ts';
import { deskFolder, test } from './desk-window.ts';
import { addressOf, inspectPage, outOfSight, overflowsSideways, takePicture } from './page.ts';

/** This is the journey "the flat battery": the laptop's clock is three days behind. */

const folder = deskFolder();
const clockOffsetMs = -3 * dayMs;

/** Returns the day that Today shows, and its numbers of due and overdue visits. */
async function todayOf(page: Page): Promise<(string | null)[]> {
  const heads = ['#today-today', '#today-overdue'].map((id) => page.locator(id));
  await expect(page.locator('#today-today')).toBeVisible();
  return Promise.all(
    heads.map(async (head) => ((await head.isVisible()) ? head.textContent() : '')),
  );
}

test('the day follows the insurer’s time, and the desk says so, also without a network', async ({
  openDesk,
}) => {
  const service = await folder.start('--demo', '60', '--limits', 'x1000');
  const day = formatLongDay(zurichDay(Date.now()), 'en');
  const right = await folder.open(openDesk, { lang: 'en', service });
  await right.page.goto(addressOf(right.page, 'today'));
  await expect(right.page.getByText(day).first()).toBeVisible();
  const visits = await todayOf(right.page);
  await expect(right.page.locator('.clock')).toHaveCount(0);
  await right.stop();

  for (const [isReached, sentence] of [
    [
      true,
      'This device’s clock is 3 days behind; the insurer’s time counts until you set the clock',
    ],
    [false, 'This device’s clock was 3 days behind when the insurer last answered'],
  ] as const) {
    if (!isReached) await service.stop();
    const behind = await folder.open(openDesk, { lang: 'en', service, clockOffsetMs });
    const { page, app } = behind;
    await page.goto(addressOf(page, 'today'));
    // So is the clock of Electron's main process, which asks before it closes.
    const ofShell = await (app?.evaluate(() => Date.now()) ?? page.evaluate(() => Date.now()));
    expect(ofShell).toBeLessThan(Date.now() - 2 * dayMs);
    expect(await page.evaluate(() => Date.now())).toBeLessThan(Date.now() - 2 * dayMs);
    await expect(page.getByRole('contentinfo').getByText(sentence)).toBeVisible();
    await expect(page.getByRole('main').getByText(sentence)).toBeVisible();
    await expect(page.getByText(day).first()).toBeVisible();
    expect(await todayOf(page)).toEqual(visits);
    if (isReached)
      // No time that the desk stored with the wrong clock is in the past or the future.
      await expect(
        page.getByRole('contentinfo').getByText(/^Synced: (just now|\d+ \w+ ago)$/),
      ).toBeVisible();
    await page.setViewportSize({ width: 1024, height: 700 });
    expect(await overflowsSideways(page)).toBe(false);
    expect(await outOfSight(page)).toEqual([]);
    expect(await inspectPage(page, `flat-battery-${isReached ? 'online' : 'offline'}`)).toEqual([]);
    await takePicture(page, `flat-battery-${isReached ? 'online' : 'offline'}`);
    await behind.stop();
  }
});
