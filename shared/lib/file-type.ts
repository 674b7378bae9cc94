import { documentMaxBytes, fileNameMaxLength } from '../api/limits.ts';
import type { DocumentContentType } from '../api/document.ts';
import { DeskError } from '../desk/contract/desk-error.ts';
import { cutText } from './cut-text.ts';

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

/** What a file that is likely not as it was written lacks: a mail its end, any other some parts. */
export const damageKind = (contentType: string | null): 'looksCut' | 'looksDamaged' =>
  contentType === typeByExtension['eml'] ? 'looksCut' : 'looksDamaged';

/** The extensions that a file picker offers. */
export const documentExtensions = Object.keys(typeByExtension);

const textDocuments = ['doc', 'dot', 'docm', 'dotx', 'rtf', 'odt', 'pages', 'wpd'];
const sheets = ['xls', 'xlt', 'xlsm', 'xlsb', 'ods', 'numbers'];
const videos = ['mov', 'mp4', 'm4v', 'avi', 'mkv', 'wmv', 'mpg', 'mpeg', '3gp', 'webm'];
const shortcuts = ['lnk', 'url', 'webloc', 'desktop', 'alias'];
const inClouds = ['icloud', 'gdoc', 'gsheet', 'gslides', 'cloud', 'cloudf'];
/** What browsers call a download that is not finished. */
const downloads = ['crdownload', 'part', 'partial', 'download', 'opdownload'];
const archives = ['rar', '7z', 'tar', 'gz', 'tgz', 'bz2', 'xz', 'cab', 'iso'];

/**
 * Common kinds of files that the partner does not accept. The sentence of each rule advises the
 * user.
 */
const otherKinds: Readonly<Record<string, string>> = {
  ...Object.fromEntries(textDocuments.map((extension) => [extension, 'kind_text_document'])),
  ...Object.fromEntries(sheets.map((extension) => [extension, 'kind_sheet'])),
  ...Object.fromEntries(videos.map((extension) => [extension, 'kind_video'])),
  ...Object.fromEntries(shortcuts.map((extension) => [extension, 'kind_shortcut'])),
  ...Object.fromEntries(inClouds.map((extension) => [extension, 'kind_cloud'])),
  ...Object.fromEntries(archives.map((extension) => [extension, 'kind_archive'])),
  ...Object.fromEntries(downloads.map((extension) => [extension, 'kind_download'])),
  msg: 'kind_outlook',
  oft: 'kind_outlook',
  pst: 'kind_outlook',
  ost: 'kind_outlook',
  emlx: 'kind_mail_program',
  mbox: 'kind_mail_program',
};

/** An attachment of a mail that only Outlook shows (MS-OXTNEF). */
const outlookAttachment = /(?:^|[ _-])winmail\b.*\.dat$/i;

/** The rule of a name whose kind is not accepted; null for every other name. */
function otherKindOf(fileName: string): string | null {
  if (outlookAttachment.test(fileName.trim())) return 'kind_outlook';
  const extension = extensionOf(fileName);
  return Object.hasOwn(otherKinds, extension) ? (otherKinds[extension] ?? null) : null;
}

/** The type by the extension; null if the extension is not known. */
export const typeOfName = (fileName: string): DocumentContentType | null =>
  typeByExtension[extensionOf(fileName)] ?? null;

/** The usual extension of a type; null for a type that the desk does not know. */
export const extensionOfType = (contentType: string): string | null =>
  Object.entries(typeByExtension).find(([, type]) => type === contentType)?.[0] ?? null;

/**
 * The extension in lower case without the point; '' if the name has none. Blanks after the name are
 * ignored.
 */
export function extensionOf(fileName: string): string {
  const name = fileName.trim();
  const point = name.lastIndexOf('.');
  return point <= 0 ? '' : name.slice(point + 1).toLowerCase();
}

/**
 * The name under which a file is stored: without blanks around it. If the file is a picture of
 * another kind than its extension, the extension is replaced. A name that would then be too long is
 * cut off before it.
 */
export function takenName(fileName: string, contentType: DocumentContentType): string {
  const name = fileName.trim();
  const named = typeOfName(name);
  if (named === null || named === contentType || !isPicture(named) || !isPicture(contentType))
    return name;
  const end = `.${pictureExtensions[contentType]}`;
  return cutText(name.slice(0, name.lastIndexOf('.')), fileNameMaxLength - end.length) + end;
}

const isText = (type: DocumentContentType) => type === 'text/plain' || type === 'text/csv';

/** A text may speak of PDF in its first lines, where a PDF may have its header. */
const isBinary = (content: DocumentContentType | null, { head }: FileTraits) =>
  content === null
    ? startsWith(head, compoundFile)
    : content !== 'application/pdf' || startsWith(head, '%PDF-');

const pictureExtensions = {
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'image/webp': 'webp',
  'image/heic': 'heic',
  'image/tiff': 'tif',
} as const;

const isPicture = (type: DocumentContentType): type is keyof typeof pictureExtensions =>
  Object.hasOwn(pictureExtensions, type);

/**
 * Checks a file's name.
 * @throws {DeskError} file_name_invalid with rule `empty`, `too_long`, `separator` or `control`
 */
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

/**
 * Checks a file's size.
 * @throws {DeskError} file_empty, file_too_large (decisions, "Documents")
 */
export function assertFileSize(fileName: string, sizeBytes: number): void {
  if (sizeBytes === 0) throw new DeskError('file_empty', { fileName });
  assertNotTooLarge(fileName, sizeBytes);
}

/**
 * Checks the upper limit of a file's size.
 * @throws {DeskError} file_too_large
 */
export function assertNotTooLarge(fileName: string, sizeBytes: number): void {
  if (sizeBytes > documentMaxBytes) {
    throw new DeskError('file_too_large', { fileName, sizeBytes, maxBytes: documentMaxBytes });
  }
}

/**
 * The media type of a file, from its name if the content matches the name. If the name has no
 * extension, or if name and content are both pictures, the type is from the content.
 * @throws {DeskError} file_type_not_allowed, file_type_mismatch, file_kind, office_protected
 */
export function documentTypeOf(fileName: string, found: FileTraits): DocumentContentType {
  const extension = extensionOf(fileName);
  const named = typeByExtension[extension];
  if (named === undefined) {
    const sniffed = extension === '' ? signatureType(found) : null;
    if (sniffed !== null) return sniffed;
    const rule = otherKindOf(fileName);
    if (rule !== null) throw new DeskError('file_kind', { fileName, rule });
    // Raw pictures of cameras are a kind of TIFF, and many documents are archives.
    const content = signatureType(found);
    if (content !== null && content !== 'image/tiff' && content !== 'application/zip')
      throw new DeskError('file_kind', { fileName, rule: 'kind_ending' });
    throw new DeskError('file_type_not_allowed', {
      fileName,
      contentType: content ?? extension,
    });
  }
  const content = signatureType(found);
  if (carriesSignature(named, found) && !(isText(named) && isBinary(content, found))) return named;
  if (content !== null && isPicture(named) && isPicture(content)) return content;
  if ((named === word || named === excel) && startsWith(found.head, compoundFile))
    throw new DeskError('office_protected', { fileName });
  // What says of an archive that it is a document may stand in the part that is missing.
  if ((named === word || named === excel) && isZip(found.head) && !found.hasArchiveEnd)
    throw new DeskError('file_damaged', { fileName, rule: 'archive_directory' });
  throw new DeskError('file_type_mismatch', {
    fileName,
    contentType: content ?? (looksLikeText(found.head) ? 'text/plain' : 'unknown'),
  });
}

/**
 * Compares the beginning of a file with its name. Every archive passes here, because the parts of
 * an Office document may be anywhere in the file.
 * @throws {DeskError} file_type_not_allowed, file_type_mismatch, file_kind, office_protected
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
  /**
   * Whether the file contains the part of a Word or Excel package (OOXML). Only archives are
   * searched.
   */
  readonly hasWordPart: boolean;
  readonly hasExcelPart: boolean;
  /** An archive has its end. */
  readonly hasArchiveEnd: boolean;
}

/**
 * The number of bytes that may precede the header of a PDF. Readers search the first 1,024 bytes.
 */
const pdfJunkBytes = 1024;
/** The number of bytes that the signatures need. */
const headBytes = pdfJunkBytes + '%PDF-'.length;
const heicBrands: ReadonlySet<string> = new Set(['heic', 'heix', 'heim', 'heis', 'hevc', 'hevx']);
const word = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';
const excel = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

/**
 * The signature of a compound file. Office stores password-protected documents in one
 * (MS-OFFCRYPTO, 1.3), and DOC and XLS are also compound files.
 */
const compoundFile = '\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1';

/** The signature of each type of document. Text has none (decisions, "Documents"). */
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
  // RFC 5322, 2.2: a field name of printable characters except the colon, then a colon. Mailboxes
  // put a byte order mark, blank lines or a line of the mailbox ("From ") before the mail.
  'message/rfc822': ({ head }) =>
    /^(?:\xef\xbb\xbf)?(?:[ \t]*\r?\n)*(?:>?From [^\r\n]*\r?\n)?[!-9;-~]+[ \t]*:/.test(
      latin1(head),
    ),
  'text/plain': () => true,
  'text/csv': () => true,
};

/**
 * The types with a signature, in the order of the checks. Office files come before archives,
 * because they are archives as well. PDF comes last, because its header need not be at the first
 * byte.
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
 * The type of a file by its first bytes, regardless of its name. Every text counts as plain text,
 * and every Office document as an archive. The type is null if it is unknown.
 */
export function typeByContent(head: Uint8Array): DocumentContentType | null {
  const scanner = new FileTypeScanner();
  scanner.push(head);
  const traits = scanner.traits();
  return signatureType(traits) ?? (looksLikeText(traits.head) ? 'text/plain' : null);
}

/**
 * Whether all bytes can be text: white space, the old end-of-file mark and escape are the only
 * control characters.
 */
function looksLikeText(head: Uint8Array): boolean {
  return head.every(
    (byte) => byte >= 0x20 || (byte >= 0x09 && byte <= 0x0d) || byte === 0x1a || byte === 0x1b,
  );
}

/** Whether the bytes begin with a local file header, or with the end record of an empty archive. */
function isZip(head: Uint8Array): boolean {
  return startsWith(head, 'PK\x03\x04') || startsWith(head, 'PK\x05\x06');
}

/** The major and compatible brands of an ISO base media file (ISO/IEC 14496-12, 4.3). */
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
/** APPNOTE.TXT, 4.3.16: the record behind the directory. */
const archiveEnd = 'PK\x05\x06';
/**
 * The number of bytes that are carried over to the next piece, so that a name that is cut in two is
 * still found.
 */
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
    for (const part of [contentTypesPart, wordPart, excelPart, archiveEnd]) {
      if (includes(seam, part) || includes(piece, part)) this.#parts.add(part);
    }
    this.#carry = concat(this.#carry, piece.subarray(-carryBytes)).slice(-carryBytes);
  }

  traits(): FileTraits {
    const isPackage = this.#parts.has(contentTypesPart);
    return {
      head: this.#head,
      hasWordPart: isPackage && this.#parts.has(wordPart),
      hasExcelPart: isPackage && this.#parts.has(excelPart),
      hasArchiveEnd: this.#parts.has(archiveEnd),
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

/** Each byte becomes one character. This is for short pieces. */
function latin1(bytes: Uint8Array): string {
  return String.fromCharCode(...bytes);
}
