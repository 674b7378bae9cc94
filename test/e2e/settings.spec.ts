import { join } from 'node:path';
import { expect, type Page } from '@playwright/test';
import { openPracticeDesk, test } from './desk-window.ts';
import { addressOf, inspectPage } from './page.ts';

/** The user works with the settings of one practice workspace, in German. */

const desk = openPracticeDesk();
let page: Page;
test.beforeAll(() => {
  page = desk.page();
});

/** Replaces paths, so that pictures show no path of the machine that takes them. */
async function namePlainFiles(): Promise<void> {
  const folder = 'C:\\Users\\Anna\\Documents\\';
  await page
    .getByLabel('Diagnosedatei (ZIP)')
    .fill(`${folder}appraiser-desk-diagnostics-2026-11-21.zip`);
  const file = page.getByLabel('Datei auf diesem Gerät');
  await file.fill(`${folder}appraiser-desk-backup-2026-11-21.desk`);
  await file.blur();
}

test('Settings: each part in light, dark and high contrast', async () => {
  await page.goto(addressOf(page, 'settings/connection'));
  for (const [name, title] of [
    ['connection', 'Verbindung'],
    ['appearance', 'Darstellung'],
    ['texts', 'Textbausteine'],
    ['storage', 'Speicher'],
    ['backup', 'Sicherung'],
    ['policy', 'Vorgaben'],
    ['about', 'Über Appraiser Desk'],
  ] as const) {
    await page
      .getByRole('navigation', { name: 'Einstellungen' })
      .getByRole('link', { name: title })
      .click();
    if (name === 'about') await page.getByRole('button', { name: 'Lizenzen zeigen' }).click();
    if (name === 'backup') {
      await expect(page.getByLabel('Datei auf diesem Gerät')).toHaveValue(
        /appraiser-desk-backup-\d{4}-\d\d-\d\d(-\d+)?\.desk$/,
      );
      await namePlainFiles();
    }
    expect(await inspectPage(page, `settings-${name}`), name).toEqual([]);
  }
  await expect(page.getByRole('cell', { name: /^vuetify / })).toBeVisible();
});

test('hints can be read while their fields wait for what is stored', async () => {
  // The engine's answers are lost from the moment on that says so.
  await page.addInitScript({
    content: `{
      const listen = EventTarget.prototype.addEventListener;
      EventTarget.prototype.addEventListener = function (type, take, options) {
        const heard = (event) => window.isDeaf ? undefined : take.call(this, event);
        listen.call(this, type, type === 'message' ? heard : take, options);
      };
    }`,
  });
  await page.goto(addressOf(page, 'settings/about'));
  await page.reload();
  await expect(page.getByRole('button', { name: 'Lizenzen zeigen' })).toBeVisible();
  await page.evaluate(`window.isDeaf = true`);
  for (const [name, label] of [
    ['Textbausteine', 'Eigener Text'],
    ['Sicherung', 'Datei auf diesem Gerät'],
  ] as const) {
    await page.getByRole('link', { name, exact: true }).click();
    await expect(page.getByLabel(label)).toBeDisabled();
    expect(await inspectPage(page, `settings-waiting-${name}`), name).toEqual([]);
  }
  await page.reload();
});

test('the connection is checked step by step, and unsent work is backed up', async () => {
  await page.goto(addressOf(page, 'settings/connection'));
  await page.getByRole('button', { name: 'Jetzt prüfen' }).click();
  await expect(page.getByText('Ihre Organisation darf Fälle lesen')).toBeVisible();
  await page.goto(addressOf(page, 'settings/backup'));
  await page.getByLabel('Datei auf diesem Gerät').fill(join(desk.folderPath, 'work.backup'));
  const card = page.getByRole('region', { name: 'Noch nicht Gesendetes sichern' });
  await card.getByLabel('Passphrase').fill('kurz');
  await expect(card.getByRole('button', { name: 'Sichern' })).toBeDisabled();
  await card.getByLabel('Passphrase').fill('lang genug für alle');
  await card.getByRole('button', { name: 'Sichern' }).click();
  await expect(page.getByText(/^Gesichert: /)).toBeVisible();
});

test('a rule decides which documents are stored, and the bundle for support is looked at first', async () => {
  await page.goto(addressOf(page, 'settings/storage'));
  const rule = page.getByRole('region', { name: 'Dokumente für unterwegs' });
  await rule.getByRole('radio', { name: 'Alle' }).check();
  const days = rule.getByLabel(/^Dokumente abgeschlossener Fälle/);
  await days.fill('12x');
  await expect(rule.getByText('Eine ganze Zahl von 0 bis 3650.')).toBeVisible();
  await days.fill('30');
  await days.blur();
  await page.reload();
  await expect(rule.getByRole('radio', { name: 'Alle' })).toBeChecked();
  await expect(days).toHaveValue('30');
  await expect(rule.getByText('Kann freigegeben werden')).toBeVisible();
  await rule.getByRole('radio', { name: 'Nur offene Fälle' }).check();

  await page.goto(addressOf(page, 'settings/backup'));
  await page.getByRole('button', { name: 'Vorher ansehen' }).click();
  const bundle = page.getByRole('region', { name: 'Inhalt der Diagnosedatei' });
  await bundle.getByText('about.json').click();
  await expect(bundle.getByText('"contractVersion"')).toBeVisible();
  await namePlainFiles();
  expect(await inspectPage(page, 'settings-bundle')).toEqual([]);
});

test('a connection that cannot work is named in the wizard', async () => {
  await page.goto(addressOf(page, 'settings/connection'));
  await page.getByRole('button', { name: 'Neue Verbindung' }).click();
  const wizard = page.getByRole('dialog', { name: 'Verbindung zum Versicherer einrichten' });
  // Nothing can be continued before the first question is answered.
  await expect(wizard.getByRole('button', { name: 'Weiter' })).toHaveCount(0);
  await wizard.getByRole('radio', { name: 'Schlüsseldatei' }).check();
  await wizard.locator('input[type=file]').setInputFiles({
    name: 'key.pem',
    mimeType: 'application/x-pem-file',
    buffer: Buffer.from('this is no key'),
  });
  await expect(wizard.getByText('Gewählt: key.pem')).toBeVisible();
  await wizard.getByRole('button', { name: 'Weiter' }).click();
  await expect(wizard.getByText('Eine Adresse beginnt mit https://')).toBeVisible();
  await wizard.getByLabel('Basisadresse der Schnittstelle').fill('http://127.0.0.1:9');
  await wizard.getByRole('button', { name: 'Weiter' }).click();
  await wizard.getByLabel('Client-ID').fill('muster');
  await wizard.getByRole('button', { name: 'Weiter' }).click();
  await wizard.getByRole('button', { name: 'Verbindung testen' }).click();
  await expect(wizard.getByRole('listitem').filter({ hasText: 'Schlüssel lesen' })).toContainText(
    'fehlgeschlagen',
  );
  expect(await inspectPage(page, 'wizard')).toEqual([]);
  await wizard.getByRole('button', { name: 'Abbrechen' }).click();
  await expect(wizard).toBeHidden();
});
