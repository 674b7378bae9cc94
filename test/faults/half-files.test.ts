import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { strToU8, unzipSync, zipSync } from 'fflate';
import { decode } from 'jpeg-js';
import { afterAll, describe, expect, it } from 'vitest';
import { PdfTextReader } from '#main/engine/document-text/read-pdf-text.ts';
import { HeicMaker } from '#main/engine/photos/heic-maker.ts';
import { PictureStripper } from '#main/engine/photos/picture-stripper.ts';
import { FileChecker } from '#main/engine/readable/file-checker.ts';
import { readChecked, unseenPicture } from '#main/engine/work/take-file.ts';
import type { DocumentContentType } from '#shared/api/document.ts';
import { DeskError } from '#shared/desk/contract/errors.ts';
import { isPictureType } from '#shared/photos/picture-kinds.ts';
import { tiffPages } from '#shared/photos/tiff.ts';
import { halfFiles, type Spoiling, type WholeFile } from '../support/half-files.ts';
import { longFiles } from '../support/long-files.ts';
import { isLong, smokeOrLong, testLimitMs } from '../support/long.ts';
import { faultLog } from '../support/fault-log.ts';
import { makeCameraPhoto, makePdf } from '../support/sample-files.ts';
import { complaintOf } from '../support/second-readers.ts';
import { makeDocx, paragraph } from '../support/word-documents.ts';
import { makeWorkbook, textRow } from '../support/workbook.ts';
import { tiffPixels } from '../support/tiff-pixels.ts';

// What a copy, a disk or a line left half of a file is refused without a window, or shown whole.

const stripper = new PictureStripper(faultLog);
const heics = new HeicMaker(faultLog);
const checker = new FileChecker(faultLog);
const texts = new PdfTextReader(faultLog);
afterAll(() => Promise.all([stripper.end(), heics.end(), checker.close(), texts.end()]));

interface SentFile {
  readonly bytes: Uint8Array;
  readonly contentType: DocumentContentType;
  /** It is named as one that asks for a password. */
  readonly isProtected: boolean;
}

/** What `desk batch` and `desk report` send of a file; null if they refuse it. */
async function sentOf({
  name,
  bytes,
}: Pick<WholeFile, 'name' | 'bytes'>): Promise<SentFile | null> {
  try {
    const content = Readable.from([bytes]);
    const read = await readChecked({ fileName: name, content }, checker, () => undefined);
    const { contentType } = read;
    const isProtected = read.found.isProtected === true;
    if (!read.bytes || !isPictureType(contentType)) return { bytes, contentType, isProtected };
    const order = { bytes: read.bytes, contentType, isAlone: true };
    const { bytes: made, isBare } = await unseenPicture({ stripper, heics }, order);
    if (!isBare) return null;
    const isMade = contentType === 'image/heic';
    return { bytes: made ?? bytes, contentType: isMade ? 'image/jpeg' : contentType, isProtected };
  } catch (error) {
    if (error instanceof DeskError) return null;
    throw error;
  }
}

/** Whether a spoiled file shows what the whole one shows. */
type IsSame = (sent: Uint8Array, whole: Uint8Array) => boolean | Promise<boolean>;

const fixture = (name: string) =>
  readFileSync(join(import.meta.dirname, '../support/fixtures', name));
/** On average, of 255: what nobody sees. */
const differenceMax = 1;
const isNear = (one: ArrayLike<number>, other: ArrayLike<number>) => {
  let sum = 0;
  for (let at = 0; at < one.length; at += 1) sum += Math.abs((one[at] ?? 0) - (other[at] ?? 0));
  return one.length === other.length && sum <= differenceMax * one.length;
};
const samePixels =
  (pixelsOf: (bytes: Uint8Array) => ArrayLike<number>): IsSame =>
  (sent, whole) =>
    isNear(pixelsOf(sent), pixelsOf(whole));
const ofJpeg = samePixels((bytes) => decode(bytes, { useTArray: true }).data);
const ofTiff = samePixels((bytes) => {
  const [page] = tiffPages(bytes);
  return page ? tiffPixels(page) : [];
});
const ofArchive: IsSame = (sent, whole) =>
  JSON.stringify(unzipSync(sent)) === JSON.stringify(unzipSync(whole));
const ofPdf: IsSame = async (sent, whole) => {
  const limit = { timeoutMs: 20_000, signal: new AbortController().signal };
  const text = async (bytes: Uint8Array) => (await texts.read(new Uint8Array(bytes), limit))?.text;
  return (await text(sent)) === (await text(whole));
};
const sameBytes: IsSame = (sent, whole) => Buffer.from(sent).equals(whole);

const mail = Buffer.from(
  [
    'From: a@example.ch',
    'Content-Type: multipart/mixed; boundary=part',
    '',
    '--part',
    '',
    'Guten Tag',
    '--part',
    'Content-Type: application/pdf; name="a.pdf"',
    'Content-Transfer-Encoding: base64',
    '',
    Buffer.alloc(600, 'offer').toString('base64'),
    '--part--',
    '',
  ].join('\r\n'),
);
const camera = { width: 64, height: 48, orientation: 1, takenAt: '2026:05:01 10:11:12', seed: 1 };
const all: readonly Spoiling[] = ['cut', 'zeroed', 'repeated', 'swapped'];
/** Nothing in these kinds says of other letters or other pixels that they are wrong. */
const onlyCut: readonly Spoiling[] = ['cut'];

const small: readonly (readonly [string, Buffer, readonly Spoiling[], IsSame])[] = [
  ['a.pdf', await makePdf('Gutachten', 'Seite zwei'), onlyCut, ofPdf],
  [
    'a.zip',
    Buffer.from(zipSync({ 'a.txt': strToU8('one'), 'b.txt': strToU8('two') })),
    all,
    ofArchive,
  ],
  ['a.docx', Buffer.from(makeDocx(paragraph('Gutachten'))), all, ofArchive],
  ['a.xlsx', Buffer.from(makeWorkbook({ rows: textRow(1, ['A', 'B']) })), all, ofArchive],
  ['a.eml', mail, onlyCut, sameBytes],
  ['a.txt', fixture('cp1252.txt'), ['zeroed'], sameBytes],
  ['a.csv', fixture('12-cp850.csv'), ['zeroed'], sameBytes],
  ['baseline.jpg', makeCameraPhoto(camera), all, ofJpeg],
  ['progressive.jpg', fixture('pictures/progressive.jpg'), all, ofJpeg],
  ['web.png', fixture('pictures/web.png'), all, sameBytes],
  ['lossless.webp', fixture('pictures/lossless.webp'), ['cut', 'zeroed', 'repeated'], sameBytes],
  ['telephone.heic', fixture('telephone.heic'), onlyCut, ofJpeg],
  ['none.tif', fixture('pictures/grey4.tif'), onlyCut, ofTiff],
  ['jpeg.tif', fixture('pictures/jpeg.tif'), onlyCut, sameBytes],
  ['packbits.tif', fixture('pictures/packbits.tif'), ['cut', 'zeroed', 'repeated'], ofTiff],
  ...['alpha', 'tiled', 'planar', 'zip', 'rps', 'g3', 'g4'].map(
    (name) => [`${name}.tif`, fixture(`pictures/${name}.tif`), all, ofTiff] as const,
  ),
];
/**
 * In how many places a file is spoiled. A cut shows in every place, and a checksum covers what is in an
 * archive, a PNG or a WebP. In other kinds a few zeroed bytes can be another letter, another shade or
 * another field of a directory, which nothing proves, so few places are tried.
 */
const placesOf = (name: string, spoiling: Spoiling) =>
  spoiling === 'cut' || /\.(?:zip|docx|xlsx|png|webp)$/.test(name) ? smokeOrLong(3, 20) : 3;

/** Sound, but without a window nobody sees whether a part is missing, or how long a part is. */
const needWindow = new Set(['no-eoi.jpg', 'tiff-g4-stripbytecounts0.tif']);
/** Sound, but of a kind that the desk cannot draw: the window refuses them, too. */
const notDrawn = new Set(['cmykjpeg.tif', 'float.tif', 'lab.tif']);
/** In which places a long run spoils each file; fewer for a look in between. */
const longPlaces = Number(process.env['HALF_FILES_PLACES'] ?? 20);

interface Row {
  files: number;
  tried: number;
  refused: number;
  /** Nothing says whether its keys were others. */
  asksPassword: number;
  shown: number;
  notShown: number;
  soundRefused: number;
}

describe('half of a file', { timeout: smokeOrLong(testLimitMs, 600_000) }, () => {
  it.each(small)(
    'of %s is refused, or shown as the whole one',
    async (name, bytes, ways, isSame) => {
      const whole = await sentOf({ name, bytes });
      expect(whole).not.toBeNull();
      const wrong: string[] = [];
      const halves = ways.flatMap((way) =>
        halfFiles(bytes, placesOf(name, way)).filter(({ spoiling }) => spoiling === way),
      );
      for (const half of halves) {
        const sent = await sentOf({ name, bytes: half.bytes });
        if (sent && !(await isSame(sent.bytes, whole?.bytes ?? bytes)))
          wrong.push(`${half.spoiling} at ${half.at} of ${bytes.length}`);
      }
      expect(wrong).toEqual([]);
    },
  );
});

if (isLong)
  describe('about 200 files of every kind', { timeout: 3_600_000 }, () => {
    it('are ready, and half of them is refused or shown by a second reader', async () => {
      const table: Record<string, Row> = {};
      const faults: string[] = [];
      for (const file of longFiles()) {
        const none = {
          files: 0,
          tried: 0,
          refused: 0,
          asksPassword: 0,
          shown: 0,
          notShown: 0,
          soundRefused: 0,
        };
        const row = (table[file.kind] ??= none);
        // What no other reader shows was no whole file.
        if (complaintOf(file.bytes, file.contentType) !== null) continue;
        row.files += 1;
        if ((await sentOf(file)) === null) {
          row.soundRefused += 1;
          if (!needWindow.has(file.name) && !notDrawn.has(file.name))
            faults.push(`sound, refused: ${file.name}`);
          continue;
        }
        for (const half of halfFiles(file.bytes, longPlaces)) {
          row.tried += 1;
          const sent = await sentOf({ ...file, bytes: half.bytes });
          const complaint = sent && complaintOf(sent.bytes, sent.contentType);
          if (!sent) row.refused += 1;
          else if (sent.isProtected) row.asksPassword += 1;
          else if (complaint === null) row.shown += 1;
          else {
            row.notShown += 1;
            faults.push(`${file.name}, ${half.spoiling} at ${half.at}: ${complaint}`);
          }
        }
      }
      for (const [kind, row] of Object.entries(table))
        process.stdout.write(`${kind}: ${JSON.stringify(row)}\n`);
      expect(faults).toEqual([]);
    });
  });
