import { join } from 'node:path';
import { writeFileSync } from 'node:fs';
import { expect, type Page } from '@playwright/test';
import { z } from 'zod';
import { makeJpeg } from '../support/sample-files.ts';
import { openPracticeDesk, test } from './desk-window.ts';
import { newReport, openInWork } from './page.ts';
import { holdCallsAfter } from './page-calls.ts';
import { openMarks } from './report-photos.ts';

const desk = openPracticeDesk();

const comment = (page: Page) => page.getByLabel('Kommentar', { exact: true });
const estimate = (page: Page) => page.getByLabel('Kostenvoranschlag');
const note = (page: Page) =>
  page.getByRole('region', { name: 'Private Notiz' }).getByRole('textbox');

/** Returns the position of the caret in the focused field. */
async function caret(page: Page): Promise<number> {
  return z.number().parse(await page.evaluate('document.activeElement.selectionStart'));
}

test('two screens: what is typed in one window of a case appears in the other, and nothing is lost', async () => {
  const one = desk.page();
  await openInWork(one);
  const two = await desk.window().openAnother();

  await test.step('the comment, the amounts and the note follow', async () => {
    await comment(one).fill('Schweller verbogen');
    await estimate(one).fill('4200');
    await note(one).fill('Hund im Hof');
    await expect(comment(two)).toHaveValue('Schweller verbogen');
    await expect(estimate(two)).toHaveValue('4’200.00');
    await expect(note(two)).toHaveValue('Hund im Hof');
    // The hint under the note does not interrupt a screen reader.
    await expect(two.getByText(/Nur auf diesem Gerät und in Ihren Sicherungen/)).toBeVisible();
    await expect(two.locator('.v-input__details[role=alert]')).toHaveCount(0);
  });

  await test.step('a text of the other window leaves the caret where one types', async () => {
    await comment(two).fill('Schweller verbogen, Tür zerkratzt');
    // The user selects and overwrites the text that is there.
    await expect(comment(one)).toHaveValue('Schweller verbogen, Tür zerkratzt');
    await comment(one).fill('Links: Schweller verbogen, Tür zerkratzt');
    await expect(comment(two)).toHaveValue('Links: Schweller verbogen, Tür zerkratzt');
    await comment(two).press('Control+Home');
    for (let letters = 0; letters < 6; letters += 1) await comment(two).press('ArrowRight');
    await comment(one).fill('Links: Schweller verbogen, Tür zerkratzt, Rad fehlt');
    await expect(comment(two)).toHaveValue('Links: Schweller verbogen, Tür zerkratzt, Rad fehlt');
    expect(await caret(two)).toBe(6);
    await comment(two).press('!');
    await expect(comment(one)).toHaveValue('Links:! Schweller verbogen, Tür zerkratzt, Rad fehlt');
  });

  await test.step('the text that the other window replaced is taken back with one click', async () => {
    await comment(one).fill('Totalschaden');
    await expect(comment(two)).toHaveValue('Totalschaden');
    await comment(two).fill('Nur ein Kratzer');
    await expect(comment(one)).toHaveValue('Nur ein Kratzer');
    const message = one.getByText('Der Text wurde in einem anderen Fenster ersetzt.');
    await expect(message).toBeVisible();
    await one.getByRole('button', { name: 'Rückgängig' }).click();
    await expect(comment(two)).toHaveValue('Totalschaden');
  });

  await test.step('what is queued in one window is no longer typed in the other', async () => {
    await one.getByRole('button', { name: 'Kommentar speichern' }).click();
    await expect(two.getByRole('button', { name: 'Kommentar speichern' })).toBeHidden();
    await expect(comment(two)).toHaveValue('Totalschaden');
  });
  await two.close();
});

test('two screens: what is typed while the other window opens appears there too', async ({
  shell,
}) => {
  test.skip(shell === 'electron', 'only the browser has sockets, which a test can hold up');
  const one = desk.page();
  await openInWork(one, 2);
  const two = await one.context().newPage();
  const calls = await holdCallsAfter(two, '/edits/list');
  await two.goto(one.url());
  await calls.reached;
  await comment(one).fill('Spiegel fehlt');
  await expect(one.getByText('Auf diesem Gerät gespeichert').first()).toBeVisible();
  calls.release();
  await expect(comment(two)).toHaveValue('Spiegel fehlt');
  await two.close();
});

test('two screens: the text, captions and marks of a report follow in the other window', async () => {
  const one = desk.page();
  await newReport(one, 1);
  const photo = join(desk.folderPath, 'tuer.jpg');
  writeFileSync(photo, makeJpeg());
  await one.locator('input[type=file]').first().setInputFiles(photo);
  await expect(one.getByRole('link', { name: 'Fotos bearbeiten' })).toBeVisible();
  const two = await desk.window().openAnother();
  const text = (page: Page) => page.getByRole('textbox', { name: 'Kommentar zum Bericht' });
  await text(one).fill('Reparatur möglich');
  await expect(text(two)).toHaveValue('Reparatur möglich');

  for (const page of [one, two]) {
    await page.getByRole('link', { name: 'Fotos bearbeiten' }).click();
    await page.getByRole('option').first().click();
  }
  const caption = (page: Page) => page.getByRole('textbox', { name: 'Legende' });
  await caption(two).fill('Tür links');
  await expect(caption(one)).toHaveValue('Tür links');

  const size = { width: 4, height: 3 };
  const here = await openMarks(one, 0, size);
  const there = await openMarks(two, 0, size);
  await here.editor.getByRole('button', { name: 'Unkenntlich machen' }).click();
  await here.draw([0.2, 0.2], [0.4, 0.4]);
  const marks = there.editor.locator('.marks button.mark');
  await expect(marks).toHaveText(['Unkenntlich machen']);
  await there.draw([0.6, 0.6], [0.8, 0.8]);
  await expect(here.editor.locator('.marks button.mark')).toHaveText([
    'Unkenntlich machen',
    'Pfeil',
  ]);
  await there.editor.getByRole('button', { name: 'Rückgängig' }).click();
  await expect(here.editor.locator('.marks button.mark')).toHaveText(['Unkenntlich machen']);
  await two.close();
});
