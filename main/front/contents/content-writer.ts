import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import type { Kysely } from 'kysely';
import type { ContentTables } from '../store/tables.ts';
import {
  beginContent,
  chunkBytes,
  discardContent,
  insertChunks,
  type ContentStorage,
  type ContentWriter,
  type StagedContent,
} from './contents.ts';
import type { ObjectStore } from './s3-store.ts';

/** Stages a new content in the storage of uploads. */
export function createContentWriter(
  { db, objects }: ContentStorage,
  contentId: string,
  createdAt: number,
): ContentWriter {
  return objects
    ? new ObjectWriter(db, objects, contentId, createdAt)
    : new ChunkWriter(db, contentId, createdAt);
}

/** Chunks of one write: each write is a sync of the disk. */
const chunksPerWrite = 16;

/** Stages bytes as chunks in the store. */
class ChunkWriter implements ContentWriter {
  readonly #db: Kysely<ContentTables>;
  readonly #contentId: string;
  readonly #createdAt: number;
  #sizeBytes = 0;
  #writtenChunks = 0;
  /** Reused after each write, because new ones would outlive the young generation. */
  readonly #chunks: Buffer[] = [];
  #fullChunks = 0;
  /** Bytes in the chunk after the full ones. */
  #openBytes = 0;

  /** @param db not a transaction. */
  constructor(db: Kysely<ContentTables>, contentId: string, createdAt: number) {
    this.#db = db;
    this.#contentId = contentId;
    this.#createdAt = createdAt;
  }

  get sizeBytes(): number {
    return this.#sizeBytes;
  }

  async push(bytes: Uint8Array): Promise<void> {
    this.#sizeBytes += bytes.length;
    for (let at = 0; at < bytes.length;) {
      const chunk = (this.#chunks[this.#fullChunks] ??= Buffer.allocUnsafe(chunkBytes));
      const copied = Math.min(bytes.length - at, chunkBytes - this.#openBytes);
      chunk.set(bytes.subarray(at, at + copied), this.#openBytes);
      at += copied;
      this.#openBytes += copied;
      if (this.#openBytes < chunkBytes) continue;
      this.#openBytes = 0;
      this.#fullChunks++;
      if (this.#fullChunks === chunksPerWrite) await this.#write();
    }
  }

  finish(): Promise<StagedContent> {
    return Promise.resolve(this.#staged());
  }

  discard(): Promise<void> {
    return discardContent(this.#db, this.#staged());
  }

  #staged(): StagedContent {
    const tail = this.#chunks.slice(0, this.#fullChunks);
    const open = this.#chunks[this.#fullChunks];
    if (open && this.#openBytes > 0) tail.push(open.subarray(0, this.#openBytes));
    return {
      contentId: this.#contentId,
      sizeBytes: this.#sizeBytes,
      hasRow: this.#writtenChunks > 0,
      isObject: false,
      writtenChunks: this.#writtenChunks,
      tail,
    };
  }

  async #write(): Promise<void> {
    // Without a transaction, because nobody has to wait and the purge deletes what a crash leaves.
    if (this.#writtenChunks === 0) {
      await beginContent(this.#db, this.#contentId, { at: this.#createdAt, isObject: false });
    }
    await insertChunks(this.#db, this.#contentId, this.#writtenChunks, this.#chunks);
    this.#writtenChunks += this.#fullChunks;
    this.#fullChunks = 0;
  }
}

interface Sending {
  readonly stream: PassThrough;
  /** Resolves when the object is whole. */
  readonly sent: Promise<void>;
}

/** Stages bytes as an object in a bucket. */
class ObjectWriter implements ContentWriter {
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
