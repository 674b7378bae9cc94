import { join } from 'node:path';
import { expect, type Page } from '@playwright/test';
import { temporaryFolder } from '../support/processes.ts';
import { type DeskWindow, test } from './desk-window.ts';
import { inspectPage } from './page.ts';

/** A person plays the insurer, in English, and sees as the appraiser what that brings. */
const folder = temporaryFolder();
let desk: DeskWindow | undefined;
test.afterAll(async () => {
  await desk?.stop();
  folder.remove();
});

const nav = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Main navigation' }).getByRole('link', { name });

test('a claim is made, assigned and accepted, and the network is cut and mended', async ({
  openDesk,
}) => {
  desk = await openDesk({ home: join(folder.path, 'home'), args: ['--lang', 'en'] });
  const { page, errors } = desk;
  await page.getByText('60 cases on this laptop').waitFor({ timeout: 60_000 });
  await nav(page, 'Practice').click();
  await expect(page.getByRole('heading', { name: 'Practice: you play the insurer' })).toBeVisible();
  await expect(page.getByRole('row').nth(5)).toBeVisible();
  expect(await inspectPage(page, 'practice-insurer')).toEqual([]);

  await page.getByRole('button', { name: 'New claim: Vehicle' }).click();
  const said = page.getByText(/^New claim SF-/);
  await expect(said).toBeVisible();
  const key = (await said.textContent())?.replace('New claim ', '') ?? '';

  await page.getByRole('button', { name: `Assign: ${key}` }).click();
  await expect(page.getByText(`Done: Assign, ${key}`)).toBeVisible();
  await page.getByRole('button', { name: `Accept: ${key}` }).click();
  await page.getByText('61 cases on this laptop').waitFor({ timeout: 30_000 });
  await page.getByRole('button', { name: `Further steps: ${key}` }).click();
  await page.getByText('Add a document', { exact: true }).click();
  await expect(page.getByText(`Done: Add a document, ${key}`)).toBeVisible();

  await page.getByRole('radio', { name: 'Cut' }).check();
  await page.getByRole('button', { name: 'Sync now' }).click();
  await page.getByText('Offline', { exact: true }).waitFor({ timeout: 30_000 });
  await page.getByRole('radio', { name: 'Good' }).check();
  await page.getByText('Online', { exact: true }).waitFor({ timeout: 30_000 });

  await nav(page, 'Cases').click();
  await page.getByLabel('Search cases').fill(key);
  // A row that makes room for the answer while it is clicked is not clicked.
  await expect(page.getByRole('option')).toHaveCount(1);
  await page.getByRole('option').filter({ hasText: key }).click();
  await expect(page.getByRole('button', { name: /^Open: Nachtrag_/ })).toBeVisible();
  expect(errors()).toEqual([]);
});
