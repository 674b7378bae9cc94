import { Readable } from 'node:stream';
import type { DocumentContentType } from '#shared/api/document.ts';
import {
  assertFileName,
  assertFileSize,
  assertNotTooLarge,
  documentTypeOf,
  extensionOf,
  FileTypeScanner,
  typeOfName,
} from '#shared/lib/file-type.ts';
import { DeskError } from '#shared/desk/errors.ts';
import { joinBytes } from '#shared/photos/bytes.ts';
import { isPictureType } from '#shared/photos/strip-picture.ts';
import type { BlobStore } from '../blobs/file-blob-store.ts';
import type { PdfChecker } from '../pdf/pdf-checker.ts';
import type { PictureStripper } from '../photos/picture-stripper.ts';
import type { StoredAttachment, StoredFile, TakenFile } from './attachment-rows.ts';

/** A file to be attached, as it arrives. */
export interface IncomingFile {
  readonly fileName: string;
  readonly content: AsyncIterable<Uint8Array>;
  readonly isSalvageSale?: boolean;
  /** A photo that was looked at and is sent as it is. */
  readonly isSeen?: boolean;
}

/** Where files are taken in. */
export interface Intake {
  readonly workFiles: BlobStore;
  readonly stripper: PictureStripper;
  readonly pdfs: PdfChecker;
}

/**
 * Takes a file's bytes into the work store, checking them as they pass. Of a picture that no window
 * has looked at, what is sent is stripped of all that is not the picture, and the file is stored next
 * to it. A refused file leaves nothing behind.
 * @throws {DeskError} file_name_invalid, file_empty, file_too_large, file_type_not_allowed,
 * file_type_mismatch, office_protected, pdf_damaged, disk_full
 */
export async function takeFile(intake: Intake, file: IncomingFile): Promise<TakenFile> {
  const { fileName, isSeen } = file;
  assertFileName(fileName);
  const { bytes, found, ...taken } = await store(intake, file);
  const { contentType, isSalvageSale } = taken;
  if (!bytes || !isPictureType(contentType)) return { ...taken, found };
  if (isSeen) return { ...taken, found: { isBare: true } };
  const { bytes: picture, isBare, takenAt } = await intake.stripper.strip({ bytes, contentType });
  if (!picture) return { ...taken, found: { isBare, takenAt } };
  const content = Readable.from([picture]);
  const { bytes: _, ...stripped } = await store(intake, { fileName, isSalvageSale, content });
  const { isSalvageSale: __, ...original } = taken;
  return { ...stripped, found: { isBare, takenAt, original: { ...original, page: 0 } } };
}

/** With the bytes, if they are to be looked into. */
async function store(
  { workFiles, pdfs }: Intake,
  { fileName, content, isSalvageSale = false }: IncomingFile,
): Promise<StoredFile & Pick<CheckedFile, 'bytes' | 'found'>> {
  const writer = await workFiles.createWriter();
  try {
    const read = await readChecked({ fileName, content }, pdfs, (piece) => writer.write(piece));
    const { blobId, sha256 } = await writer.finish();
    return { fileName, ...read, sha256, blobId, isSalvageSale };
  } catch (error) {
    await writer.abort();
    throw error;
  }
}

/** What is known of a file that was read. */
interface CheckedFile {
  readonly sizeBytes: number;
  readonly contentType: DocumentContentType;
  /** Of a picture; else null. */
  readonly bytes: Uint8Array<ArrayBuffer> | null;
  readonly found: { readonly isProtected?: boolean };
}

/**
 * Reads a file whole and checks its size and type, and of a PDF whether it opens; its name is
 * checked before.
 * @param onPiece gets each piece once the size up to it is checked
 * @throws {DeskError} file_empty, file_too_large, file_type_not_allowed, file_type_mismatch,
 * office_protected, pdf_damaged
 */
export async function readChecked(
  { fileName, content }: Pick<IncomingFile, 'fileName' | 'content'>,
  pdfs: PdfChecker,
  onPiece: (piece: Uint8Array) => unknown,
): Promise<CheckedFile> {
  const scanner = new FileTypeScanner();
  const mayBePicture = isPictureName(fileName);
  const pieces: Uint8Array[] = [];
  let sizeBytes = 0;
  for await (const piece of content) {
    sizeBytes += piece.length;
    assertNotTooLarge(fileName, sizeBytes);
    scanner.push(piece);
    if (mayBePicture || scanner.mayBePdf()) pieces.push(piece);
    else pieces.length = 0;
    await onPiece(piece);
  }
  assertFileSize(fileName, sizeBytes);
  const contentType = documentTypeOf(fileName, scanner.traits());
  const read = { sizeBytes, contentType, bytes: null, found: {} };
  if (isPictureType(contentType)) return { ...read, bytes: joinBytes(pieces) };
  if (contentType !== 'application/pdf') return read;
  const finding = await pdfs.check(joinBytes(pieces.splice(0)));
  if (finding === 'damaged') throw new DeskError('pdf_damaged', { fileName });
  return finding === 'protected' ? { ...read, found: { isProtected: true } } : read;
}

/** Without an extension, the content alone shows what a file is. */
const isPictureName = (fileName: string) => (typeOfName(fileName) ?? 'image/').startsWith('image/');

/**
 * A new name for an attachment: it may change everything but what the file is.
 * @throws {DeskError} file_name_invalid, file_type_mismatch
 */
export function assertRename(attachment: StoredAttachment, fileName: string): void {
  assertFileName(fileName);
  if (extensionOf(fileName) !== extensionOf(attachment.fileName)) {
    throw new DeskError('file_type_mismatch', { fileName, contentType: attachment.contentType });
  }
}
