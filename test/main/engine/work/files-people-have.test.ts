import { zipSync } from 'fflate';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readTable } from '#main/engine/batch/read-sheet.ts';
import { SheetReader } from '#main/engine/sheets/sheet-reader.ts';
import { type BlobStore, openFileBlobStore } from '#main/engine/blobs/file-blob-store.ts';
import { PdfTextReader } from '#main/engine/document-text/read-pdf-text.ts';
import { HeicMaker } from '#main/engine/photos/heic-maker.ts';
import { FileChecker } from '#main/engine/readable/file-checker.ts';
import { PictureStripper } from '#main/engine/photos/picture-stripper.ts';
import { takeFile } from '#main/engine/work/take-file.ts';
import { DeskError } from '#shared/desk/contract/errors.ts';
import { decodeText } from '#shared/lib/decode-text.ts';
import { readMessage } from '#shared/lib/read-message.ts';
import { readExif } from '#shared/photos/read-exif.ts';
import { tiffPages } from '#shared/photos/tiff.ts';
import { faultLog } from '../../../support/fault-log.ts';
import { makePdf } from '../../../support/sample-files.ts';
import { makeDocx, paragraph } from '../../../support/word-documents.ts';

// Files as programs and devices really write them: how each comes in without a window, what is read
// of it, and which bytes are stored to be sent. What a window draws of them is tested end to end.

const fixtures = join(import.meta.dirname, '../../../support/fixtures');
const dir = mkdtempSync(join(tmpdir(), 'files-people-have-'));
const readers = {
  stripper: new PictureStripper(faultLog),
  heics: new HeicMaker(faultLog),
  checker: new FileChecker(faultLog),
  texts: new PdfTextReader(faultLog),
  sheets: new SheetReader(faultLog),
};
let workFiles: BlobStore;
beforeAll(async () => {
  workFiles = await openFileBlobStore({
    dir: join(dir, 'files'),
    key: Buffer.alloc(32, 7),
    now: Date.now,
  });
});
afterAll(async () => {
  const { stripper, heics, checker, texts, sheets } = readers;
  await Promise.all([stripper.end(), heics.end(), checker.close(), texts.end(), sheets.end()]);
  rmSync(dir, { recursive: true, force: true });
});

/** What is read of the bytes that are stored to be sent. */
type Look = (bytes: Buffer, fileName: string) => unknown;

const signal = new AbortController().signal;
const pdf: Look = async (bytes) => {
  const read = await readers.texts.read(new Uint8Array(bytes), { timeoutMs: 20_000, signal });
  return read?.totals.map(({ currency, rappen }) => `${currency} ${String(rappen)}`);
};
const exif: Look = (bytes) => {
  const { takenAt, place, device } = readExif(new Uint8Array(bytes).buffer);
  return { takenAt, hasPlace: place !== null, hasDevice: device !== null };
};
const end = (mark: string) => (bytes: Buffer) => bytes.length - bytes.lastIndexOf(mark);
const riff: Look = (bytes) => bytes.length - bytes.readUInt32LE(4);
const pages: Look = (bytes) =>
  tiffPages(new Uint8Array(bytes)).map(({ orientation }) => orientation);
const mail: Look = async (bytes) => {
  const { from, subject, text } = await readMessage(bytes);
  return [...from, subject, text];
};
const mailText: Look = async (bytes) => (await readMessage(bytes)).text;
const mailFiles: Look = async (bytes) => {
  const { subject, text, attachments } = await readMessage(bytes);
  return [subject, text.trim(), attachments.map(({ fileName }) => fileName)];
};
const text: Look = (bytes) => decodeText(bytes).trim();
const sheet: Look = async (bytes, fileName) => {
  const { tables } = await readTable(readers, fileName, bytes);
  if (tables instanceof DeskError) return tables.code;
  return tables[0].rows.map(({ isHidden, cells }) => (isHidden ? ['hidden', ...cells] : cells));
};

const widths: Look = async (bytes, fileName) => {
  const { tables } = await readTable(readers, fileName, bytes);
  return tables instanceof DeskError
    ? tables.code
    : tables[0].rows.map(({ cells }) => cells.length);
};
const textOfSheet: Look = async (bytes, fileName) => JSON.stringify(await sheet(bytes, fileName));
const sheetNames: Look = async (bytes, fileName) => {
  const { tables } = await readTable(readers, fileName, bytes);
  return tables instanceof DeskError ? tables.code : tables.map(({ name }) => name);
};

const heading = ['externalKey', 'costEstimateAmount', 'approvedAmount', 'expertComment'];
const lineOf = (...cells: readonly unknown[]) => [heading, ['SF-2026-000020', ...cells]];
const priceTable =
  'Offerte\n\nMenge\tPreis CHF\nPos. 1\t250.00\nKotflügel 2\t500.00\nTotal\t750.00';
const plainMail = ['a@example.ch', 'Test', 'Hallo'];
const signedMail = [
  'Offerte',
  'Guten Tag, die Reparatur kostet 4750.00 CHF für Tür.',
  ['offerte.pdf'],
];

/** Of a picture, what is stored is sent without what is hidden in it. */
const stripped = { found: { isBare: true } };
/** It is attached, named as not ready, and not sent before a window has made it ready. */
const unready = { found: { isBare: false } };
const plain = { found: {} };

const files: readonly (readonly [string, object, Look, unknown])[] = [
  ['tiff-loop.tif', unready, (bytes) => bytes.length, 186],
  ['tiff-orient-6.tif', stripped, pages, [6]],
  ['tiff-thumb.tif', stripped, pages, [1]],
  ['tiff-g4-stripbytecounts0.tif', unready, pages, [1]],
  ['tiff-bigtiff.tif', stripped, pages, [1]],
  ['form-noap.pdf', plain, pdf, []],
  ['form-needap.pdf', plain, pdf, []],
  ['eur.pdf', plain, pdf, ['EUR 119000']],
  ['usd.pdf', plain, pdf, ['USD 27313']],
  ['pjl.pdf', plain, pdf, ['CHF 123450']],
  ['bom.pdf', plain, pdf, ['CHF 123450']],
  ['lf.pdf', plain, pdf, ['CHF 123450']],
  ['pw-user.pdf', { found: { isProtected: true } }, pdf, []],
  ['pw-owner.pdf', plain, pdf, []],
  ['pw-owner-packed.pdf', plain, pdf, []],
  ['portfolio.pdf', plain, pdf, []],
  [
    'gps-nan.jpg',
    stripped,
    exif,
    { takenAt: '2026-05-01T10:00:00', hasPlace: false, hasDevice: false },
  ],
  [
    'gps-ok.jpg',
    stripped,
    exif,
    { takenAt: '2026-05-01T10:00:00', hasPlace: false, hasDevice: false },
  ],
  ['no-eoi.jpg', unready, (bytes) => bytes.length, 37288],
  ['acropalypse.png', stripped, end('IEND'), 8],
  ['webp-trailing.webp', stripped, riff, 8],
  ['eml-mbox.eml', plain, mail, plainMail],
  ['eml-gt-from.eml', plain, mail, plainMail],
  ['eml-bom.eml', plain, mail, plainMail],
  ['eml-blank.eml', plain, mail, plainMail],
  ['eml-crlf.eml', plain, mail, ['a@example.ch', 'Schäden', 'Kotflügelschaden']],
  ['signed-opaque.eml', plain, mailFiles, signedMail],
  ['signed-opaque-streamed.eml', plain, mailFiles, signedMail],
  ['encrypted.eml', plain, mailFiles, ['Offerte', '', ['smime.p7m']]],
  ['13-html-table-mail.eml', plain, mailText, priceTable],
  ['17-stub-plain-text.eml', plain, mailText, 'Der Betrag ist 1200.'],
  [
    '19-raw-latin1-header.eml',
    plain,
    mailFiles,
    ['Prüfung für Müller', 'Grüezi Müller', ['Prüfbericht.pdf']],
  ],
  [
    '20-nested-mail-noname.eml',
    plain,
    mailFiles,
    ['Schaden', 'Grüezi, Text der Mail.', ['Die innere Mail.eml']],
  ],
  ['cp1252.txt', plain, text, 'Besichtigung Zürich: Kühlergrill gebrochen, Kosten 1’200 Fr.'],
  ['utf16.txt', plain, text, 'Besichtigung Zürich: Dachlücke'],
  ['02-sep.csv', plain, sheet, lineOf('1001', '900', 'x')],
  ['03-utf16tab.csv', plain, sheet, lineOf('1002', '900', 'Kotflügel')],
  ['08-quote.csv', plain, sheet, lineOf('1007', '900', 'Felge 18" vorne links')],
  [
    '01-mixed-line-ends.csv',
    plain,
    sheet,
    [
      ['Schadennummer', 'Kostenvoranschlag', 'Kommentar'],
      ['SF-2026-000056', '1000.00', 'eins'],
      ['SF-2026-000050', '2000.00', 'zwei'],
      ['SF-2026-000049', '3000.00', 'drei'],
    ],
  ],
  ['02-unquoted-semicolon.csv', plain, widths, [4, 5]],
  ['03-unquoted-decimal-comma.csv', plain, widths, [4, 6]],
  ['12-cp850.csv', plain, text, expect.stringContaining('geprüft à Zürich, Käfer')],
  ['04-openpyxl-umlauts.xlsx', plain, textOfSheet, expect.stringContaining('geprüft')],
  ['15-two-sheets.xlsx', plain, sheetNames, ['Dezember', 'November']],
  [
    'x03-formula-nocache.xlsx',
    plain,
    sheet,
    lineOf({ fault: 'no_result', shown: '' }, 900, 'formula no cached'),
  ],
  ['x12-date-comment.xlsx', plain, sheet, lineOf(1112, 900, '01.05.2026')],
  ['x18-no-r.xlsx', plain, sheet, lineOf(1100, 900, 'plain')],
  [
    'x09-hidden-row.xlsx',
    plain,
    sheet,
    [
      heading,
      ['hidden', 'SF-2026-000019', 1108, 900, 'hidden row'],
      ['SF-2026-000020', 1109, 900, 'seen'],
    ],
  ],
];

it.each(files)('%s comes in, and is what it should be', async (fileName, taken, look, seen) => {
  const bytes = readFileSync(join(fixtures, fileName));
  const content = Readable.from([bytes]);
  const file = await takeFile({ workFiles, ...readers }, { fileName, content });
  expect(file).toMatchObject({ fileName, ...taken });
  const stored = (blobId: string) => buffer(workFiles.open(blobId));
  const sent = await stored(file.blobId);
  expect(sent.length).toBe(file.sizeBytes);
  expect(await look(sent, fileName)).toEqual(seen);
  // Of a picture that is sent without what is hidden in it, the file itself stays on this device.
  const original = file.found?.original;
  expect((original ? await stored(original.blobId) : sent).equals(bytes)).toBe(true);
});

const book = await makePdf('eins', 'zwei', 'drei');
const half = (bytes: Buffer) => bytes.subarray(0, Math.floor(bytes.length / 2));
const zeroed = (bytes: Buffer) =>
  Buffer.concat([half(bytes), Buffer.alloc(bytes.length - half(bytes).length)]);
const zip = Buffer.from(zipSync({ 'a.txt': new Uint8Array(9) }));
const bzip2 = Buffer.from(zip.with(8, 12).with(zip.readUInt32LE(zip.length - 6) + 10, 12));
const [word, gif] = [
  Buffer.from(makeDocx(paragraph('Gutachten'))),
  Buffer.from('GIF89a', 'latin1'),
];

it.each([
  ['half.pdf', half(book), 'pdf_damaged'],
  ['zeroes.pdf', zeroed(book), 'pdf_damaged'],
  ['half.docx', half(word), 'file_damaged'],
  ['zeroes.docx', zeroed(word), 'file_damaged'],
  // What says of an archive that it is a workbook is in the other half.
  ['half.xlsx', half(readFileSync(join(fixtures, 'x18-no-r.xlsx'))), 'file_damaged'],
  ['archive.docx', Buffer.from(zipSync({ 'a.txt': new Uint8Array(9) })), 'file_type_mismatch'],
  ['zeroes.csv', zeroed(readFileSync(join(fixtures, '12-cp850.csv'))), 'file_damaged'],
  ['page.pdf', Buffer.from('<html>Sitzung abgelaufen</html>'), 'file_type_mismatch'],
  ['a.gif', gif, 'file_type_not_allowed'],
  ['empty.pdf', Buffer.alloc(0), 'file_empty'],
  ['empty.zip', Buffer.from(zipSync({})), 'file_empty'],
  ['folders.zip', Buffer.from(zipSync({ 'Fotos/': new Uint8Array(0) })), 'file_empty'],
  ['blanks.txt', Buffer.from(' \r\n'), 'file_empty'],
  // Older Office, mails of Outlook: each with its advice.
  ['a.doc', Buffer.from('d0cf11e0a1b11ae1', 'hex'), 'file_kind'],
  ['a.msg', Buffer.from('d0cf11e0a1b11ae1', 'hex'), 'file_kind'],
  // Its method is BZIP2.
  ['bzip2.zip', bzip2, 'file_kind'],
] as const)('%s is refused in words', async (fileName, bytes, code) => {
  const content = Readable.from([bytes]);
  const taken = takeFile({ workFiles, ...readers }, { fileName, content });
  await expect(taken).rejects.toMatchObject({ code });
});

it('a JPEG under the name of a HEIC comes in as what it is', async () => {
  const content = Readable.from([readFileSync(join(fixtures, 'gps-ok.jpg'))]);
  const file = await takeFile({ workFiles, ...readers }, { fileName: 'IMG_1.HEIC', content });
  expect(file).toMatchObject({ fileName: 'IMG_1.jpg', contentType: 'image/jpeg', ...stripped });
});

it('has each file of this kind in its table', () => {
  const known = files.map(([name]) => name).toSorted();
  const there = readdirSync(fixtures, { withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.startsWith('telephone'))
    .map(({ name }) => name);
  expect(there.toSorted()).toEqual(known);
});
