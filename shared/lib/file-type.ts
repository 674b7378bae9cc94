import { documentMaxBytes, fileNameMaxLength } from '../api/limits.ts';
import type { DocumentContentType } from '../api/content-types.ts';
import { DeskError } from '../desk/desk-error.ts';
import {
  carriesSignature,
  FileTypeScanner,
  isZip,
  looksLikeText,
  signatureType,
  type FileTraits,
} from './file-signature.ts';

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
 * The media type of a file: what its name says, provided that its content agrees, or what the
 * content says if the name has no extension.
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
  if (carriesSignature(named, found)) return named;
  throw new DeskError('file_type_mismatch', {
    fileName,
    contentType: signatureType(found) ?? (looksLikeText(found.head) ? 'text/plain' : 'unknown'),
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
