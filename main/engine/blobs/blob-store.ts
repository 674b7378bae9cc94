import type { Readable } from 'node:stream';

/** A stored file: the name of its encrypted file, and what it holds. */
export interface StoredBlob {
  /** Keyed digest of the content, hex: names the file without telling its hash. */
  readonly blobId: string;
  readonly sizeBytes: number;
  /** Hex SHA-256 of the plain content. */
  readonly sha256: string;
}

/** Writes one file in; nothing is visible under its name until `finish` has synced it to disk. */
export interface BlobWriter {
  write(chunk: Uint8Array): Promise<void>;
  /** Stores by content: the same bytes twice are one file. */
  finish(): Promise<StoredBlob>;
  /** Removes what was written so far. */
  abort(): Promise<void>;
}

/**
 * Files of any size in encrypted, authenticated chunks (AES-256-GCM), content-addressed. Readable
 * from any byte on; a changed, shortened or swapped chunk is an error, never bytes.
 */
export interface BlobStore {
  createWriter(): Promise<BlobWriter>;
  has(blobId: string): boolean;
  /** `range` ends are inclusive, as in HTTP. */
  open(blobId: string, range?: { start: number; end: number }): Readable;
  delete(blobId: string): Promise<void>;
  /** Ids on disk, for finding files that no row names any more. */
  list(): Promise<string[]>;
}
