import type { Kysely } from 'kysely';
import type { Database } from '../../store/tables.ts';
import { beginContent, discardContent } from '../content-rows.ts';
import type { ContentWriter, StagedContent } from '../content-writer.ts';
import type { ObjectStore } from './object-store.ts';

/** The least that a part may have but for the last (S3 API, "Multipart upload limits"). */
const partBytes = 5 * 1024 * 1024;

/**
 * Puts bytes aside as an object: in parts, of which one is in memory, or at once where they are
 * few. The object is whole when `finish` is over.
 */
export class ObjectWriter implements ContentWriter {
  readonly #db: Kysely<Database>;
  readonly #objects: ObjectStore;
  readonly #contentId: string;
  readonly #createdAt: number;
  /** Used again for each part. */
  #part: Buffer | undefined;
  #partBytes = 0;
  #sizeBytes = 0;
  #isBegun = false;
  #uploadId: string | undefined;
  readonly #etags: string[] = [];

  /** @param db not a transaction: others wait for those, and a bucket can be slow. */
  constructor(db: Kysely<Database>, objects: ObjectStore, contentId: string, createdAt: number) {
    this.#db = db;
    this.#objects = objects;
    this.#contentId = contentId;
    this.#createdAt = createdAt;
  }

  get sizeBytes(): number {
    return this.#sizeBytes;
  }

  async push(bytes: Uint8Array): Promise<void> {
    this.#sizeBytes += bytes.length;
    this.#part ??= Buffer.allocUnsafeSlow(partBytes);
    for (let at = 0; at < bytes.length;) {
      // Only now, because there must be something for the last part.
      if (this.#partBytes === partBytes) await this.#putPart(this.#part);
      const copied = Math.min(bytes.length - at, partBytes - this.#partBytes);
      this.#part.set(bytes.subarray(at, at + copied), this.#partBytes);
      at += copied;
      this.#partBytes += copied;
    }
  }

  async finish(): Promise<StagedContent> {
    const rest = (this.#part ?? Buffer.alloc(0)).subarray(0, this.#partBytes);
    if (this.#uploadId === undefined) {
      await this.#begin();
      await this.#objects.put(this.#contentId, rest);
    } else {
      await this.#putPart(rest);
      await this.#objects.completeUpload(this.#contentId, this.#uploadId, this.#etags);
    }
    this.#part = undefined;
    return this.#staged();
  }

  discard(): Promise<void> {
    return discardContent(this.#db, this.#staged());
  }

  async #putPart(bytes: Buffer): Promise<void> {
    await this.#begin();
    this.#uploadId ??= await this.#objects.beginUpload(this.#contentId);
    const number = this.#etags.length + 1;
    this.#etags.push(await this.#objects.putPart(this.#contentId, this.#uploadId, number, bytes));
    this.#partBytes = 0;
  }

  /** The row comes first: should the process die, it is what the object is swept away by. */
  async #begin(): Promise<void> {
    if (this.#isBegun) return;
    await beginContent(this.#db, this.#contentId, { at: this.#createdAt, inObjects: true });
    this.#isBegun = true;
  }

  #staged(): StagedContent {
    return {
      contentId: this.#contentId,
      sizeBytes: this.#sizeBytes,
      isBegun: this.#isBegun,
      inObjects: true,
      writtenChunks: 0,
      tail: [],
    };
  }
}
