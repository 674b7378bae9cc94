import type { Readable } from 'node:stream';

/**
 * Objects in a bucket, one for each content, under the content's id. An object is written once, and
 * exists as a whole or not at all.
 */
export interface ObjectStore {
  /** @throws {ObjectStorageUnusableError} with a sentence for a person. */
  assertUsable(): Promise<void>;
  /** Writes an object from a stream; a stream that fails leaves no object. */
  put(id: string, content: Readable): Promise<void>;
  /** The bytes of an object; the caller reads or destroys them. */
  open(id: string): Promise<Readable>;
  /** Deletes an object; it may not exist. */
  remove(id: string): Promise<void>;
  close(): void;
}

/** The service cannot start, because it cannot use the storage for its documents. */
export class ObjectStorageUnusableError extends Error {
  readonly code = 'object_storage_unusable';

  constructor(why: string, options?: ErrorOptions) {
    super(`the storage for documents cannot be used: ${why}`, options);
    this.name = 'ObjectStorageUnusableError';
  }
}
