import { inflateRawSync, inflateSync } from 'node:zlib';
import {
  type LoadOptions,
  PDFArray,
  type PDFContext,
  PDFDict,
  PDFDocument,
  PDFHexString,
  PDFName,
  PDFNumber,
  type PDFObject,
  type PDFPage,
  PDFRawStream,
  PDFRef,
  PDFStream,
  PDFString,
} from '@cantoo/pdf-lib';
import { getDocument, PasswordException } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { WorkerMessageHandler } from 'pdfjs-dist/legacy/build/pdf.worker.mjs';
import { pdfReadingOnly, pdfStreamMaxBytes } from '#shared/lib/pdf-options.ts';
import { withBoundedBuffers } from './bounded-inflation.ts';
import type { FileReport } from './file-checker.ts';
import { looksDamagedPictures } from './pdf-pictures.ts';
import { hasUnseenAnswers } from './pdf-answers.ts';

// Without this pdf.js imports its worker from a path that a bundle does not have.
Object.assign(globalThis, { pdfjsWorker: { WorkerMessageHandler } });

const damaged: FileReport = { kind: 'damaged', rule: 'pdf_pages' };
/** After this time the pages that are left are taken as read, ms. */
const pagesMaxMs = 5_000;
/**
 * At most this follows the blocks of a packed table: its checksum and an end of line, bytes. Other
 * bytes may by chance look like the end of a table, of which then a part is missing.
 */
const packedRestMax = 8;

/**
 * A PDF is whole if it has its end, the viewer opens each page, and no page misses its content. What
 * unpacks to more than the viewer takes is refused before it is looked at further.
 */
export async function checkPdf(bytes: Uint8Array<ArrayBuffer>): Promise<FileReport> {
  if (isCut(bytes)) return damaged;
  const { read, isOver } = await withBoundedBuffers(() => reportOn(bytes));
  return isOver ? { kind: 'tooHeavy' } : read;
}

async function reportOn(bytes: Uint8Array<ArrayBuffer>): Promise<FileReport> {
  if (!(await isEncryptionWhole(bytes))) return damaged;
  const { report, pages } = await openAsViewer(bytes);
  // If its table is wrong, pdf.js decrypts the keys themselves, and asks for a password.
  if (report.kind === 'protected' && (await loaded(bytes, { password: '' }))) return damaged;
  if (report.kind !== 'readable') return report;
  // pdf.js has opened it without a password.
  const pdf = await loaded(bytes, { password: '' });
  const shown = pdf ? shownStreams(pdf, pages) : [];
  if (shown === 'faulty') return damaged;
  return {
    ...report,
    ...(looksDamagedPictures(shown) && { looksDamaged: true }),
    ...(pdf && hasUnseenAnswers(pdf) && { hidesAnswers: true }),
  };
}

/**
 * Each PDF ends with the place of its table of objects (ISO 32000-2, 7.5.5). Without it the last
 * object, or those behind it, may be missing; readers repair the table and show what is left.
 */
function isCut(bytes: Uint8Array): boolean {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const last = file.lastIndexOf('endobj');
  if (last < 0) return false;
  // Readers that repair a table need one of the two to find the first object.
  const hasTrailer = file.includes('trailer');
  if (!hasTrailer && !file.includes('/XRef')) return true;
  if (!hasTrailer && !isTableFound(file)) return true;
  if (hasTrailer && isTableOverwritten(file)) return true;
  const end = file.lastIndexOf('%%EOF');
  // A revision that was added breaks off within its first object, so readers show the one before.
  if (end > last) return /\d\s+obj\b/.test(file.toString('latin1', end));
  const place = file.indexOf('startxref', last);
  return place < 0 || !/^startxref\s+\d+\s/.test(file.toString('latin1', place, place + 40));
}

/**
 * Whether the last place of a table leads to an object that unpacks, counted from the file's beginning
 * or from its mark. A packed table that is moved, or of which a part was written over, is repaired by
 * pdf.js alone: other readers find no page.
 */
function isTableFound(file: Buffer): boolean {
  const named = file.lastIndexOf('startxref');
  if (named < 0) return true;
  const place = Number.parseInt(file.toString('latin1', named + 9, named + 40), 10);
  const mark = Math.max(0, file.indexOf('%PDF-'));
  return [place, place + mark].some(
    (at) =>
      /^\s{0,20}\d{1,10}\s{1,20}\d{1,5}\s{1,20}obj/.test(file.toString('latin1', at, at + 80)) &&
      unpacksAt(file, at),
  );
}

/** Whether the stream of the object at this place unpacks; true if it is packed in another way. */
function unpacksAt(file: Buffer, at: number): boolean {
  const head = file.toString('latin1', at, at + 4096);
  const open = /stream\r?\n/.exec(head);
  const entries = head.slice(0, open?.index);
  if (entries.includes('endobj')) return false;
  if (!open || !entries.includes('/FlateDecode')) return true;
  const start = at + open.index + open[0].length;
  const end = file.indexOf('endstream', start);
  const packed = file.subarray(start, end);
  return end >= 0 && inflatesWhole(packed) && endsWithItsBlocks(packed);
}

/**
 * Whether something else stands in the table that the end of the file leads to (7.5.4). Places that
 * are wrong are repaired by every reader; other letters are not.
 */
function isTableOverwritten(file: Buffer): boolean {
  const named = file.lastIndexOf('startxref');
  const place = Number.parseInt(file.toString('latin1', named + 9, named + 40), 10);
  const end = file.indexOf('trailer', place);
  if (named < 0 || end < 0 || file.toString('latin1', place, place + 4) !== 'xref') return false;
  return /[^\d\snf]/.test(file.toString('latin1', place + 4, end));
}

/**
 * Whether other readers can follow what says how a PDF is encrypted (7.6.2). pdf.js takes a broken
 * dictionary, and keys that are too short; or it asks for a password, which would open nothing.
 */
async function isEncryptionWhole(bytes: Uint8Array): Promise<boolean> {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  // Packed objects do not have it.
  if (!file.includes('/Encrypt')) return true;
  const pdf = await loaded(bytes, { ignoreEncryption: true });
  if (!pdf || pdf.context.trailerInfo.Encrypt === undefined) return true;
  const encryption = pdf.context.lookup(pdf.context.trailerInfo.Encrypt);
  if (!(encryption instanceof PDFDict)) return false;
  const valueOf = (key: string) => encryption.lookup(PDFName.of(key));
  // Certificates have other entries.
  if (valueOf('Filter') !== PDFName.of('Standard')) return true;
  const revision = valueOf('R');
  const isNew = revision instanceof PDFNumber && revision.asNumber() >= 5;
  const lengths = isNew ? newKeyBytes : oldKeyBytes;
  return Object.entries(lengths).every(([key, length]) => {
    const value = valueOf(key);
    const isText = value instanceof PDFString || value instanceof PDFHexString;
    return isText && value.asBytes().length >= length;
  });
}

/** The least bytes of the keys until revision 4, and from revision 5 on (7.6.4.2, table 21). */
const oldKeyBytes = { O: 32, U: 32 } as const;
const newKeyBytes = { O: 48, U: 48, OE: 32, UE: 32, Perms: 16 } as const;

/** As the viewer opens it; pdf.js repairs a wrong table of its objects. */
async function openAsViewer(
  bytes: Uint8Array,
): Promise<{ readonly report: FileReport; readonly pages: number }> {
  const loading = getDocument({
    data: bytes.slice(),
    ...pdfReadingOnly,
  });
  try {
    const pdf = await loading.promise;
    // It may also be negative.
    if (pdf.numPages < 1) return { report: damaged, pages: 0 };
    const end = performance.now() + pagesMaxMs;
    for (let number = 1; number <= pdf.numPages && performance.now() < end; number += 1) {
      const page = await pdf.getPage(number);
      await page.getTextContent();
      page.cleanup();
    }
    return { report: { kind: 'readable' }, pages: pdf.numPages };
  } catch (error) {
    if (error instanceof PasswordException) return { report: { kind: 'protected' }, pages: 0 };
    // pdf.js has words alone for it.
    if (error instanceof Error && /encryption/i.test(error.message))
      return { report: { kind: 'unknownEncryption' }, pages: 0 };
    // Any error of a page comes from the file, too.
    if (error instanceof Error) return { report: damaged, pages: 0 };
    throw error;
  } finally {
    await loading.destroy();
  }
}

/**
 * The streams that the pages lead to. For a content, a picture or a font that is missing or does not
 * inflate pdf.js draws nothing, and says nothing; for a page that is missing it shows another one
 * again. This reader finds them.
 * @param pages as the viewer counts them
 */
function shownStreams(pdf: PDFDocument, pages: number): PDFRawStream[] | 'faulty' {
  if (pdf.isEncrypted) return [];
  const found = pagesOf(pdf);
  // Every reader shows as many pages as the tree says, and leaves out others without a word (7.7.3.2).
  if (found?.length !== pages) return 'faulty';
  try {
    const shown = found.flatMap(({ node }) => [node.get(PDFName.of('Contents')), node.Resources()]);
    return streamsFrom(pdf.context, shown);
  } catch {
    // What this reader cannot follow, the viewer has opened.
    return [];
  }
}

async function loaded(bytes: Uint8Array, options: LoadOptions): Promise<PDFDocument | null> {
  try {
    return await PDFDocument.load(bytes, { ...options, updateMetadata: false });
  } catch {
    // What this reader cannot follow, the viewer has opened.
    return null;
  }
}

/** Null if the tree of the pages is broken: pdf.js alone shows pages that no tree leads to. */
function pagesOf(pdf: PDFDocument): PDFPage[] | null {
  try {
    return pdf.getPages();
  } catch {
    return null;
  }
}

/** The streams that these objects lead to; `faulty` if something is missing or does not inflate. */
function streamsFrom(
  context: PDFContext,
  objects: readonly (PDFObject | undefined)[],
): PDFRawStream[] | 'faulty' {
  const seen = new Set<PDFObject>();
  const streams: PDFRawStream[] = [];
  const left = [...objects];
  for (let one = left.pop(); left.length > 0 || one; one = left.pop()) {
    if (!one || seen.has(one)) continue;
    seen.add(one);
    if (one instanceof PDFRef) {
      const object = context.lookup(one);
      if (!object) return 'faulty';
      left.push(object);
    } else if (one instanceof PDFArray) left.push(...one.asArray());
    else if (one instanceof PDFDict) left.push(...one.values());
    else if (one instanceof PDFStream) {
      if (!inflates(one)) return 'faulty';
      left.push(one.dict);
      if (one instanceof PDFRawStream) streams.push(one);
    }
  }
  return streams;
}

/** Whether a stream packed by Flate alone unpacks; its checksum is often wrong, and nobody reads it. */
function inflates(stream: PDFStream): boolean {
  if (!(stream instanceof PDFRawStream)) return true;
  const filter = stream.dict.lookup(PDFName.of('Filter'));
  if (filter !== PDFName.of('FlateDecode')) return true;
  return inflatesWhole(stream.getContents());
}

/**
 * Whether a packed table ends where its last block does (RFC 1950, 2.2; RFC 1951, 3.2.3). One that
 * unpacks too far is not looked at further here: `withBoundedBuffers` refuses it.
 */
function endsWithItsBlocks(packed: Uint8Array): boolean {
  const header = 2;
  const options = { maxOutputLength: pdfStreamMaxBytes, info: true };
  try {
    const found: unknown = inflateRawSync(packed.subarray(header), options);
    // With `info` the answer is not the bytes alone, which the types of Node do not know.
    const { engine } = found as { readonly engine: { readonly bytesWritten: number } };
    return packed.length - header - engine.bytesWritten <= packedRestMax;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE';
  }
}

function inflatesWhole(bytes: Uint8Array): boolean {
  try {
    inflateSync(bytes, { maxOutputLength: pdfStreamMaxBytes });
    return true;
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : '';
    const message = error instanceof Error ? error.message : '';
    return code !== 'Z_DATA_ERROR' || message === 'incorrect data check';
  }
}
