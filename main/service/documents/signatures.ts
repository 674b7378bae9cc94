import type { DocumentContentType } from '#shared/api/content-types.ts';
import { documentContentTypes } from '#shared/api/content-types.ts';

/** Bytes at the start of a document that its signature is looked for in. */
const signatureHeadBytes = 512;

/** What is learned of a document's bytes while they pass by. */
export interface ContentTraits {
  /** The first `signatureHeadBytes` of it, or all where it is shorter. */
  readonly head: Buffer;
  /** Without control characters that no text has; see `TraitScanner`. */
  readonly isText: boolean;
  /** Names of OOXML parts that occur in it (looked for in zip archives only). */
  readonly hasContentTypesPart: boolean;
  readonly hasWordPart: boolean;
  readonly hasExcelPart: boolean;
}

export function isDocumentContentType(type: string): type is DocumentContentType {
  return (documentContentTypes as readonly string[]).includes(type);
}

/**
 * Whether the content is what its media type says (decisions, "Documents": where a type has a
 * signature the content must carry it).
 */
export function carriesSignature(type: DocumentContentType, traits: ContentTraits): boolean {
  const { head } = traits;
  switch (type) {
    case 'application/pdf':
      return startsWith(head, '%PDF-'); // ISO 32000-2, 7.5.2
    case 'image/jpeg':
      return startsWith(head, '\xff\xd8\xff'); // ITU T.81, SOI and a marker
    case 'image/png':
      return startsWith(head, '\x89PNG\r\n\x1a\n');
    case 'image/webp':
      return startsWith(head, 'RIFF') && startsWith(head.subarray(8), 'WEBP'); // RFC 9649
    case 'image/heic':
      return heifBrands(head).some((brand) => heicBrands.has(brand));
    case 'image/tiff':
      return ['II*\0', 'MM\0*', 'II+\0', 'MM\0+'].some((mark) => startsWith(head, mark));
    case 'application/zip':
      return isZip(head);
    case 'application/vnd.openxmlformats-officedocument.wordprocessingml.document':
      return isZip(head) && traits.hasContentTypesPart && traits.hasWordPart;
    case 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet':
      return isZip(head) && traits.hasContentTypesPart && traits.hasExcelPart;
    case 'message/rfc822':
      // RFC 5322, 2.2: a field name of printable characters but the colon, then a colon.
      return traits.isText && /^[!-9;-~]+[ \t]*:/.test(head.toString('latin1'));
    case 'text/plain':
    case 'text/csv':
      return traits.isText;
  }
}

const heicBrands = new Set(['heic', 'heix', 'heim', 'heis', 'hevc', 'hevx']);

/** Major and compatible brands of an ISO base media file (ISO/IEC 14496-12, 4.3). */
function heifBrands(head: Buffer): string[] {
  if (head.length < 16 || !startsWith(head.subarray(4), 'ftyp')) return [];
  const end = Math.min(head.readUInt32BE(0), head.length);
  const brands = [head.toString('latin1', 8, 12)];
  for (let at = 16; at + 4 <= end; at += 4) brands.push(head.toString('latin1', at, at + 4));
  return brands;
}

/** A local file header, or the end record of an archive without members. */
function isZip(head: Buffer): boolean {
  return startsWith(head, 'PK\x03\x04') || startsWith(head, 'PK\x05\x06');
}

function startsWith(bytes: Buffer, mark: string): boolean {
  return bytes.toString('latin1', 0, mark.length) === mark;
}

const partNames = { contentTypes: '[Content_Types].xml', word: 'word/', excel: 'xl/' };
/** Bytes carried from one piece to the next, so that a name cut in two is still found. */
const carryBytes = partNames.contentTypes.length - 1;

/** Learns the traits of a document from its bytes as they come, in pieces of any size. */
export class TraitScanner {
  #head = Buffer.alloc(0);
  #isText = true;
  #carry = Buffer.alloc(0);
  #hasContentTypesPart = false;
  #hasWordPart = false;
  #hasExcelPart = false;

  push(piece: Buffer): void {
    if (this.#head.length < signatureHeadBytes) {
      const missing = signatureHeadBytes - this.#head.length;
      this.#head = Buffer.concat([this.#head, piece.subarray(0, missing)]);
    }
    this.#isText &&= !hasForeignControl(piece);
    if (!isZip(this.#head) && this.#head.length >= 4) return;
    const window = Buffer.concat([this.#carry, piece]);
    this.#hasContentTypesPart ||= window.includes(partNames.contentTypes);
    this.#hasWordPart ||= window.includes(partNames.word);
    this.#hasExcelPart ||= window.includes(partNames.excel);
    this.#carry = Buffer.from(window.subarray(-carryBytes));
  }

  traits(): ContentTraits {
    return {
      head: this.#head,
      isText: this.#isText,
      hasContentTypesPart: this.#hasContentTypesPart,
      hasWordPart: this.#hasWordPart,
      hasExcelPart: this.#hasExcelPart,
    };
  }
}

/**
 * A control character that no text file has: anything below a space but white space, the old
 * end-of-file mark and escape. Bytes from 0x80 are all allowed, because text comes in UTF-8 and
 * in the 8-bit sets of old programs alike, and neither has a signature.
 */
function hasForeignControl(piece: Buffer): boolean {
  for (const byte of piece) {
    if (byte < 0x20 && (byte < 0x09 || byte > 0x0d) && byte !== 0x1a && byte !== 0x1b) return true;
  }
  return false;
}
