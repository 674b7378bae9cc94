import { existsSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { type Browser, expect, type Locator, type Page } from '@playwright/test';
import { inviteAgain, writeRedirect } from '#main/browser/way-in.ts';
import { holderOf } from '#main/engine/home/home-lock.ts';
import { openPracticeDesk, test } from './desk-window.ts';
import {
  addressOf,
  goBack,
  inspectPage,
  newReport,
  oddIcons,
  openInWork,
  overflowsSideways,
  setAppearance,
} from './page.ts';

/** The user works with the pages of the window in one practice workspace, in German. */

/** The reason why a test that changes the served page runs in the browser only. */
const notInElectron = 'the pages of the desktop shell come from no network';

const desk = openPracticeDesk();
let page: Page;
test.beforeAll(() => {
  page = desk.page();
});

const link = (name: string) =>
  page.getByRole('navigation', { name: 'Hauptnavigation' }).getByRole('link', { name });

test('Today has the inspections, assignments and returned reports, and checks for leaving', async () => {
  await expect(page.getByRole('heading', { level: 1, name: 'Heute' })).toBeVisible();
  const inspections = page.getByRole('region', { name: /^Überfällige Besichtigungen/ });
  await expect(inspections.getByRole('link').first()).toBeVisible();
  await expect(page.getByRole('button', { name: /Zurückgegebene Berichte$/ })).toBeVisible();
  expect(await inspectPage(page, 'today')).toEqual([]);

  const ready = page.getByRole('region', { name: 'Bereit für unterwegs' });
  await ready.getByRole('button', { name: 'Prüfen und laden' }).click();
  // The practice cases may have no inspection on these days, depending on the hour of the run.
  await expect(ready.getByText(/Geprüft .*\d\d:\d\d/)).toBeVisible();

  await page.getByRole('button', { name: /Neu zugeteilt$/ }).click();
  const assigned = page.getByRole('region', { name: /^Neu zugeteilt/ });
  await expect(assigned.getByRole('link')).toHaveCount(8);
});

test('what is below the check for leaving does not move while it is read, checked and fetched', async () => {
  await page.setViewportSize({ width: 1024, height: 700 });
  // Each change of the page is drawn at once, so that no place between two frames is missed.
  await page.addInitScript({
    content: `{
      const tops = (window.topsBelowCheck = new Set());
      if (sessionStorage.getItem('watchesCheck'))
        new MutationObserver(() => {
          const below = document.querySelector('.ready')?.nextElementSibling;
          if (below) tops.add(Math.round(below.getBoundingClientRect().top));
          window.hasChecked ||= document.querySelector('.ready [role=progressbar]') !== null;
        }).observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
    }`,
  });
  await page.evaluate(`sessionStorage.setItem('watchesCheck', 'yes')`);
  await page.goto(addressOf(page, 'today'));
  await page.reload();
  const ready = page.getByRole('region', { name: 'Bereit für unterwegs' });
  await ready.locator('.days').click();
  await page.getByRole('option', { name: 'Die nächsten 7 Tage' }).click();
  await ready.getByRole('button', { name: 'Prüfen und laden' }).click();
  await page.waitForFunction('window.hasChecked');
  await expect(ready.getByText(/Geprüft .*\d\d:\d\d/)).toBeVisible();
  const tops = () => page.evaluate(`[...window.topsBelowCheck]`);
  expect(await tops()).toHaveLength(1);
  await page.reload();
  await expect(ready.getByText(/Geprüft .*\d\d:\d\d/)).toBeVisible();
  expect(await tops()).toHaveLength(1);
  await page.evaluate(`sessionStorage.removeItem('watchesCheck')`);
  await page.setViewportSize({ width: 1440, height: 900 });
});

test('a new desk shows first steps and nothing that is due, until one of them was used', async () => {
  await setAppearance(page, { started: false });
  await link('Heute').click();
  const steps = page.getByRole('region', { name: 'Willkommen bei Appraiser Desk' });
  await expect(
    steps.getByRole('listitem').getByRole('button', { name: 'Zur Übung' }),
  ).toBeVisible();
  const overdue = page.getByRole('region', { name: /^Überfällige Besichtigungen/ });
  const ready = page.getByRole('region', { name: 'Bereit für unterwegs' });
  await expect(overdue.or(ready)).toHaveCount(0);
  expect(await inspectPage(page, 'first-steps')).toEqual([]);
  await steps.getByRole('button', { name: 'Fall öffnen' }).click();
  await expect(page).toHaveURL(/#\/cases\/[0-9a-f-]{36}/);
  await link('Heute').click();
  await expect(overdue).toBeVisible();
  await expect(steps).toHaveCount(0);
});

test('the palette finds pages, commands and cases by keyboard', async () => {
  await link('Heute').click();
  await page.keyboard.press('Control+k');
  const palette = page.getByRole('dialog', { name: 'Befehle und Fälle' });
  const field = palette.getByRole('combobox');
  // A user who types on loses no letter. Escape returns the focus.
  await page.keyboard.type('einst');
  await page.keyboard.press('Escape');
  await expect(palette).toBeHidden();
  await expect(link('Heute')).toBeFocused();
  await page.keyboard.press('Control+k');
  await page.keyboard.type('einst dar');
  await expect(field).toHaveValue('einst dar');
  await expect(palette.getByRole('option')).toHaveText(['Einstellungen: Darstellung']);
  await page.keyboard.press('Enter');
  await expect(palette).toBeHidden();
  await expect(page.getByRole('radio', { name: 'Deutsch' })).toBeChecked();
  await expect(page.getByRole('heading', { level: 1, name: 'Einstellungen' })).toBeFocused();

  // The navigation has a button that opens the palette.
  await page.getByRole('button', { name: 'Suchen', exact: true }).click();
  await field.fill('ZH');
  await expect(palette.getByRole('group', { name: 'Fälle' }).getByRole('option')).not.toHaveCount(
    0,
  );
  expect(await inspectPage(page, 'palette')).toEqual([]);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/#\/cases\/[0-9a-f-]{36}/);
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
});

test('auto-repeat of a pressed key does not close again what it opened', async () => {
  const palette = page.getByRole('dialog', { name: 'Befehle und Fälle' });
  await page.keyboard.down('Control');
  await page.keyboard.down('k');
  await palette.getByRole('combobox').waitFor();
  await page.keyboard.down('k');
  await page.keyboard.up('k');
  await page.keyboard.up('Control');
  // The next input proves it, because the keys of a window arrive in their order.
  await page.keyboard.type('einst dar');
  await expect(palette.getByRole('option')).toHaveText(['Einstellungen: Darstellung']);
  await page.keyboard.press('Escape');
  await expect(palette).toBeHidden();
});

test('a single key opens the overview, and can be turned off', async () => {
  await page.locator('body').click({ position: { x: 4, y: 4 } });
  await page.keyboard.press('?');
  const overview = page.getByRole('dialog', { name: 'Tastenkürzel' });
  await expect(overview.getByText('Jetzt synchronisieren')).toBeVisible();
  await expect(overview.getByText('Ctrl K')).toBeVisible();
  expect(await inspectPage(page, 'shortcuts')).toEqual([]);
  await page.keyboard.press('Escape');
  await expect(overview).toBeHidden();

  await link('Einstellungen').click();
  await page.getByRole('link', { name: 'Darstellung' }).click();
  const single = page.getByRole('checkbox', { name: 'Tastenkürzel mit einer einzelnen Taste' });
  await single.uncheck();
  await page.getByRole('heading', { level: 1 }).click();
  await page.keyboard.press('?');
  // Keys arrive in their order: if "?" still opened the overview, its dialog would have the focus.
  await page.keyboard.press('Control+k');
  await expect(page.getByRole('dialog')).toHaveCount(1);
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await single.check();
});

test('Insights begin with sums, follow the filter, and lead to the cases of a row', async () => {
  await link('Auswertung').click();
  const savings = page.getByRole('region', { name: 'Einsparung nach Monat' }).first();
  await expect(savings.getByRole('row').nth(1)).toBeVisible();
  const open = page.getByRole('link', { name: /^Offene Fälle/ });
  await expect(open).toContainText('%');
  expect(await inspectPage(page, 'insights')).toEqual([]);
  const save = page.getByRole('button', { name: 'Als CSV speichern: Fälle nach Status' });
  const { name } = await desk.window().saved(() => save.click());
  expect(name).toBe('Fälle nach Status.csv');
  const cases = page.getByRole('status').filter({ hasText: /^\d+ F(all|älle)$/ });
  const all = await cases.innerText();
  await page.getByRole('searchbox', { name: 'Fälle durchsuchen' }).fill('zürich');
  await expect(cases).not.toHaveText(all);
  await page.getByRole('searchbox', { name: 'Fälle durchsuchen' }).fill('');
  await expect(cases).toHaveText(all);
  await page.getByRole('button', { name: 'Filter', exact: true }).click();
  await page.getByLabel('Besichtigung ab', { exact: true }).fill('01.01.2099');
  await expect(page.getByText('Kein Fall passt zu diesem Filter.')).toBeVisible();
  await page.getByLabel('Besichtigung ab', { exact: true }).fill('');
  await expect(savings).toBeVisible();
  const filters = ['Ohne Beträge', 'Dokumente nicht auf diesem Gerät', 'Nur offene Fälle'];
  for (const filter of filters) {
    await page.getByRole('checkbox', { name: filter }).check();
    await expect(cases).not.toHaveText(all);
    await page.getByRole('checkbox', { name: filter }).uncheck();
    await expect(cases).toHaveText(all);
  }
  await page.keyboard.press('Escape');

  // Each row leads to as many cases as it counts.
  const found = page.getByRole('search').getByRole('status');
  for (const [region, row] of [
    ['Fälle nach Status', /^In Arbeit/],
    ['Alter der offenen Fälle seit der Erstellung', /^\D*7 bis 13 Tage/],
  ] as const) {
    const line = page.getByRole('region', { name: region }).first().getByRole('row', { name: row });
    const n = await line.getByRole('cell').first().innerText();
    await line.getByRole('link').click();
    await expect(found).toHaveText(new RegExp(`^${n} F(all|älle)$`));
    await goBack(page);
  }
  const n = await open.locator('.figure').innerText();
  await open.click();
  await expect(found).toHaveText(`${n} Fälle`);
  await page.getByRole('button', { name: 'Filter entfernen: Nur offene Fälle' }).click();
  await expect(found).toHaveText('60 Fälle');
});

test('drafts stand in the outbox, next to what waits and what was delivered', async () => {
  await newReport(page, 0);
  await link('Postausgang').click();
  const drafts = page.getByRole('region', { name: /^Entwürfe/ });
  await expect(drafts.getByRole('link')).toHaveCount(1);
  expect(await inspectPage(page, 'drafts')).toEqual([]);
  // The former address of the drafts still leads to them.
  await page.goto(addressOf(page, 'reports'));
  await expect(page).toHaveURL(/#\/queue\?part=drafts$/);
  await drafts.getByRole('link').click();
  await expect(page.getByRole('heading', { name: 'Bericht zusammenstellen' })).toBeVisible();
});

test('the list filters by insurer, dates and what is missing', async () => {
  await page.goto(addressOf(page, 'cases?status=InProgress'));
  await page.getByRole('button', { name: 'Filter zurücksetzen' }).click();
  const filters = page.getByRole('button', { name: 'Filter', exact: true });
  await filters.click();
  // Rows of the list are options too, and so are those of a menu that is closing.
  const menu = page.locator('.v-overlay--active > .v-select__content');
  const choose = async (filter: string, pick: (options: Locator) => Locator) => {
    await page.getByRole('combobox', { name: filter }).press('Enter');
    const option = pick(menu.getByRole('option'));
    await expect(option).toBeVisible();
    const name = (await option.textContent()) ?? '';
    await option.click();
    await expect(menu).toHaveCount(0);
    return name.trim();
  };
  const name = await choose('Versicherer', (options) => options.nth(1));
  await page.keyboard.press('Escape');
  // A set filter is named next to the closed menu.
  const chip = page.getByRole('button', { name: `Filter entfernen: ${name}` });
  await expect(chip).toBeVisible();
  await expect(page.locator('#row-0 [title^=SF-]')).toBeVisible();
  await chip.click();
  await expect(chip).toHaveCount(0);
  await filters.click();
  await page.getByRole('checkbox', { name: 'Ohne Beträge' }).check();
  await expect(page.getByRole('search').getByRole('status')).not.toHaveText('60 Fälle');
  await page.getByLabel('Besichtigung ab', { exact: true }).fill('01.01.2099');
  await expect(page.getByRole('heading', { name: 'Keine Treffer' })).toBeVisible();
  expect(await inspectPage(page, 'filters')).toEqual([]);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Filter zurücksetzen' }).first().click();
  await expect(page.getByRole('search').getByRole('status')).toHaveText('60 Fälle');
});

test('the status bar shows whether closing is safe, and why', async () => {
  // Earlier tests may have begun work, which the navigation counts by the same ledger. Both are
  // known once the status is.
  const mayClose = page.getByRole('button', { name: 'Sie können schliessen' });
  await expect(mayClose).toBeVisible();
  const isBegun = await page.getByRole('link', { name: /^Abschluss .*angefangen/ }).isVisible();
  const why = isBegun ? /^Was angefangen ist/ : /^(Es ist nichts zu senden|Diese Übungsumgebung)/;
  await mayClose.click();
  await expect(page.getByText(why)).toBeVisible();
  await page.keyboard.press('Escape');
  await openInWork(page);
  await page.getByRole('textbox', { name: 'Kommentar' }).fill('Noch nicht gesendet');
  // Typed text is stored within a second, and then closing is safe again.
  await expect(mayClose).toBeVisible();
  await page.getByRole('button', { name: 'Verwerfen' }).click();
  await expect(mayClose).toBeVisible();
});

test('a second window follows in language and colours', async () => {
  const second = await desk.window().openAnother();
  await second.goto(addressOf(page, 'settings/appearance'));
  await expect(second.getByRole('radio', { name: 'Deutsch' })).toBeChecked();
  await link('Heute').click();
  await second.getByRole('radio', { name: 'English' }).check();
  await expect(page.getByRole('heading', { level: 1, name: 'Today' })).toBeVisible();
  await second.getByRole('radio', { name: 'Dark' }).check();
  await expect(page.locator('.v-theme--dark').first()).toBeAttached();
  await second.getByRole('radio', { name: 'Light' }).check();
  await second.getByRole('radio', { name: 'Deutsch' }).check();
  await expect(page.getByRole('heading', { level: 1, name: 'Heute' })).toBeVisible();
  await second.close();
});

function browserOf(page: Page): Browser {
  const browser = page.context().browser();
  if (!browser) throw new Error('the page has no browser');
  return browser;
}

test('a browser is led to the desk by a file, and by it only once', async ({ shell }) => {
  test.skip(shell === 'electron', 'no browser is opened');
  const { homePath } = desk;
  const url = (await inviteAgain(homePath, holderOf(homePath))) ?? '';
  const redirect = writeRedirect(homePath, url);
  // The contexts are separate, because another window of the same browser would ask the first one.
  for (const [address, outcome] of [
    [pathToFileURL(redirect).href, 'Heute'],
    [url, 'Dieser Link gilt nicht mehr'],
  ] as const) {
    const context = await browserOf(page).newContext({ locale: 'de-CH' });
    const led = await context.newPage();
    await led.goto(address);
    await expect(led.getByText(outcome).first()).toBeVisible();
    if (outcome !== 'Heute') {
      // A new link that is pasted into this tab changes only the fragment, and opens the desk.
      await led.goto((await inviteAgain(homePath, holderOf(homePath))) ?? '');
      await expect(led.getByRole('heading', { level: 1, name: 'Heute' })).toBeVisible();
    }
    await context.close();
    expect(existsSync(redirect)).toBe(false);
  }
});

test('forced colours mark the current page, and frame the main button', async () => {
  await link('Heute').click();
  await page.emulateMedia({ forcedColors: 'active' });
  await expect(link('Heute')).toHaveCSS('outline-style', 'solid');
  await expect(link('Fälle')).toHaveCSS('outline-style', 'none');
  await page.emulateMedia({ forcedColors: 'none' });
  await openInWork(page, 1);
  await page.emulateMedia({ forcedColors: 'active' });
  const main = page.getByRole('button', { name: 'Neuer Bericht' }).first();
  await expect(main).toHaveCSS('border-top-width', '2px');
  await page.emulateMedia({ forcedColors: 'none' });
});

test('a window opens if the browser stores nothing', async ({ shell }) => {
  test.skip(shell === 'electron', notInElectron);
  const second = await page.context().newPage();
  await second.addInitScript({
    content: `Object.defineProperty(window, 'localStorage', {
      get() { throw new DOMException('nothing is kept here', 'SecurityError'); },
    });`,
  });
  await second.goto(addressOf(page, 'today'));
  await expect(second.getByRole('heading', { level: 1, name: 'Heute' })).toBeVisible();
  await second.close();
});

test('a first page that cannot be loaded does not load the window again and again', async ({
  shell,
}) => {
  test.skip(shell === 'electron', notInElectron);
  const second = await page.context().newPage();
  const opened: string[] = [];
  second.on('request', (request) => {
    if (request.isNavigationRequest()) opened.push(request.url());
  });
  await second.route(/\/InsightsPage-[^/]+\.js$/, (route) =>
    route.fulfill({ contentType: 'text/javascript', body: 'throw new Error("a broken build")' }),
  );
  const broken = second.waitForEvent('console', (message) => message.type() === 'error');
  await second.goto(addressOf(page, 'insights'));
  // A script with another digest than the page's does not run.
  expect((await broken).text()).toContain('Failed to find a valid digest');
  await expect(second.getByText('Keine Verbindung zu Appraiser Desk')).toBeVisible();
  await second.getByRole('link', { name: 'Postausgang', exact: true }).click();
  await expect(second.getByRole('heading', { level: 1, name: 'Postausgang' })).toBeVisible();
  expect(opened).toHaveLength(1);
  await second.close();
});

// The event that tells of an address may come before the first page is shown, or after it.
for (const eventComes of ['early', 'late'])
  test(`an address that is opened before the first page is shown is not lost, its event ${eventComes}`, async () => {
    await page.goto(addressOf(page, 'today'));
    await page.addInitScript({
      content: `if (sessionStorage.getItem('opensOutbox') === '${eventComes}') {
        sessionStorage.removeItem('opensOutbox');
        const late = (event) => event.stopImmediatePropagation();
        if ('${eventComes}' === 'late') addEventListener('hashchange', late, { once: true });
        const drawn = new MutationObserver(() => {
          if (!document.querySelector('nav')) return;
          drawn.disconnect();
          location.hash = '#/queue';
        });
        drawn.observe(document, { subtree: true, childList: true });
      }`,
    });
    await page.evaluate(`sessionStorage.setItem('opensOutbox', '${eventComes}')`);
    await page.reload();
    await expect(page.getByRole('heading', { level: 1, name: 'Postausgang' })).toBeVisible();
    await page.goBack();
    await expect(page.getByRole('heading', { level: 1, name: 'Heute' })).toBeVisible();
  });

test('a page that an update removed reloads the window, and shows itself then', async ({
  shell,
}) => {
  test.skip(shell === 'electron', notInElectron);
  const second = await page.context().newPage();
  let opened = 0;
  second.on('request', (request) => {
    if (request.isNavigationRequest()) opened += 1;
  });
  await second.route(/\/InsightsPage-[^/]+\.js$/, (route) =>
    opened === 1 ? route.fulfill({ status: 404, body: '' }) : route.continue(),
  );
  await second.goto(addressOf(page, 'today'));
  await expect(second.getByRole('heading', { level: 1, name: 'Heute' })).toBeVisible();
  await second.getByRole('link', { name: 'Auswertung' }).click();
  await expect(second.getByRole('heading', { level: 1, name: 'Auswertung' })).toBeVisible();
  expect(opened).toBe(2);
  await second.close();
});

test('icons have the same sizes in all pages, also those that Vuetify draws', async () => {
  for (const address of ['today', 'queue', 'insights', 'settings/storage']) {
    await page.goto(addressOf(page, address));
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    expect(await oddIcons(page), address).toEqual([]);
  }
  await openInWork(page);
  expect(await oddIcons(page), 'a case').toEqual([]);
});

test('nothing is cut off at 200 % zoom, nor in the pages of practice and help at 1024x700', async () => {
  const ofPractice = ['practice', 'help'];
  const all = ['today', 'cases', 'queue', 'insights', ...ofPractice, 'settings/connection'];
  for (const [width, height, addresses] of [
    // The other pages at this size are tested in whole.spec.ts.
    [1024, 700, ofPractice],
    [720, 450, all],
  ] as const) {
    await page.setViewportSize({ width, height });
    for (const address of addresses) {
      await page.goto(addressOf(page, address));
      await expect(page.getByRole('main')).toBeVisible();
      expect(await overflowsSideways(page), `${address} at ${width}`).toBe(false);
    }
  }
  // The case takes three fifths of the height, and its head loses nothing.
  await openInWork(page);
  const room = await page.locator('.case .scroll').boundingBox();
  expect(room?.height).toBeGreaterThanOrEqual(270);
  await expect(
    page
      .locator('.case .scroll')
      .getByText(/^SF-\d{4}-\d+$/)
      .first(),
  ).toBeVisible();
  await expect(page.getByRole('link', { name: 'Zur Liste' })).toBeVisible();
  expect(await overflowsSideways(page)).toBe(false);
  await page.setViewportSize({ width: 1440, height: 900 });
});
