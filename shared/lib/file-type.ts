import { documentMaxBytes, fileNameMaxLength } from '../api/limits.ts';
import type { DocumentContentType } from '../api/document.ts';
import { DeskError } from '../desk/desk-error.ts';

const typeByExtension: Readonly<Record<string, DocumentContentType>> = {
  pdf: 'application/pdf',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  png: 'image/png',
  webp: 'image/webp',
  heic: 'image/heic',
  heif: 'image/heic',
  tif: 'image/tiff',
  tiff: 'image/tiff',
  txt: 'text/plain',
  csv: 'text/csv',
  eml: 'message/rfc822',
  zip: 'application/zip',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
};

/** Extensions that a file picker offers. */
export const documentExtensions = Object.keys(typeByExtension);

/** By the extension; null for every other one. */
export const typeOfName = (fileName: string): DocumentContentType | null =>
  typeByExtension[extensionOf(fileName)] ?? null;

/** In lower case without the point; '' if the name has none. */
export function extensionOf(fileName: string): string {
  const point = fileName.lastIndexOf('.');
  return point <= 0 ? '' : fileName.slice(point + 1).toLowerCase();
}

/** @throws {DeskError} file_name_invalid with rule `empty`, `too_long`, `separator` or `control` */
export function assertFileName(fileName: string): void {
  const rule = brokenNameRule(fileName);
  if (rule !== null) throw new DeskError('file_name_invalid', { fileName, rule });
}

function brokenNameRule(fileName: string): string | null {
  if (fileName.trim() === '' || fileName === '.' || fileName === '..') return 'empty';
  if (fileName.length > fileNameMaxLength) return 'too_long';
  if (/[/\\]/.test(fileName)) return 'separator';
  if (/\p{Cc}/u.test(fileName)) return 'control';
  return null;
}

/** @throws {DeskError} file_empty, file_too_large (decisions, "Documents") */
export function assertFileSize(fileName: string, sizeBytes: number): void {
  if (sizeBytes === 0) throw new DeskError('file_empty', { fileName });
  assertNotTooLarge(fileName, sizeBytes);
}

/** @throws {DeskError} file_too_large */
export function assertNotTooLarge(fileName: string, sizeBytes: number): void {
  if (sizeBytes > documentMaxBytes) {
    throw new DeskError('file_too_large', { fileName, sizeBytes, maxBytes: documentMaxBytes });
  }
}

/**
 * The media type of a file, from its name if the content matches it. If the name has no extension,
 * the type is from the content.
 * @throws {DeskError} file_type_not_allowed, file_type_mismatch, office_protected
 */
export function documentTypeOf(fileName: string, found: FileTraits): DocumentContentType {
  const extension = extensionOf(fileName);
  const named = typeByExtension[extension];
  if (named === undefined) {
    const sniffed = extension === '' ? signatureType(found) : null;
    if (sniffed !== null) return sniffed;
    throw new DeskError('file_type_not_allowed', {
      fileName,
      contentType: signatureType(found) ?? extension,
    });
  }
  if (carriesSignature(named, found)) return named;
  if ((named === word || named === excel) && startsWith(found.head, compoundFile))
    throw new DeskError('office_protected', { fileName });
  throw new DeskError('file_type_mismatch', {
    fileName,
    contentType: signatureType(found) ?? (looksLikeText(found.head) ? 'text/plain' : 'unknown'),
  });
}

/**
 * Compares the beginning of a file with its name. The beginning of an archive matches every archive
 * type, because the parts of an Office document may be anywhere in it.
 * @throws {DeskError} file_type_not_allowed, file_type_mismatch, office_protected
 */
export function assertTypeOfHead(fileName: string, head: Uint8Array): void {
  if (isZip(head)) return;
  const scanner = new FileTypeScanner();
  scanner.push(head);
  documentTypeOf(fileName, scanner.traits());
}

/** The properties of a file's bytes that identify its type. */
export interface FileTraits {
  /** The first bytes, at most `headBytes`. */
  readonly head: Uint8Array;
  /** Whether the file contains these parts of an OOXML package; searched only in archives. */
  readonly hasWordPart: boolean;
  readonly hasExcelPart: boolean;
}

/** Bytes that may stand before the header of a PDF: readers look for it in the first 1,024. */
const pdfJunkBytes = 1024;
/** What the signatures need of a file. */
const headBytes = pdfJunkBytes + '%PDF-'.length;
const heicBrands: ReadonlySet<string> = new Set(['heic', 'heix', 'heim', 'heis', 'hevc', 'hevx']);
const word = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';
const excel = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

/** In such a file Office puts what a password protects (MS-OFFCRYPTO, 1.3); DOC and XLS are others. */
const compoundFile = '\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1';

/** The signature of each type of document; text has none (decisions, "Documents"). */
const signatures: Readonly<Record<DocumentContentType, (traits: FileTraits) => boolean>> = {
  'application/pdf': ({ head }) => includes(head, '%PDF-'), // ISO 32000-2, 7.5.2
  'image/jpeg': ({ head }) => startsWith(head, '\xff\xd8\xff'), // ITU-T T.81: SOI and a marker
  'image/png': ({ head }) => startsWith(head, '\x89PNG\r\n\x1a\n'),
  'image/webp': ({ head }) => startsWith(head, 'RIFF') && startsWith(head, 'WEBP', 8), // RFC 9649
  'image/heic': ({ head }) => brandsOf(head).some((brand) => heicBrands.has(brand)),
  'image/tiff': ({ head }) =>
    ['II*\0', 'MM\0*', 'II+\0', 'MM\0+'].some((mark) => startsWith(head, mark)),
  [word]: ({ head, hasWordPart }) => isZip(head) && hasWordPart,
  [excel]: ({ head, hasExcelPart }) => isZip(head) && hasExcelPart,
  'application/zip': ({ head }) => isZip(head),
  // RFC 5322, 2.2: a field name of printable characters but the colon, then a colon. Mailboxes put a
  // mark of the encoding, blank lines or their own line ("From ") before it.
  'message/rfc822': ({ head }) =>
    /^(?:\xef\xbb\xbf)?(?:[ \t]*\r?\n)*(?:>?From [^\r\n]*\r?\n)?[!-9;-~]+[ \t]*:/.test(
      latin1(head),
    ),
  'text/plain': () => true,
  'text/csv': () => true,
};

/**
 * Types with a signature. Office files come before archives, because they are archives too, and a
 * PDF last, because its header need not be the first bytes.
 */
const typesBySignature = [
  ...(['image/jpeg', 'image/png', 'image/webp', 'image/heic', 'image/tiff'] as const),
  ...([word, excel, 'application/zip', 'application/pdf'] as const),
];

/** Whether the content matches the type. */
export function carriesSignature(type: DocumentContentType, traits: FileTraits): boolean {
  return signatures[type](traits);
}

/** The type whose signature the content carries; null for text, mail and anything unknown. */
function signatureType(traits: FileTraits): DocumentContentType | null {
  return typesBySignature.find((type) => signatures[type](traits)) ?? null;
}

/**
 * The type of a file by its first bytes, regardless of its name. Every text is plain text, and an
 * Office document is an archive. Null if the type is unknown.
 */
export function typeByContent(head: Uint8Array): DocumentContentType | null {
  const scanner = new FileTypeScanner();
  scanner.push(head);
  const traits = scanner.traits();
  return signatureType(traits) ?? (looksLikeText(traits.head) ? 'text/plain' : null);
}

/** No control characters below a space but white space, the old end-of-file mark and escape. */
function looksLikeText(head: Uint8Array): boolean {
  return head.every(
    (byte) => byte >= 0x20 || (byte >= 0x09 && byte <= 0x0d) || byte === 0x1a || byte === 0x1b,
  );
}

/** A local file header, or the end record of an archive without members. */
function isZip(head: Uint8Array): boolean {
  return startsWith(head, 'PK\x03\x04') || startsWith(head, 'PK\x05\x06');
}

/** Major and compatible brands of an ISO base media file (ISO/IEC 14496-12, 4.3). */
function brandsOf(head: Uint8Array): string[] {
  if (head.length < 16 || !startsWith(head, 'ftyp', 4)) return [];
  const end = Math.min(new DataView(head.buffer, head.byteOffset).getUint32(0), head.length);
  const brands = [latin1(head.subarray(8, 12))];
  for (let at = 16; at + 4 <= end; at += 4) brands.push(latin1(head.subarray(at, at + 4)));
  return brands;
}

const contentTypesPart = '[Content_Types].xml';
const wordPart = 'word/';
const excelPart = 'xl/';
/** Bytes carried to the next piece, so that a name cut in two is still found. */
const carryBytes = contentTypesPart.length - 1;

/** Finds a file's traits in its bytes, which arrive in pieces of any size. */
export class FileTypeScanner {
  #head: Uint8Array = new Uint8Array(0);
  #carry: Uint8Array = new Uint8Array(0);
  readonly #parts = new Set<string>();

  push(piece: Uint8Array): void {
    if (this.#head.length < headBytes) {
      this.#head = concat(this.#head, piece.subarray(0, headBytes - this.#head.length));
    }
    if (this.#head.length >= 4 && !isZip(this.#head)) return;
    const seam = concat(this.#carry, piece.subarray(0, carryBytes));
    for (const part of [contentTypesPart, wordPart, excelPart]) {
      if (includes(seam, part) || includes(piece, part)) this.#parts.add(part);
    }
    this.#carry = concat(this.#carry, piece.subarray(-carryBytes)).slice(-carryBytes);
  }

  /** Whether the bytes so far can be the beginning of a PDF. */
  mayBePdf(): boolean {
    return this.#head.length < headBytes || carriesSignature('application/pdf', this.traits());
  }

  traits(): FileTraits {
    const isPackage = this.#parts.has(contentTypesPart);
    return {
      head: this.#head,
      hasWordPart: isPackage && this.#parts.has(wordPart),
      hasExcelPart: isPackage && this.#parts.has(excelPart),
    };
  }
}

function startsWith(bytes: Uint8Array, mark: string, at = 0): boolean {
  return latin1(bytes.subarray(at, at + mark.length)) === mark;
}

function includes(bytes: Uint8Array, mark: string): boolean {
  const first = mark.charCodeAt(0);
  for (let at = bytes.indexOf(first); at >= 0; at = bytes.indexOf(first, at + 1)) {
    if (startsWith(bytes, mark, at)) return true;
  }
  return false;
}

function concat(one: Uint8Array, other: Uint8Array): Uint8Array {
  const whole = new Uint8Array(one.length + other.length);
  whole.set(one);
  whole.set(other, one.length);
  return whole;
}

/** Byte for character; for short pieces. */
function latin1(bytes: Uint8Array): string {
  return String.fromCharCode(...bytes);
}
