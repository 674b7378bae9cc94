import type { Readable } from 'node:stream';
import type { BlobStore } from './file-blob-store.ts';

/** A decrypted byte stream, whole or a range. */
export interface FileStream {
  readonly stream: Readable;
  readonly fileName: string;
  readonly contentType: string;
  /** The size of the whole file, regardless of the range. */
  readonly sizeBytes: number;
}

/** The first and the last byte, both inclusive (RFC 9110 section 14). */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/** A stored file as a stream. */
export function fileStream(
  files: BlobStore,
  file: { blobId: string; fileName: string; contentType: string; sizeBytes: number },
  range?: ByteRange,
): FileStream {
  const { blobId, fileName, contentType, sizeBytes } = file;
  return { stream: files.open(blobId, range), fileName, contentType, sizeBytes };
}
