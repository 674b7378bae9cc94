import { readFileSync } from 'node:fs';
import { expect, type Page } from '@playwright/test';
import { strFromU8, unzipSync } from 'fflate';
import { z } from 'zod';
import { openPracticeDesk, test } from './desk-window.ts';
import {
  accessibilityFaults,
  addressOf,
  inspectPage,
  overflowsSideways,
  takePicture,
} from './page.ts';

/** The user works with the list of cases in German. */

// The browser has the locale of another country, but the desk's dates stay Swiss.
const desk = openPracticeDesk({ locale: 'en-US' });
let page: Page;
test.beforeAll(async () => {
  page = desk.page();
  await page.getByRole('link', { name: 'Fälle', exact: true }).click();
});

const search = () => page.getByRole('searchbox', { name: 'Fälle durchsuchen' });
const table = () => page.getByRole('grid', { name: 'Fallliste' });
const bar = () => page.getByRole('region', { name: 'Auswahl' });
const dayFrom = () => page.getByLabel('Besichtigung ab', { exact: true });
/** Opens the menu of the filters, which a click beside it has closed. */
async function openFilters(): Promise<void> {
  const button = page.getByRole('button', { name: 'Filter', exact: true });
  await button.waitFor();
  if ((await button.getAttribute('aria-expanded')) !== 'true') await button.click();
  await dayFrom().waitFor();
}
const cell = (row: number, column: number) =>
  table().getByRole('row').nth(row).getByRole('gridcell').nth(column);

test('a search marks its words and shows where else they were found', async () => {
  const rows = page.getByRole('listbox', { name: 'Fallliste' }).getByRole('option');
  // Only payloads have this word. A word of documents would find more cases as they are read.
  await search().fill('leitplanke');
  const hit = rows.filter({ hasText: /Leitplanke/i }).first();
  await expect(hit.locator('mark').first()).toHaveText(/leitplanke/i);
  // Each row shows where the word was found, so every row has a mark.
  await expect(rows.filter({ hasNot: page.locator('mark') })).toHaveCount(0);
  expect(await accessibilityFaults(page)).toEqual([]);
  await takePicture(page, 'cases-search');
  await search().fill('');
  await expect(rows.first().locator('mark')).toHaveCount(0);
});

test('the list is a table with columns to choose, sorted by each', async () => {
  await page.getByRole('button', { name: 'Tabellenansicht' }).click();
  await expect(table().getByRole('columnheader', { name: 'Name' })).toBeVisible();
  await page.setViewportSize({ width: 1366, height: 768 });
  const hidden = await table().evaluate(
    (grid: { scrollWidth: number; clientWidth: number }) => grid.scrollWidth - grid.clientWidth,
  );
  expect(hidden, 'pixels of the first columns that are out of sight').toBe(0);
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.getByRole('button', { name: 'Spalten wählen' }).click();
  const menu = page.getByRole('group', { name: 'Spalten wählen' });
  await menu.getByRole('checkbox', { name: 'Einsparung' }).check();
  await menu.getByRole('checkbox', { name: 'Kategorie' }).check();
  await takePicture(page, 'cases-columns');
  await menu.getByRole('checkbox', { name: 'Kategorie' }).uncheck();
  await page.keyboard.press('Escape');
  const saving = table().getByRole('columnheader', { name: 'Einsparung' });
  await saving.getByRole('button').click();
  await expect(saving).toHaveAttribute('aria-sort', 'descending');
  const firstRows = async (column: number) =>
    await Promise.all([1, 2, 3, 4, 5].map(async (row) => await cell(row, column).innerText()));
  // Nine columns come before this one, including the check box.
  const figures = async () =>
    (await firstRows(9)).map((text) => Number(text.replaceAll('’', '') || 'none'));
  await expect
    .poll(async () => {
      const shown = await figures();
      return shown.every((one, index) => one <= (shown[index - 1] ?? Infinity));
    })
    .toBe(true);
  const party = table().getByRole('columnheader', { name: 'Name' });
  await table().evaluate((grid: { scrollTop: number }) => (grid.scrollTop = 1000));
  await party.getByRole('button').click();
  await expect(party).toHaveAttribute('aria-sort', 'ascending');
  // Another order is read from its beginning.
  await expect
    .poll(() => table().evaluate((grid: { scrollTop: number }) => grid.scrollTop))
    .toBe(0);
  const { compare } = new Intl.Collator('de-CH');
  await expect
    .poll(async () => {
      const shown = await firstRows(2);
      return shown.every((one, index) => compare(shown[index - 1] ?? '', one) <= 0);
    })
    .toBe(true);
  // The click on the last column has scrolled the table to it.
  await table().evaluate((grid: { scrollLeft: number }) => (grid.scrollLeft = 0));
  expect(await inspectPage(page, 'cases-table')).toEqual([]);
  // The next window shows the same columns and order.
  await page.reload();
  await expect(saving).toBeVisible();
});

test('several cases are chosen by keyboard, and exactly these are exported', async () => {
  // A row that is not loaded yet cannot be selected.
  await expect(cell(3, 1)).toHaveText(/^SF-/);
  await table().focus();
  await page.keyboard.press('Home');
  await page.keyboard.press(' ');
  await page.keyboard.press('Shift+ArrowDown');
  await page.keyboard.press('Shift+ArrowDown');
  await expect(bar().getByText('3 Fälle ausgewählt')).toBeVisible();
  const wanted = await Promise.all([1, 2, 3].map(async (row) => await cell(row, 1).innerText()));
  await takePicture(page, 'cases-selection');
  const onPaper = page.getByText('Die Fallliste wird nicht gedruckt.');
  await expect(onPaper).toBeHidden();
  await page.emulateMedia({ media: 'print' });
  await expect(onPaper, 'instead of an empty page').toBeVisible();
  await page.emulateMedia({ media: null });
  // Next to a case the bar takes at most two rows, and its buttons still show their names.
  await page.setViewportSize({ width: 1024, height: 700 });
  await page.getByRole('button', { name: 'Listenansicht' }).click();
  await expect(bar().getByRole('button', { name: 'Bearbeitet von …' })).toBeVisible();
  const heights = [bar().getByRole('button').last(), bar()].map(
    async (part) => (await part.boundingBox())?.height,
  );
  const [rowHeight = 0, height] = await Promise.all(heights);
  expect(height).toBeLessThan(2.8 * rowHeight);
  await takePicture(page, 'cases-selection-1024');
  await page.getByRole('button', { name: 'Tabellenansicht' }).click();
  await page.setViewportSize({ width: 1440, height: 900 });
  await bar().getByRole('button', { name: 'Exportieren' }).click();
  const { name, path } = await desk
    .window()
    .saved(() => page.getByText('CSV', { exact: true }).click());
  expect(name).toBe('Fälle.csv');
  const lines = readFileSync(path, 'utf8').trimEnd().split('\r\n').slice(1);
  expect(lines.map((line) => line.split(';')[0])).toEqual(wanted);

  // A menu that is still closing takes no clicks.
  await expect(page.getByText('CSV', { exact: true })).toBeHidden();
  await bar().getByRole('button', { name: 'Exportieren' }).click();
  const workbook = await desk.window().saved(() => page.getByText('XLSX', { exact: true }).click());
  expect(workbook.name).toBe('Fälle.xlsx');
  const sheet = unzipSync(readFileSync(workbook.path))['xl/worksheets/sheet1.xml'];
  expect(strFromU8(sheet ?? new Uint8Array()).match(/SF-\d{4}-\d{6}/g)).toEqual(wanted);

  await bar().getByRole('button', { name: 'Bearbeitet von' }).click();
  const handOver = page.getByRole('dialog', { name: 'Wer bearbeitet diese 3 Fälle?' });
  const handler = handOver.getByRole('combobox', { name: 'Bearbeitet von' });
  // The field has the focus, so the user can type the name at once.
  await expect(handler).toBeFocused();
  await handler.fill('Anna Muster');
  expect(await accessibilityFaults(page)).toEqual([]);
  await takePicture(page, 'cases-hand-over');
  await handOver.getByRole('button', { name: 'Notieren' }).click();
  await expect(handOver).toBeHidden();

  await bar().getByRole('button', { name: 'Dokumente laden' }).click();
  await bar()
    .getByText(/^Geladene Dokumente: \d+$/)
    .waitFor();
  await table().focus();
  await page.keyboard.press('Control+a');
  await expect(bar().getByText('60 Fälle ausgewählt')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(bar()).toBeHidden();
});

test('late cases and those of one colleague are filtered, with their days as columns', async () => {
  const status = page.getByRole('search').getByRole('status');
  const menu = page.locator('.v-overlay--active > .v-select__content');
  const columns = page.getByRole('group', { name: 'Spalten wählen' });
  const choose = async (filter: string, name: string) => {
    await openFilters();
    await page.getByRole('combobox', { name: filter, exact: true }).press('Enter');
    await menu.getByRole('option', { name, exact: true }).click();
    await expect(menu).toHaveCount(0);
  };
  await choose('Bearbeitet von (hier notiert)', 'Anna Muster');
  await expect(status).toHaveText('3 Fälle');
  await page.getByRole('button', { name: 'Filter zurücksetzen' }).first().click();
  await expect(status).toHaveText('60 Fälle');
  await choose('Offen und überfällig', 'Besichtigung vor über 7 Tagen');
  await expect(status).not.toHaveText('60 Fälle');
  await page.getByRole('button', { name: 'Spalten wählen' }).click();
  await columns.getByRole('checkbox', { name: 'Tage seit Besichtigung' }).click();
  await page.keyboard.press('Escape');
  const head = table().getByRole('columnheader');
  await head.getByRole('button', { name: 'Tage seit Besichtigung' }).click();
  const names = await head.allTextContents();
  const at = names.findIndex((name) => name.includes('Tage seit'));
  await expect.poll(async () => Number(await cell(1, at).innerText())).toBeGreaterThan(7);
  expect(await overflowsSideways(page)).toBe(false);
  await takePicture(page, 'cases-late');
  await page.getByRole('button', { name: 'Spalten wählen' }).click();
  await columns.getByRole('checkbox', { name: 'Tage seit Besichtigung' }).click();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Filter zurücksetzen' }).first().click();
  await expect(status).toHaveText('60 Fälle');
});

test('a case is opened from the table, which is there again afterwards', async () => {
  await table().focus();
  await page.keyboard.press('Home');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/#\/cases\/[0-9a-f-]{36}/);
  await page.getByRole('link', { name: 'Zur Liste' }).click();
  await expect(table()).toBeVisible();
});

test('a view is saved, renamed, shown again and deleted', async () => {
  await search().fill('leitplanke');
  await openFilters();
  await dayFrom().fill('1.1.2020');
  await page.getByRole('button', { name: 'Ansichten' }).click();
  await page.getByRole('button', { name: 'Diese Ansicht speichern' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name der Ansicht').fill('Leitplanke');
  expect(await accessibilityFaults(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Speichern' }).click();
  await expect(dialog).toBeHidden();
  await expect(page.getByRole('search').getByRole('status')).not.toHaveText('60 Fälle');
  const shown = await page.getByRole('search').getByRole('status').innerText();

  await page.getByRole('button', { name: 'Filter zurücksetzen' }).first().click();
  await expect(page.getByRole('search').getByRole('status')).toHaveText('60 Fälle');
  await page.getByRole('button', { name: 'Ansichten' }).click();
  await page.getByRole('button', { name: 'Umbenennen: Leitplanke' }).click();
  await dialog.getByLabel('Name der Ansicht').fill('Strasse');
  await page.keyboard.press('Enter');
  await expect(dialog).toBeHidden();
  await page.getByRole('button', { name: 'Ansichten' }).click();
  await page.getByRole('button', { name: 'Strasse', exact: true }).click();
  await expect(search()).toHaveValue('leitplanke');
  const chip = page.getByRole('button', { name: 'Filter entfernen: Besichtigung ab 01.01.2020' });
  await expect(chip).toBeVisible();
  await expect(page.getByRole('search').getByRole('status')).toHaveText(shown);
  await page.getByRole('button', { name: 'Ansichten' }).click();
  await page.getByRole('button', { name: 'Löschen: Strasse' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Löschen' }).click();
  await page.getByRole('button', { name: 'Ansichten' }).click();
  const none = page.getByText('Noch keine Ansicht gespeichert.');
  await expect(none).toBeVisible();
  // A menu that is still opening does not receive keys, and would cover the next test.
  await expect(async () => {
    await page.keyboard.press('Escape');
    await expect(none).toBeHidden({ timeout: 1000 });
  }).toPass();
});

test('a day is typed or picked as in Switzerland, and a wrong one is refused', async () => {
  await openFilters();
  const from = dayFrom();
  await from.fill('31.02.2026');
  await from.blur();
  await expect(page.getByText('Ungültiges Datum.')).toBeVisible();
  await from.fill('09.03.2026');
  await from.blur();
  await page.getByRole('button', { name: 'Kalender öffnen: Besichtigung ab' }).click();
  await page
    .getByRole('button', { name: /19\. März 2026|19/ })
    .first()
    .click();
  await expect(from).toHaveValue('19.03.2026');
  await page.getByRole('button', { name: 'Filter zurücksetzen' }).first().click();
});

test('the table fits at 1024x700', async () => {
  await page.setViewportSize({ width: 1024, height: 700 });
  expect(await overflowsSideways(page)).toBe(false);
  await takePicture(page, 'cases-table-1024');
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.getByRole('button', { name: 'Listenansicht' }).click();
});

test('a window is drawn once, in the colours and the language that the desk stores', async ({
  shell,
}) => {
  test.skip(shell !== 'browser', 'the desktop shell has one address, whose browser remembers');
  await page.goto(addressOf(page, 'settings/appearance'));
  await page.getByRole('radio', { name: 'Français', exact: true }).check();
  await page.getByRole('radio', { name: 'Sombre' }).check();
  await expect(page.locator('.v-theme--dark').first()).toBeAttached();
  const second = await page.context().newPage();
  // The browser has no stored settings, as if the desk had another port. The window waits 300 ms
  // for the desk (renderer/main.ts), and an answer takes longer on a busy machine.
  await second.addInitScript({
    content: `localStorage.clear();
      const later = setTimeout;
      window.setTimeout = (run, ms, ...args) => later(run, ms === 300 ? 60_000 : ms, ...args);
      window.drawn = [];
      new MutationObserver(() => {
        const app = document.querySelector('.v-application');
        const drawn = app && app.className + ' ' + app.querySelector('nav').innerText;
        if (drawn && drawn !== window.drawn.at(-1)) window.drawn.push(drawn);
      }).observe(document, { subtree: true, childList: true, attributes: true, characterData: true });`,
  });
  await second.goto(addressOf(page, 'cases'));
  await expect(second.locator('#row-0 [title^=SF-]')).toBeVisible();
  const drawn = z.array(z.string()).parse(await second.evaluate('window.drawn'));
  expect(drawn.length).toBeGreaterThan(0);
  for (const one of drawn) expect(one).toMatch(/v-theme--dark[^]*Dossiers/);
  await second.close();
  await page.getByRole('radio', { name: 'Clair' }).check();
  await page.getByRole('radio', { name: 'Deutsch' }).check();
  await page.getByRole('link', { name: 'Fälle', exact: true }).click();
});

test('the window waits for no desk that does not answer', async () => {
  // Only the browser uses this socket. The desktop shell has another connection to the engine.
  await page.routeWebSocket(/\/contract$/, () => undefined);
  await page.reload();
  await expect(search()).toBeVisible();
  await page.getByRole('link', { name: 'Einstellungen', exact: true }).click();
  await page.reload();
  await expect(page.getByRole('contentinfo', { name: 'Statusleiste' })).toBeVisible();
});
