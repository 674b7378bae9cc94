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
    ? objectWriter(db, objects, contentId, createdAt)
    : chunkWriter(db, contentId, createdAt);
}

/** The number of chunks in one write. Each write syncs the disk. */
const chunksPerWrite = 16;

/** Stages bytes as chunks in the store. @param db must not be a transaction. */
function chunkWriter(
  db: Kysely<ContentTables>,
  contentId: string,
  createdAt: number,
): ContentWriter {
  let sizeBytes = 0;
  let hasRow = false;
  let writtenChunks = 0;
  /**
   * The buffers are reused after each write, because new ones would burden the garbage collector.
   */
  const chunks: Buffer[] = [];
  let fullChunks = 0;
  /** The number of bytes in the chunk that is not full yet. */
  let openBytes = 0;

  function staged(): StagedContent {
    const tail = chunks.slice(0, fullChunks);
    const open = chunks[fullChunks];
    if (open && openBytes > 0) tail.push(open.subarray(0, openBytes));
    return { contentId, sizeBytes, hasRow, isObject: false, writtenChunks, tail };
  }

  async function write(): Promise<void> {
    // There is no transaction here, so that no other writer waits. After a crash the purge deletes
    // the chunks.
    if (!hasRow) {
      await beginContent(db, contentId, { at: createdAt, isObject: false });
      hasRow = true;
    }
    await insertChunks(db, contentId, writtenChunks, chunks);
    writtenChunks += fullChunks;
    fullChunks = 0;
  }

  return {
    get sizeBytes() {
      return sizeBytes;
    },
    async push(bytes) {
      sizeBytes += bytes.length;
      for (let at = 0; at < bytes.length;) {
        const chunk = (chunks[fullChunks] ??= Buffer.allocUnsafe(chunkBytes));
        const copied = Math.min(bytes.length - at, chunkBytes - openBytes);
        chunk.set(bytes.subarray(at, at + copied), openBytes);
        at += copied;
        openBytes += copied;
        if (openBytes < chunkBytes) continue;
        openBytes = 0;
        fullChunks++;
        if (fullChunks === chunksPerWrite) await write();
      }
    },
    finish: () => Promise.resolve(staged()),
    discard: () => discardContent(db, staged()),
  };
}

interface Sending {
  readonly stream: PassThrough;
  /** Resolves when the object is complete. */
  readonly sent: Promise<void>;
}

/**
 * Stages bytes as an object in a bucket. @param db must not be a transaction, because a bucket can
 * be slow.
 */
function objectWriter(
  db: Kysely<ContentTables>,
  objects: ObjectStore,
  contentId: string,
  createdAt: number,
): ContentWriter {
  let sizeBytes = 0;
  let hasRow = false;
  let sending: Sending | undefined;

  async function begin(): Promise<Sending> {
    if (sending) return sending;
    // The row is written first: if the process crashes, the purge finds the object by its row.
    await beginContent(db, contentId, { at: createdAt, isObject: true });
    hasRow = true;
    const stream = new PassThrough();
    const sent = objects.put(contentId, stream).catch((error: unknown) => {
      stream.destroy();
      throw error;
    });
    // push and finish throw the error; this handler prevents an unhandled rejection until then.
    sent.catch(() => undefined);
    sending = { stream, sent };
    return sending;
  }

  function staged(): StagedContent {
    return { contentId, sizeBytes, hasRow, isObject: true, writtenChunks: 0, tail: [] };
  }

  return {
    get sizeBytes() {
      return sizeBytes;
    },
    async push(bytes) {
      const { stream, sent } = await begin();
      sizeBytes += bytes.length;
      // The bytes are copied, because the caller reuses them.
      if (stream.write(Buffer.from(bytes))) return;
      // A stream whose upload failed never drains.
      await Promise.race([once(stream, 'drain'), sent]);
    },
    async finish() {
      const { stream, sent } = await begin();
      stream.end();
      await sent;
      return staged();
    },
    async discard() {
      if (sending) {
        sending.stream.destroy(new Error('the upload was discarded'));
        await sending.sent.catch(() => undefined);
      }
      await discardContent(db, staged());
    },
  };
}
