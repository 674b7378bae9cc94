import type { Readable } from 'node:stream';

/** A stored file: the name of its encrypted file (64 hex digits), and what it holds. */
export interface StoredBlob {
  readonly blobId: string;
  readonly sizeBytes: number;
}

/** A file that is named by a keyed digest of its content, which does not tell its hash. */
export interface StoredContent extends StoredBlob {
  /** Hex SHA-256 of the plain content. */
  readonly sha256: string;
}

/** Writes one file in; nothing is visible under its name until `finish` has synced it to disk. */
export interface BlobWriter<Stored extends StoredBlob> {
  write(chunk: Uint8Array): Promise<void>;
  finish(): Promise<Stored>;
  /** Removes what was written so far. */
  abort(): Promise<void>;
}

/**
 * Files of any size in encrypted, authenticated chunks (AES-256-GCM). Readable from any byte on; a
 * changed, shortened or swapped chunk is an error, never bytes.
 */
export interface BlobStore {
  /** Stores by content: the same bytes twice are one file. */
  createWriter(): Promise<BlobWriter<StoredContent>>;
  /** Stores under a name of its own: no other document's content shares the file. */
  createUnhashedWriter(): Promise<BlobWriter<StoredBlob>>;
  has(blobId: string): boolean;
  /** `range` ends are inclusive, as in HTTP. */
  open(blobId: string, range?: { start: number; end: number }): Readable;
  delete(blobId: string): Promise<void>;
  /** Ids on disk, for finding files that no row names any more. */
  list(): Promise<string[]>;
}

/** A stored file that is missing, cut short or changed. Names the file by its id only. */
export class BlobDamagedError extends Error {
  override readonly name = 'BlobDamagedError';
  readonly code = 'blob_damaged';
  readonly blobId: string;

  constructor(blobId: string, reason: 'missing' | 'changed' | 'range', options?: ErrorOptions) {
    super(`blob ${reason}`, options);
    this.blobId = blobId;
  }
}
