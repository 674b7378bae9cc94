import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readTable } from '#main/engine/batch/read-sheet.ts';
import { SheetReader } from '#main/engine/batch/sheet-reader.ts';
import { type BlobStore, openFileBlobStore } from '#main/engine/blobs/file-blob-store.ts';
import { PdfTextReader } from '#main/engine/document-text/read-pdf-text.ts';
import { PdfChecker } from '#main/engine/pdf/pdf-checker.ts';
import { PictureStripper } from '#main/engine/photos/picture-stripper.ts';
import { takeFile } from '#main/engine/work/take-file.ts';
import { DeskError } from '#shared/desk/errors.ts';
import { decodeText } from '#shared/lib/decode-text.ts';
import { readMessage } from '#shared/lib/read-message.ts';
import { readExif } from '#shared/photos/read-exif.ts';
import { tiffPages } from '#shared/photos/tiff.ts';
import { faultLog } from '../../../support/fault-log.ts';

// Files as programs and devices really write them: how each comes in without a window, what is read
// of it, and which bytes are stored to be sent. What a window draws of them is tested end to end.

const fixtures = join(import.meta.dirname, '../../../support/fixtures');
const dir = mkdtempSync(join(tmpdir(), 'files-people-have-'));
const readers = {
  stripper: new PictureStripper(faultLog),
  pdfs: new PdfChecker(faultLog),
  texts: new PdfTextReader(faultLog),
  sheets: new SheetReader(faultLog),
};
let workFiles: BlobStore;
beforeAll(async () => {
  workFiles = await openFileBlobStore({ dir: join(dir, 'files'), key: Buffer.alloc(32, 7) });
});
afterAll(async () => {
  const { stripper, pdfs, texts, sheets } = readers;
  await Promise.all([stripper.end(), pdfs.close(), texts.end(), sheets.end()]);
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
const text: Look = (bytes) => decodeText(bytes).trim();
const sheet: Look = async (bytes, fileName) => {
  const { table } = await readTable(readers, fileName, bytes);
  if (table instanceof DeskError) return table.code;
  return table.rows.map(({ isHidden, cells }) => (isHidden ? ['hidden', ...cells] : cells));
};

const heading = ['externalKey', 'costEstimateAmount', 'approvedAmount', 'expertComment'];
const lineOf = (...cells: readonly unknown[]) => [heading, ['SF-2026-000020', ...cells]];
const plainMail = ['a@example.ch', 'Test', 'Hallo'];

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
  ['cp1252.txt', plain, text, 'Besichtigung Zürich: Kühlergrill gebrochen, Kosten 1’200 Fr.'],
  ['utf16.txt', plain, text, 'Besichtigung Zürich: Dachlücke'],
  ['02-sep.csv', plain, sheet, lineOf('1001', '900', 'x')],
  ['03-utf16tab.csv', plain, sheet, lineOf('1002', '900', 'Kotflügel')],
  ['08-quote.csv', plain, sheet, lineOf('1007', '900', 'Felge 18" vorne links')],
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

it('has each file of this kind in its table', () => {
  const known = files.map(([name]) => name).toSorted();
  const there = readdirSync(fixtures, { withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.startsWith('telephone'))
    .map(({ name }) => name);
  expect(there.toSorted()).toEqual(known);
});
