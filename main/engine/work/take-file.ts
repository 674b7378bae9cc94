import type { DocumentContentType } from '#shared/api/document.ts';
import {
  assertFileName,
  assertFileSize,
  assertNotTooLarge,
  documentTypeOf,
  extensionOf,
  FileTypeScanner,
} from '#shared/lib/file-type.ts';
import { DeskError } from '#shared/desk/errors.ts';
import type { BlobStore } from '../blobs/file-blob-store.ts';
import type { StoredAttachment, TakenFile } from './attachment-rows.ts';

/** A file to be attached, as it arrives. */
export interface IncomingFile {
  readonly fileName: string;
  readonly content: AsyncIterable<Uint8Array>;
  readonly isSalvageSale?: boolean;
  /** A photo that was looked at and is sent as it is. */
  readonly isSeen?: boolean;
}

/**
 * Takes a file's bytes into the work store, checking them as they pass. A refused file leaves
 * nothing behind.
 * @throws {DeskError} file_name_invalid, file_empty, file_too_large, file_type_not_allowed,
 * file_type_mismatch, disk_full
 */
export async function takeFile(blobs: BlobStore, file: IncomingFile): Promise<TakenFile> {
  const { fileName } = file;
  assertFileName(fileName);
  const writer = await blobs.createWriter();
  try {
    const read = await readChecked(fileName, file.content, (piece) => writer.write(piece));
    const { blobId, sha256 } = await writer.finish();
    return { fileName, ...read, sha256, blobId, isSalvageSale: file.isSalvageSale ?? false };
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
