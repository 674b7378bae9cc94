import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, type Page } from '@playwright/test';
import { startDesk } from '../support/processes.ts';
import { test } from './desk-window.ts';
import { openWindow } from './page.ts';

/** A window of the browser shell outlives the engine; Electron's engine is back by itself. */
test('a text that is typed while the engine is dead is not called saved, and is stored by the next one', async ({
  shell,
  playwright,
  launchOptions,
}) => {
  test.skip(shell === 'electron', 'electron-shell.spec.ts kills the engine there');
  const home = mkdtempSync(join(tmpdir(), 'desk-killed-'));
  const args = ['--lang', 'de', '--vault', 'passphrase'];
  process.env['DESK_VAULT_PASSPHRASE'] ??= 'only for this test';
  const browser = await playwright.chromium.launch(launchOptions);
  const context = await browser.newContext({
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  let desk = await startDesk({ home, args });
  try {
    const page = await context.newPage();
    page.setDefaultTimeout(20_000);
    await openWindow(page, desk.url);
    await page.getByRole('link', { name: 'Fälle' }).click();
    await page.getByRole('option').first().click();
    await comment(page).fill('Vor dem Absturz');
    await expect(line(page, 'Auf diesem Gerät gespeichert')).toBeVisible();

    await desk.kill();
    await comment(page).fill('Nach dem Absturz');
    await expect(line(page, 'Nicht gespeichert.')).toBeVisible();
    await expect(line(page, 'Auf diesem Gerät gespeichert')).toBeHidden();
    await expect(page.getByRole('button', { name: 'Kommentar speichern' })).toBeDisabled();
    const advice = page.getByRole('alert').filter({ hasText: 'starten Sie das Programm neu' });
    await expect(advice).toBeVisible();
    await advice.getByRole('button', { name: 'Text kopieren' }).click();
    await expect(advice.getByRole('button', { name: 'Kopiert' })).toBeVisible();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe('Nach dem Absturz');
    // A page that the dead desk cannot give is named, and loads nothing of this one again.
    await page.getByRole('link', { name: 'Hilfe' }).click();
    await expect(page.getByText('Keine Verbindung zu Appraiser Desk')).toBeVisible();
    await page.goBack();
    await expect(comment(page)).toHaveValue('Nach dem Absturz');

    // The start opens a separate window; the one that waits learns from it who it is.
    desk = await startDesk({ home, args });
    const next = await context.newPage();
    next.setDefaultTimeout(20_000);
    await openWindow(next, desk.url);
    await expect(line(page, 'Auf diesem Gerät gespeichert')).toBeVisible();
    await expect(advice).toBeHidden();
    await next.goto(page.url());
    await next.reload();
    await expect(comment(next)).toHaveValue('Nach dem Absturz');
    await page.getByRole('link', { name: 'Hilfe' }).click();
    await expect(page.getByRole('heading', { name: 'Kurzanleitung', level: 1 })).toBeVisible();
  } finally {
    await browser.close();
    await desk.stop();
    rmSync(home, { recursive: true, force: true });
  }
});

const comment = (page: Page) => page.getByLabel('Kommentar', { exact: true });
const line = (page: Page, text: string) => page.getByText(text).first();
