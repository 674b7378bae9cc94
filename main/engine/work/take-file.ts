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
}

/**
 * Takes a file's bytes into the work store, checking them as they pass. Of a picture that no window
 * has looked at, what is sent is stripped of all that is not the picture, and the file is stored next
 * to it. A refused file leaves nothing behind.
 * @throws {DeskError} file_name_invalid, file_empty, file_too_large, file_type_not_allowed,
 * file_type_mismatch, disk_full
 */
export async function takeFile(
  { workFiles, stripper }: Intake,
  file: IncomingFile,
): Promise<TakenFile> {
  const { fileName, isSeen } = file;
  assertFileName(fileName);
  const pieces: Uint8Array[] = [];
  const isPicture = isPictureName(fileName) && isSeen !== true;
  const content = isPicture ? collected(file.content, pieces) : file.content;
  const taken = await store(workFiles, { ...file, content });
  const { contentType, isSalvageSale } = taken;
  if (!isPictureType(contentType)) return taken;
  if (!isPicture) return { ...taken, picture: { isBare: true, takenAt: null, original: null } };
  const order = { bytes: joinBytes(pieces.splice(0)), contentType };
  const { bytes, isBare, takenAt } = await stripper.strip(order);
  if (!bytes) return { ...taken, picture: { isBare, takenAt, original: null } };
  const stripped = await store(workFiles, {
    fileName,
    isSalvageSale,
    content: Readable.from([bytes]),
  });
  const { isSalvageSale: _, ...original } = taken;
  return { ...stripped, picture: { isBare, takenAt, original: { ...original, page: 0 } } };
}

/** Without an extension, the content alone shows what a file is. */
export const isPictureName = (fileName: string) =>
  (typeOfName(fileName) ?? 'image/').startsWith('image/');

async function* collected(
  content: AsyncIterable<Uint8Array>,
  pieces: Uint8Array[],
): AsyncGenerator<Uint8Array> {
  for await (const piece of content) {
    pieces.push(piece);
    yield piece;
  }
}

async function store(
  blobs: BlobStore,
  { fileName, content, isSalvageSale = false }: IncomingFile,
): Promise<StoredFile> {
  const writer = await blobs.createWriter();
  try {
    const read = await readChecked(fileName, content, (piece) => writer.write(piece));
    const { blobId, sha256 } = await writer.finish();
    return { fileName, ...read, sha256, blobId, isSalvageSale };
  } catch (error) {
    await writer.abort();
    throw error;
  }
}

/**
 * Reads a file whole and checks its size and type; its name is checked before.
 * @param onPiece gets each piece once the size up to it is checked
 * @throws {DeskError} file_empty, file_too_large, file_type_not_allowed, file_type_mismatch
 */
export async function readChecked(
  fileName: string,
  content: AsyncIterable<Uint8Array>,
  onPiece: (piece: Uint8Array) => unknown,
): Promise<{ sizeBytes: number; contentType: DocumentContentType }> {
  const scanner = new FileTypeScanner();
  let sizeBytes = 0;
  for await (const piece of content) {
    sizeBytes += piece.length;
    assertNotTooLarge(fileName, sizeBytes);
    scanner.push(piece);
    await onPiece(piece);
  }
  assertFileSize(fileName, sizeBytes);
  return { sizeBytes, contentType: documentTypeOf(fileName, scanner.traits()) };
}

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
