import { join } from 'node:path';
import { expect, type Page } from '@playwright/test';
import { z } from 'zod';
import { temporaryFolder } from '../support/processes.ts';
import { type DeskWindow, test } from './desk-window.ts';

const folder = temporaryFolder();
let desk: DeskWindow | undefined;
test.afterAll(async () => {
  await desk?.stop();
  folder.remove();
});

/** Whether the window would ask before it closes, because a text is in it only. */
async function warnsOfClosing(page: Page): Promise<boolean> {
  return z.boolean().parse(
    await page.evaluate(`(() => {
      const closing = new Event('beforeunload', { cancelable: true });
      window.dispatchEvent(closing);
      return closing.defaultPrevented;
    })()`),
  );
}

test('on site: what is typed survives a reload and a kill, and is named as not sent', async ({
  openDesk,
}) => {
  const home = join(folder.path, 'home');
  const open = async () => {
    desk = await openDesk({ home, args: ['--lang', 'en'] });
    await desk.page.getByText('60 cases on this laptop').waitFor({ timeout: 60_000 });
    return desk.page;
  };
  let page = await open();
  await page.goto(new URL('#/cases?status=InProgress', page.url()).href);
  await page.getByRole('option').first().click();
  const address = page.url();
  await page.getByLabel('Workshop cost estimate').fill("12'345.6");
  await page.getByLabel('Comment', { exact: true }).fill('The sill is bent');
  await expect(page.getByText('Not sent yet, saved on this laptop').first()).toBeVisible();
  // The engine has it when closing is no longer warned of.
  await expect.poll(() => warnsOfClosing(page)).toBe(false);

  await page.reload();
  await expect(page.getByLabel('Comment', { exact: true })).toHaveValue('The sill is bent');

  await page.getByLabel('Comment', { exact: true }).fill('The sill is bent, the door jams');
  await expect.poll(() => warnsOfClosing(page)).toBe(false);
  await desk?.kill();
  page = await open();
  await page.goto(new URL(new URL(address).hash, page.url()).href);
  await expect(page.getByLabel('Comment', { exact: true })).toHaveValue(
    'The sill is bent, the door jams',
  );
  await expect(page.getByLabel('Workshop cost estimate')).toHaveValue('12’345.60');
  await expect(page.getByText('Not sent yet, saved on this laptop').first()).toBeVisible();
  expect(desk?.errors()).toEqual([]);
});
