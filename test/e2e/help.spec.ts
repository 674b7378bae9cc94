import { expect, type Page } from '@playwright/test';
import { languageNames, type Language } from '#shared/i18n/language.ts';
import { openPracticeDesk, test } from './desk-window.ts';
import { accessibilityFaults, addressOf, overflowsSideways, takePicture } from './page.ts';

/** A user who needs advice reads the help in the four languages. */

const desk = openPracticeDesk();
let page: Page;
test.beforeAll(() => {
  page = desk.page();
});

const asked: Readonly<
  Record<Language, { help: string; search: string; question: string; found: string }>
> = {
  de: {
    help: 'Hilfe',
    search: 'In der Hilfe suchen',
    question: 'warum wird mein bericht nicht gesendet',
    found: 'Ein Eintrag wartet auf die Annahme des Falls',
  },
  en: {
    help: 'Help',
    search: 'Search the help',
    question: 'why is my report not sent',
    found: 'An entry waits for the acceptance of its case',
  },
  fr: {
    help: 'Aide',
    search: 'Chercher dans l’aide',
    question: 'pourquoi mon rapport n’est pas transmis',
    found: 'Une entrée attend l’acceptation du dossier',
  },
  it: {
    help: 'Aiuto',
    search: 'Cerca nell’aiuto',
    question: 'perché il rapporto non viene trasmesso',
    found: 'Una voce attende l’accettazione del caso',
  },
};

for (const [language, { help, search, question, found }] of Object.entries(asked))
  test(`the help in ${language} is read from end to end, and answers a question`, async () => {
    await page.goto(addressOf(page, 'settings/appearance'));
    await page.getByRole('radio', { name: languageNames[language as Language] }).check();
    await page.goto(addressOf(page, 'help'));
    await expect(page.getByRole('heading', { level: 1, name: help })).toBeVisible();
    const titles = page.getByRole('main').getByRole('heading', { level: 3 });
    await expect.poll(() => titles.count()).toBeGreaterThan(45);
    await takePicture(page, `help-${language}`);
    expect(await overflowsSideways(page)).toBe(false);
    expect(await accessibilityFaults(page)).toEqual([]);
    await titles.last().scrollIntoViewIfNeeded();
    await takePicture(page, `help-end-${language}`);
    await page.getByRole('searchbox', { name: search }).fill(question);
    await expect(page.getByRole('heading', { level: 2 }).first()).toHaveText(found);
    await takePicture(page, `help-found-${language}`);
  });

test('the help opens at what it says about the page it is called from', async () => {
  await page.goto(addressOf(page, 'settings/appearance'));
  await page.getByRole('radio', { name: languageNames.de }).check();
  await page.goto(addressOf(page, 'queue'));
  await page.getByRole('link', { name: 'Hilfe' }).click();
  await expect(page.getByRole('heading', { name: 'Der Postausgang' })).toBeFocused();
  await page.keyboard.press('Control+k');
  await page.keyboard.type('laptop gestohlen');
  await page.getByRole('option', { name: /^Das Gerät ist verloren/ }).click();
  await expect(
    page.getByRole('heading', { name: 'Das Gerät ist verloren oder defekt' }),
  ).toBeFocused();
});

test('what is wrong with a page is found, so an empty list of faults says something', async () => {
  await page.evaluate(`document.querySelector('main').append(document.createElement('button'))`);
  expect(await accessibilityFaults(page)).toEqual(['button-name: <button></button>']);
});
