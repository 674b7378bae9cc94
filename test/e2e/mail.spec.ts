import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from '@playwright/test';
import { makePdf, writeSample } from '../support/sample-files.ts';
import { openPracticeDesk, test } from './desk-window.ts';
import { inspectPage, newReport } from './page.ts';
import { nameFields } from './report-photos.ts';

/** A mail is read as its sender wrote it, and asks nothing of a network. */
const desk = openPracticeDesk();

test('a mail is shown with its people, time, text and files, and fetches nothing', async () => {
  const page = desk.page();
  const folder = join(desk.folderPath, 'mails');
  mkdirSync(folder);
  const offer = await makePdf('Offerte');
  const fetched: string[] = [];
  page.on('request', (request) => fetched.push(request.url()));
  await newReport(page, 3);
  await page
    .locator('input[type=file][multiple]')
    .setInputFiles(writeSample(folder, 'Anfrage.eml', mailWith(offer)));
  await expect(nameFields(page)).toHaveCount(1);
  await page.getByRole('button', { name: /^Ansehen: Anfrage/ }).click();
  const mail = page.getByRole('article');
  await expect(mail.getByRole('heading', { name: 'Kotflügel vorne' })).toBeVisible();
  await expect(mail).toContainText('Zoé Müller <zoe@garage.example>');
  await expect(mail).toContainText('02.03.2026');
  await expect(mail).toContainText('Grüezi, hier die Offerte.');
  expect(await inspectPage(page, 'mail')).toEqual([]);
  const saved = await desk
    .window()
    .saved(() => mail.getByRole('button', { name: 'Datei speichern: Offerte.pdf' }).click());
  expect(saved.name).toBe('Offerte.pdf');
  expect(readFileSync(saved.path).equals(offer)).toBe(true);
  expect(fetched.filter((url) => url.includes('tracker'))).toEqual([]);
});

function mailWith(file: Buffer): Buffer {
  return Buffer.from(
    [
      'From - Mon Mar 02 10:00:00 2026',
      'From: =?utf-8?Q?Zo=C3=A9_M=C3=BCller?= <zoe@garage.example>',
      'To: appraiser@example.ch',
      'Date: Mon, 2 Mar 2026 10:00:00 +0100',
      'Subject: =?utf-8?Q?Kotfl=C3=BCgel_vorne?=',
      'MIME-Version: 1.0',
      'Content-Type: multipart/mixed; boundary=part',
      '',
      '--part',
      'Content-Type: text/html; charset=utf-8',
      '',
      '<p>Grüezi, hier die <b>Offerte</b>.</p><img src="https://tracker.invalid/seen.png">',
      '<link rel="stylesheet" href="https://tracker.invalid/a.css"><script>alert(1)</script>',
      '--part',
      'Content-Type: application/pdf; name="Offerte.pdf"',
      'Content-Disposition: attachment; filename="Offerte.pdf"',
      'Content-Transfer-Encoding: base64',
      '',
      file.toString('base64').replaceAll(/.{76}/g, '$&\r\n'),
      '--part--',
      '',
    ].join('\r\n'),
  );
}
