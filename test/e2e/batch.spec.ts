import { expect } from '@playwright/test';
import { makePdf, writeSample } from '../support/sample-files.ts';
import { openPracticeDesk, test } from './desk-window.ts';
import { chooseFromMenu } from './page.ts';

const desk = openPracticeDesk();

test('a file of a batch stays where the user types while others come in', async () => {
  const page = desk.page();
  const list = page.getByRole('region', { name: 'Dateien und ihre Fälle' });
  const names = list.locator('[role=listitem] button.name');
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

  // The list also stays still when the mouse takes the focus away.
  await list.getByRole('heading').hover();
  await page.mouse.down();
  await expect(field('a.pdf')).not.toBeFocused();
  await expect(names).toHaveText(['a.pdf', 'b.pdf', 'c.pdf']);
  await page.mouse.up();
  await expect(names).toHaveText(['b.pdf', 'c.pdf', 'a.pdf']);

  await chooseFromMenu(page.getByRole('button', { name: 'Mehr zu «a.pdf»' }), 'Anderer Fall');
  await expect(field('a.pdf')).toBeFocused();

  // Next to files the zone is one line in the smallest window.
  await page.setViewportSize({ width: 1024, height: 700 });
  const zone = await page.locator('.zone').boundingBox();
  expect(zone?.height).toBeLessThan(46);
  await page.setViewportSize({ width: 1440, height: 900 });
});

test('the files that a mail carries are offered, and go to the case of its subject', async () => {
  const page = desk.page();
  const names = page
    .getByRole('region', { name: 'Dateien und ihre Fälle' })
    .locator('[role=listitem] button.name');
  const pdf = Buffer.from(await makePdf('Offerte'));
  const lines = [
    'Subject: Offerte SF-2026-000048',
    'Content-Type: multipart/mixed; boundary=part',
    '',
    '--part',
    'Content-Type: application/pdf; name="Offerte.pdf"',
    'Content-Transfer-Encoding: base64',
    '',
    pdf.toString('base64'),
    '--part--',
    '',
  ];
  const mail = writeSample(desk.folderPath, 'Anfrage.eml', Buffer.from(lines.join('\r\n')));
  await page.getByRole('link', { name: 'Sammelversand', exact: true }).click();
  await page.locator('input[data-pick=files]').setInputFiles([mail]);
  await expect(page.getByText('Schadennummer SF-2026-000048 (im Betreff)')).toHaveCount(1);
  await page.getByRole('button', { name: '1 Anhang als Datei hinzufügen: Anfrage.eml' }).click();
  await expect(
    page.getByRole('button', { name: 'Ansehen: Anfrage.eml/Offerte.pdf' }),
  ).toBeEnabled();
  await expect(page.getByText('Schadennummer SF-2026-000048 (im Betreff)')).toHaveCount(2);
  await expect(names.filter({ hasText: 'Offerte.pdf' })).toHaveCount(1);
  await expect(page.getByRole('button', { name: /Anhang als Datei/ })).toHaveCount(0);
});
