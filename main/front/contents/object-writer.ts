import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import type { Kysely } from 'kysely';
import type { ContentTables } from '../store/tables.ts';
import {
  beginContent,
  type ContentWriter,
  discardContent,
  type StagedContent,
} from './contents.ts';
import type { ObjectStore } from './object-store.ts';

interface Sending {
  readonly stream: PassThrough;
  /** Resolves when the object is whole. */
  readonly sent: Promise<void>;
}

/** Stages bytes as an object in a bucket. */
export class ObjectWriter implements ContentWriter {
  readonly #db: Kysely<ContentTables>;
  readonly #objects: ObjectStore;
  readonly #contentId: string;
  readonly #createdAt: number;
  #sizeBytes = 0;
  #hasRow = false;
  #sending: Sending | undefined;

  /** @param db not a transaction, because a bucket can be slow. */
  constructor(
    db: Kysely<ContentTables>,
    objects: ObjectStore,
    contentId: string,
    createdAt: number,
  ) {
    this.#db = db;
    this.#objects = objects;
    this.#contentId = contentId;
    this.#createdAt = createdAt;
  }

  get sizeBytes(): number {
    return this.#sizeBytes;
  }

  async push(bytes: Uint8Array): Promise<void> {
    const { stream, sent } = await this.#begin();
    this.#sizeBytes += bytes.length;
    // A copy, because the caller reuses the bytes.
    if (stream.write(Buffer.from(bytes))) return;
    // A stream whose upload failed never drains.
    await Promise.race([once(stream, 'drain'), sent]);
  }

  async finish(): Promise<StagedContent> {
    const { stream, sent } = await this.#begin();
    stream.end();
    await sent;
    return this.#staged();
  }

  async discard(): Promise<void> {
    if (this.#sending) {
      this.#sending.stream.destroy(new Error('the upload was discarded'));
      await this.#sending.sent.catch(() => undefined);
    }
    await discardContent(this.#db, this.#staged());
  }

  async #begin(): Promise<Sending> {
    if (this.#sending) return this.#sending;
    // The row comes first: if the process dies, the purge finds the object by it.
    await beginContent(this.#db, this.#contentId, { at: this.#createdAt, isObject: true });
    this.#hasRow = true;
    const stream = new PassThrough();
    const sent = this.#objects.put(this.#contentId, stream).catch((error: unknown) => {
      stream.destroy();
      throw error;
    });
    // push and finish throw the error; until then it is not unhandled.
    sent.catch(() => undefined);
    this.#sending = { stream, sent };
    return this.#sending;
  }

  #staged(): StagedContent {
    return {
      contentId: this.#contentId,
      sizeBytes: this.#sizeBytes,
      hasRow: this.#hasRow,
      isObject: true,
      writtenChunks: 0,
      tail: [],
    };
  }
}
