import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, type Page } from '@playwright/test';
import { startDesk } from '../support/processes.ts';
import { keepNoDocuments, test } from './desk-window.ts';
import { openWindow } from './page.ts';

/** The engine takes the page's first proof, and the line breaks before the page hears so. */
const loseFirstReady = (page: Page) =>
  page.addInitScript({
    content: `{
      let isLost = false;
      const listen = WebSocket.prototype.addEventListener;
      WebSocket.prototype.addEventListener = function (type, take, options) {
        const lose = (event) => {
          if (isLost || !String(event.data).includes('"ready"')) return take.call(this, event);
          isLost = true;
          event.stopImmediatePropagation();
          this.close();
        };
        listen.call(this, type, type === 'message' && !isLost ? lose : take, options);
      };
    }`,
  });

/**
 * A window of the browser shell survives the engine. Electron restarts its engine by itself, as
 * electron-shell.spec.ts shows.
 */
test('a text that is typed while the engine is dead is not called saved, and stays until it is taken over', async ({
  playwright,
  launchOptions,
}) => {
  const home = mkdtempSync(join(tmpdir(), 'desk-killed-'));
  keepNoDocuments(home);
  const args = ['--lang', 'de', '--vault', 'passphrase'];
  process.env['DESK_VAULT_PASSPHRASE'] ??= 'only for this test';
  const browser = await playwright.chromium.launch(launchOptions);
  const context = await browser.newContext({
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  let desk = await startDesk({ home, args });
  try {
    const page = await context.newPage();
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
    // The dead desk cannot serve the next page. The window names it and loses nothing of this one.
    await page.getByRole('link', { name: 'Hilfe' }).click();
    await expect(page.getByText('Keine Verbindung zu Appraiser Desk')).toBeVisible();
    await page.goBack();
    await expect(comment(page)).toHaveValue('Nach dem Absturz');

    // The next start opens a window at another address. The old window does not send its secret
    // there, and stores the text until the user has copied it.
    desk = await startDesk({ home, args });
    const next = await context.newPage();
    await loseFirstReady(next);
    await openWindow(next, desk.url);
    expect(new URL(next.url()).origin).not.toBe(new URL(page.url()).origin);
    await expect(advice).toBeVisible();
    await expect(comment(page)).toHaveValue('Nach dem Absturz');
    await next.goto(new URL(new URL(page.url()).hash, next.url()).href);
    await expect(comment(next)).toHaveValue('Vor dem Absturz');
    await comment(next).fill(String(await page.evaluate('navigator.clipboard.readText()')));
    await expect(line(next, 'Auf diesem Gerät gespeichert')).toBeVisible();
    await next.reload();
    await expect(comment(next)).toHaveValue('Nach dem Absturz');
    await next.getByRole('link', { name: 'Hilfe' }).click();
    await expect(next.getByRole('heading', { name: 'Hilfe', level: 1 })).toBeVisible();
  } finally {
    await browser.close();
    await desk.stop();
    rmSync(home, { recursive: true, force: true });
  }
});

const comment = (page: Page) => page.getByLabel('Kommentar', { exact: true });
const line = (page: Page, text: string) => page.getByText(text).first();
