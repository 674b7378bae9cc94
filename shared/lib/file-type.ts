import { documentMaxBytes, fileNameMaxLength } from '../api/limits.ts';
import type { DocumentContentType } from '../api/content-types.ts';
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

/** In lower case without the point; '' where the name has none. */
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
 * The media type of a file: what its name says, provided that its content agrees, or what the
 * content says where the name has no extension.
 * @throws {DeskError} file_type_not_allowed, file_type_mismatch
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
  if (agrees(named, found)) return named;
  throw new DeskError('file_type_mismatch', {
    fileName,
    contentType: signatureType(found) ?? (found.isText ? 'text/plain' : 'unknown'),
  });
}

/**
 * What the beginning of a file already tells against its name; that of an archive tells nothing,
 * because what makes it an Office document may stand anywhere in it.
 * @throws {DeskError} file_type_not_allowed, file_type_mismatch
 */
export function assertTypeOfHead(fileName: string, head: Uint8Array): void {
  if (isZip(head)) return;
  const scanner = new FileTypeScanner();
  scanner.push(head);
  documentTypeOf(fileName, scanner.traits());
}

/** What is learned of a file's bytes while they pass by. */
export interface FileTraits {
  readonly head: Uint8Array;
  /** Without control characters that no text has. */
  readonly isText: boolean;
  /** Parts of an OOXML package that occur in it. */
  readonly hasWordPart: boolean;
  readonly hasExcelPart: boolean;
}

function agrees(type: DocumentContentType, found: FileTraits): boolean {
  switch (type) {
    case 'text/plain':
    case 'text/csv':
      return found.isText;
    case 'message/rfc822':
      // RFC 5322, 2.2: a field name of printable characters but the colon, then a colon.
      return found.isText && /^[!-9;-~]+[ \t]*:/.test(latin1(found.head));
    case 'application/zip':
      return isZip(found.head);
    default:
      return signatureType(found) === type;
  }
}

/**
 * What the beginning of a file shows it to be, whatever its name says; text counts as plain, and an
 * Office document as the archive that it is. Null for anything unknown.
 */
export function typeByContent(head: Uint8Array): DocumentContentType | null {
  const scanner = new FileTypeScanner();
  scanner.push(head);
  const traits = scanner.traits();
  return signatureType(traits) ?? (traits.isText ? 'text/plain' : null);
}

/** The type whose signature the content carries; null for text and for anything unknown. */
function signatureType({
  head,
  hasWordPart,
  hasExcelPart,
}: FileTraits): DocumentContentType | null {
  const text = latin1(head);
  if (text.startsWith('%PDF-')) return 'application/pdf'; // ISO 32000-2, 7.5.2
  if (text.startsWith('\xff\xd8\xff')) return 'image/jpeg'; // ITU T.81
  if (text.startsWith('\x89PNG\r\n\x1a\n')) return 'image/png';
  if (text.startsWith('RIFF') && text.startsWith('WEBP', 8)) return 'image/webp'; // RFC 9649
  if (/^(?:II\*\0|MM\0\*|II\+\0|MM\0\+)/.test(text)) return 'image/tiff';
  // ISO/IEC 14496-12, 4.3: major and compatible brands.
  if (text.startsWith('ftyp', 4) && /hei[cxms]|hev[cx]/.test(text.slice(8, 64)))
    return 'image/heic';
  if (!isZip(head)) return null;
  if (hasWordPart) return typeByExtension['docx'] ?? null;
  if (hasExcelPart) return typeByExtension['xlsx'] ?? null;
  return 'application/zip';
}

/** A local file header, or the end record of an archive without members. */
function isZip(head: Uint8Array): boolean {
  const mark = latin1(head.subarray(0, 4));
  return mark === 'PK\x03\x04' || mark === 'PK\x05\x06';
}

const headBytes = 512;
const wordPart = 'word/';
const excelPart = 'xl/';

/** Learns a file's traits from its bytes as they come, in pieces of any size. */
export class FileTypeScanner {
  #head = new Uint8Array(0);
  #isText = true;
  #hasContentTypesPart = false;
  #hasWordPart = false;
  #hasExcelPart = false;
  #carry = '';

  push(piece: Uint8Array): void {
    if (this.#head.length < headBytes) {
      const more = piece.subarray(0, headBytes - this.#head.length);
      const head = new Uint8Array(this.#head.length + more.length);
      head.set(this.#head);
      head.set(more, this.#head.length);
      this.#head = head;
    }
    this.#isText &&= !hasForeignControl(piece);
    if (this.#head.length >= 4 && !isZip(this.#head)) return;
    const window = this.#carry + latin1(piece);
    this.#hasContentTypesPart ||= window.includes('[Content_Types].xml');
    this.#hasWordPart ||= window.includes(wordPart);
    this.#hasExcelPart ||= window.includes(excelPart);
    this.#carry = window.slice(-18);
  }

  traits(): FileTraits {
    return {
      head: this.#head,
      isText: this.#isText,
      hasWordPart: this.#hasContentTypesPart && this.#hasWordPart,
      hasExcelPart: this.#hasContentTypesPart && this.#hasExcelPart,
    };
  }
}

/** Control characters below a space, but white space, the old end-of-file mark and escape. */
function hasForeignControl(piece: Uint8Array): boolean {
  for (const byte of piece) {
    if (byte < 0x20 && (byte < 0x09 || byte > 0x0d) && byte !== 0x1a && byte !== 0x1b) return true;
  }
  return false;
}

/** Byte for character, in slices that a call takes as arguments. */
function latin1(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += 8192) {
    text += String.fromCharCode(...bytes.subarray(at, at + 8192));
  }
  return text;
}
