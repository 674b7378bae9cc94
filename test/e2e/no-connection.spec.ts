import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from '@playwright/test';
import { temporaryFolder } from '../support/processes.ts';
import { test } from './desk-window.ts';
import { inspectPage } from './page.ts';

/** An organization turned the practice workspace off, and nobody has set a connection up yet. */
test('without practice and without a connection every page leads to setting one up', async ({
  openDesk,
}) => {
  const folder = temporaryFolder();
  const policy = join(folder.path, 'policy.json');
  writeFileSync(policy, JSON.stringify({ practice: false, language: 'de' }));
  process.env['DESK_POLICY'] = policy;
  const desk = await openDesk({ home: join(folder.path, 'home') });
  const { page, errors } = desk;
  try {
    const missing = page.getByRole('heading', { name: 'Noch keine Verbindung' });
    await expect(missing).toBeVisible();
    for (const name of ['Fälle', 'Berichte', 'Warteschlange', 'Stapel', 'Auswertung']) {
      await page.getByRole('link', { name }).click();
      await expect(missing).toBeVisible();
    }
    expect(await inspectPage(page, 'no-connection')).toEqual([]);
    await page.getByRole('link', { name: 'Verbindung einrichten' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Neue Verbindung' }).press('Enter');
    await expect(
      page.getByRole('dialog', { name: 'Verbindung zum Versicherer einrichten' }),
    ).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(page.getByText('Übungsplatz')).toHaveCount(0);
    expect(errors()).toEqual([]);
  } finally {
    delete process.env['DESK_POLICY'];
    await desk.stop();
    folder.remove();
  }
});
