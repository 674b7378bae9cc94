import type { Kysely } from 'kysely';
import type { Database } from '../store/tables.ts';

/** Bytes of a chunk: a multiple of three, so that the chunks' base64 can be strung together. */
const chunkBytes = 192 * 1024;
/** Chunks written in one transaction: each costs a sync of the disk, and memory while it waits. */
const chunksPerWrite = 16;

/** A document's bytes that no document refers to yet. */
export interface StagedContent {
  readonly contentId: string;
  readonly sizeBytes: number;
  /** Chunks that are in the store already; 0 means that not even its row in `contents` is. */
  readonly writtenChunks: number;
  /** The chunks after those, still in memory. */
  readonly tail: readonly Buffer[];
}

/** Puts bytes aside as they come, holding no more than a few chunks of them in memory. */
export class ContentWriter {
  readonly #db: Kysely<Database>;
  readonly #contentId: string;
  readonly #createdAt: number;
  #sizeBytes = 0;
  #writtenChunks = 0;
  /** Used again after each write, because new ones would outlive the young generation. */
  readonly #chunks: Buffer[] = [];
  /** Full chunks, and bytes in the one after them. */
  #fullChunks = 0;
  #openBytes = 0;

  /** @param db not a transaction: what is put aside is written in transactions of its own. */
  constructor(db: Kysely<Database>, contentId: string, createdAt: number) {
    this.#db = db;
    this.#contentId = contentId;
    this.#createdAt = createdAt;
  }

  get sizeBytes(): number {
    return this.#sizeBytes;
  }

  async push(bytes: Buffer): Promise<void> {
    this.#sizeBytes += bytes.length;
    for (let at = 0; at < bytes.length;) {
      const chunk = (this.#chunks[this.#fullChunks] ??= Buffer.allocUnsafe(chunkBytes));
      const copied = bytes.copy(chunk, this.#openBytes, at);
      at += copied;
      this.#openBytes += copied;
      if (this.#openBytes < chunkBytes) continue;
      this.#openBytes = 0;
      this.#fullChunks++;
      if (this.#fullChunks === chunksPerWrite) await this.#write();
    }
  }

  /** What was put aside, for `keepContent` or `discardContent`. Nothing may be pushed after it. */
  staged(): StagedContent {
    const tail = this.#chunks.slice(0, this.#fullChunks);
    const open = this.#chunks[this.#fullChunks];
    if (open && this.#openBytes > 0) tail.push(open.subarray(0, this.#openBytes));
    return {
      contentId: this.#contentId,
      sizeBytes: this.#sizeBytes,
      writtenChunks: this.#writtenChunks,
      tail,
    };
  }

  async #write(): Promise<void> {
    // Without a transaction: nobody need wait for it, and what is half written is swept away.
    if (this.#writtenChunks === 0) {
      await this.#db
        .insertInto('contents')
        .values({ id: this.#contentId, kept: 0, created_at: this.#createdAt })
        .execute();
    }
    await insertChunks(this.#db, this.#contentId, this.#writtenChunks, this.#chunks);
    this.#writtenChunks += this.#fullChunks;
    this.#fullChunks = 0;
  }
}

/** A content that is in memory as a whole. */
export function contentOf(contentId: string, bytes: Buffer): StagedContent {
  const tail: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += chunkBytes) {
    tail.push(bytes.subarray(at, at + chunkBytes));
  }
  return { contentId, sizeBytes: bytes.length, writtenChunks: 0, tail };
}

/**
 * Writes what is still in memory and marks the content as kept.
 * @param db the transaction in which the document's row is written too.
 */
export async function keepContent(
  db: Kysely<Database>,
  content: StagedContent,
  at: number,
): Promise<void> {
  const { contentId, writtenChunks } = content;
  if (writtenChunks === 0) {
    await db.insertInto('contents').values({ id: contentId, kept: 1, created_at: at }).execute();
  } else {
    await db.updateTable('contents').set({ kept: 1 }).where('id', '=', contentId).execute();
  }
  await insertChunks(db, contentId, writtenChunks, content.tail);
}

/** Forgets a content that was put aside; one that is kept stays. */
export async function discardContent(db: Kysely<Database>, content: StagedContent): Promise<void> {
  if (content.writtenChunks === 0) return;
  await db
    .deleteFrom('contents')
    .where('id', '=', content.contentId)
    .where('kept', '=', 0)
    .execute();
}

/** Deletes a content with its bytes; the row that refers to it must be gone. */
export async function deleteContent(db: Kysely<Database>, contentId: string): Promise<void> {
  await db.deleteFrom('contents').where('id', '=', contentId).execute();
}

/**
 * Deletes what uploads left behind that never came to their end, because the process died.
 * @param before only what was begun earlier, milliseconds since 1970.
 */
export async function sweepStagedContents(db: Kysely<Database>, before: number): Promise<void> {
  await db.deleteFrom('contents').where('kept', '=', 0).where('created_at', '<', before).execute();
}

/**
 * The bytes of a content, a chunk at a time.
 * @throws where the content is deleted meanwhile, so that half of it is never taken for all.
 */
export async function* readContent(
  db: Kysely<Database>,
  contentId: string,
  sizeBytes: number,
): AsyncGenerator<Buffer, void, undefined> {
  let readBytes = 0;
  for (let position = 0; readBytes < sizeBytes; position++) {
    const chunk = await db
      .selectFrom('content_chunks')
      .select('bytes')
      .where('content_id', '=', contentId)
      .where('position', '=', position)
      .executeTakeFirst();
    if (!chunk) throw new Error('the content was deleted while it was read');
    readBytes += chunk.bytes.length;
    yield chunk.bytes;
  }
}

async function insertChunks(
  db: Kysely<Database>,
  contentId: string,
  firstPosition: number,
  chunks: readonly Buffer[],
): Promise<void> {
  if (chunks.length === 0) return;
  // One statement: outside a transaction each is a sync of the disk.
  await db
    .insertInto('content_chunks')
    .values(
      chunks.map((bytes, index) => ({
        content_id: contentId,
        position: firstPosition + index,
        bytes,
      })),
    )
    .execute();
}
