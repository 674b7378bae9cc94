import type { Kysely } from 'kysely';
import type { Database } from '../store/tables.ts';
import { chunkBytes, insertChunks } from './chunks.ts';
import { beginContent, discardContent } from './content-rows.ts';
import type { ContentWriter, StagedContent } from './content-writer.ts';

/** Chunks written in one transaction: each costs a sync of the disk, and memory while it waits. */
const chunksPerWrite = 16;

/** Puts bytes aside as chunks in the store. */
export class ChunkWriter implements ContentWriter {
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
      isBegun: this.#writtenChunks > 0,
      inObjects: false,
      writtenChunks: this.#writtenChunks,
      tail,
    };
  }

  async #write(): Promise<void> {
    // Without a transaction: nobody need wait for it, and what is half written is swept away.
    if (this.#writtenChunks === 0) {
      await beginContent(this.#db, this.#contentId, { at: this.#createdAt, inObjects: false });
    }
    await insertChunks(this.#db, this.#contentId, this.#writtenChunks, this.#chunks);
    this.#writtenChunks += this.#fullChunks;
    this.#fullChunks = 0;
  }
}

/** A content that is in memory as a whole, to be kept in the store. */
export function contentOf(contentId: string, bytes: Buffer): StagedContent {
  const tail: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += chunkBytes) {
    tail.push(bytes.subarray(at, at + chunkBytes));
  }
  return {
    contentId,
    sizeBytes: bytes.length,
    isBegun: false,
    inObjects: false,
    writtenChunks: 0,
    tail,
  };
}
