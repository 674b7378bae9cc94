import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import fc from 'fast-check';
import { strToU8, zipSync } from 'fflate';
import { afterAll, describe, expect, it } from 'vitest';
import { PdfTextReader } from '#main/engine/document-text/read-pdf-text.ts';
import { MailTextReader } from '#main/engine/document-text/read-mail-text.ts';
import { FileChecker } from '#main/engine/readable/file-checker.ts';
import { TemplateThread } from '#main/engine/templates/template-thread.ts';
import { readChecked } from '#main/engine/work/take-file.ts';
import { readMessage } from '#shared/lib/read-message.ts';
import { brokenFiles } from '../support/broken-files.ts';
import { smokeOrLong, testLimitMs } from '../support/long.ts';
import { certificatePdf, protectedPdf, scanPdf, smallPdf } from '../support/pdf-files.ts';
import { laterRefusalOf } from '../support/refusals.ts';
import { makePdf } from '../support/sample-files.ts';
import { makeDocx, paragraph, table } from '../support/word-documents.ts';
import { faultLog } from '../support/fault-log.ts';

// Broken PDFs, mails and archives are read or refused, and the thread that reads them reads the next
// one. `npm test` breaks them in the same ways each time, `npm run test:long` in others.

const fixture = (name: string) =>
  readFileSync(join(import.meta.dirname, '../support/fixtures', name));
const whole = smallPdf('Gesamtbetrag CHF 1190.00');
const pdfs = [
  whole,
  scanPdf(64, 64),
  await protectedPdf('geheim'),
  await makePdf('one', 'two'),
  ...['form-noap.pdf', 'form-needap.pdf', 'portfolio.pdf', 'pw-user.pdf'].map(fixture),
];
const mails = [
  ...['crlf', 'mbox', 'gt-from', 'bom', 'blank'].map((kind) => fixture(`eml-${kind}.eml`)),
  mailOfParts(whole),
];
const docx = Buffer.from(
  makeDocx(paragraph('{party.name}', ' {case.key}') + table(['{#photos}{caption}{/photos}'])),
);
const archive = Buffer.from(zipSync({ 'a.txt': strToU8('one'), 'folder/b.txt': strToU8('two') }));

const seed = smokeOrLong(37, Math.floor(Math.random() * 2 ** 31));
const numRuns = smokeOrLong(20, 3000);
const timeout = smokeOrLong(testLimitMs, 3_600_000);
const readers = {
  checker: new FileChecker(faultLog),
  texts: new PdfTextReader(faultLog),
  mails: new MailTextReader(faultLog),
  templates: new TemplateThread(faultLog),
};
afterAll(() =>
  Promise.all([
    readers.checker.close(),
    readers.texts.end(),
    readers.mails.end(),
    readers.templates.end(),
  ]),
);

const signal = new AbortController().signal;
const limit = { timeoutMs: 20_000, signal };

const check = async (bytes: Buffer) => {
  const order = { bytes: new Uint8Array(bytes), contentType: 'application/pdf' as const };
  return (await readers.checker.check(order)).kind;
};

describe('a broken PDF', { timeout }, () => {
  it('is readable, protected, damaged or of an unknown encryption, and the next one is readable', async () => {
    await fc.assert(
      fc.asyncProperty(brokenFiles(pdfs), async (broken) => {
        const finding = await check(broken);
        // Not `unknown`: the thread answers by itself.
        expect(['readable', 'protected', 'damaged', 'unknownEncryption']).toContain(finding);
        expect(await check(whole)).toBe('readable');
      }),
      { numRuns, seed, examples: [[certificatePdf()]] },
    );
  });

  it('has a text within its limit, or none, and the next one has its own', async () => {
    await fc.assert(
      fc.asyncProperty(brokenFiles(pdfs), async (broken) => {
        const found = await readers.texts.read(new Uint8Array(broken), limit);
        expect(found?.text.length).toBeLessThanOrEqual(200_000);
        expect(found?.scannedPages.length ?? 0).toBeLessThanOrEqual(300);
        const next = await readers.texts.read(new Uint8Array(whole), limit);
        expect(next?.text).toContain('Gesamtbetrag');
      }),
      { numRuns, seed, examples: [[certificatePdf()]] },
    );
  });
});

describe('a broken mail', { timeout }, () => {
  it('is read within bounds, or refused', async () => {
    await fc.assert(
      fc.asyncProperty(brokenFiles(mails), async (broken) => {
        const mail = await readMessage(broken).catch(() => null);
        if (mail === null) return;
        expect(mail.text.length).toBeLessThanOrEqual(300_000);
        expect(mail.attachments.length).toBeLessThanOrEqual(100);
        const inside = mail.attachments.reduce((sum, { content }) => sum + content.length, 0);
        // A byte that is no letter of its encoding becomes three.
        expect(inside).toBeLessThanOrEqual(3 * broken.length);
      }),
      { numRuns, seed },
    );
  });

  it('has words for the search, or none, and the next one has its own', async () => {
    const next = mailOfParts(whole);
    await fc.assert(
      fc.asyncProperty(brokenFiles(mails), async (broken) => {
        const words = (bytes: Buffer) =>
          readers.mails.read({ bytes: new Uint8Array(bytes), charsMax: 500 }, limit);
        expect((await words(broken))?.length).toBeLessThanOrEqual(500);
        expect(await words(next)).toContain('Offerte.pdf');
      }),
      { numRuns, seed },
    );
  });
});

describe('a broken archive', { timeout }, () => {
  it('of Word is read as a template or refused with a reason, and the next one is read', async () => {
    const check = (bytes: Buffer) => readers.templates.check('a.docx', new Uint8Array(bytes));
    await fc.assert(
      fc.asyncProperty(brokenFiles([docx]), async (broken) => {
        const refusal = await laterRefusalOf(check(broken));
        expect(refusal ?? 'template_refused').toBe('template_refused');
        expect((await check(docx)).used.length).toBeGreaterThan(0);
      }),
      { numRuns, seed },
    );
  });

  it('is attached as it is, or refused with a reason', async () => {
    await fc.assert(
      fc.asyncProperty(
        brokenFiles([archive, docx]),
        fc.constantFrom('a.zip', 'a.docx', 'a.xlsx', 'a'),
        async (broken, fileName) => {
          const pieces: Uint8Array[] = [];
          const content = Readable.from([broken]);
          const refusal = await laterRefusalOf(
            readChecked({ fileName, content }, readers.checker, (one) => pieces.push(one)),
          );
          expect(refusal !== null || Buffer.concat(pieces).equals(broken)).toBe(true);
        },
      ),
      { numRuns, seed },
    );
  });
});

/** A mail with an HTML text, a mail in it, and a file. */
function mailOfParts(file: Buffer): Buffer {
  const lines = [
    'From: "Garage" <garage@example.ch>',
    'Subject: =?utf-8?Q?Sch=C3=A4den?=',
    'Content-Type: multipart/mixed; boundary=part',
    '',
    '--part',
    'Content-Type: text/html; charset=utf-8',
    '',
    '<p>Eins<br>zwei</p>',
    '--part',
    'Content-Type: message/rfc822',
    '',
    'Subject: inside',
    '',
    'Text inside',
    '--part',
    'Content-Type: application/pdf; name="Offerte.pdf"',
    'Content-Transfer-Encoding: base64',
    '',
    file.toString('base64'),
    '--part--',
    '',
  ];
  return Buffer.from(lines.join('\r\n'));
}
