import { expect } from '@playwright/test';
import { makePdf, writeSample } from '../support/sample-files.ts';
import { openPracticeDesk, test } from './desk-window.ts';

const desk = openPracticeDesk();

test('a file of a batch stays where the user types while others come in', async () => {
  const page = desk.page();
  const list = page.getByRole('region', { name: 'Dateien und ihre Fälle' });
  const names = list.locator('li button.name');
  const field = (name: string) => page.getByLabel(`Schadenfall: ${name}`);
  const add = async (...files: string[]) => {
    const bytes = await Promise.all(files.map((name) => makePdf(name)));
    const paths = files.map((name, index) =>
      writeSample(desk.folderPath, name, Buffer.from(bytes[index] ?? [])),
    );
    await page.locator('input[data-pick=files]').setInputFiles(paths);
  };
  await page.getByRole('link', { name: 'Sammelversand', exact: true }).click();
  await add('a.pdf', 'b.pdf');
  await expect(names).toHaveText(['a.pdf', 'b.pdf']);

  await field('a.pdf').pressSequentially('e');
  await page
    .getByRole('group', { name: /a\.pdf$/ })
    .getByRole('button')
    .first()
    .click();
  await expect(field('a.pdf')).not.toHaveValue('e');
  await field('a.pdf').focus();
  await add('c.pdf');
  await expect(page.getByRole('button', { name: 'Ansehen: c.pdf' })).toBeEnabled();
  await expect(names).toHaveText(['a.pdf', 'b.pdf', 'c.pdf']);
  await expect(field('a.pdf')).toBeFocused();

  // Nor does anything move under the mouse that takes the focus away.
  await list.getByRole('heading').hover();
  await page.mouse.down();
  await expect(field('a.pdf')).not.toBeFocused();
  await expect(names).toHaveText(['a.pdf', 'b.pdf', 'c.pdf']);
  await page.mouse.up();
  await expect(names).toHaveText(['b.pdf', 'c.pdf', 'a.pdf']);

  await page.getByRole('button', { name: 'Anderer Fall: a.pdf' }).click();
  await expect(field('a.pdf')).toBeFocused();
});
