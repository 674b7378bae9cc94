import { buffer } from 'node:stream/consumers';
import type { BlobStore } from '../blobs/blob-store.ts';
import type { UnreadDocument } from '../cache/document-index.ts';
import type { Cache } from '../cache/open-cache.ts';
import { charsMax, readPdfText } from './read-pdf-text.ts';

const timeoutMs = 20_000;
const batch = 20;

/**
 * Brings the texts of fetched documents into the search, one after the other, in the background. A
 * content is read once: one that cannot be read counts as read.
 */
export class DocumentIndexer {
  readonly #cache: Cache;
  readonly #files: BlobStore;
  readonly #closing = new AbortController();
  #running: Promise<void> | null = null;
  #isWanted = false;

  constructor(parts: { cache: Cache; files: BlobStore }) {
    this.#cache = parts.cache;
    this.#files = parts.files;
  }

  /** Something may have been fetched. Resolves when all that is here has been read. */
  wake(): Promise<void> {
    this.#isWanted = true;
    this.#running ??= this.#run().finally(() => (this.#running = null));
    return this.#running;
  }

  async #run(): Promise<void> {
    while (this.#isWanted) {
      this.#isWanted = false;
      for (;;) {
        if (this.#closing.signal.aborted) return;
        const unread = this.#cache.documents.index.unread(Object.keys(readers), batch);
        if (unread.length === 0) break;
        for (const document of unread) await this.#read(document);
      }
    }
  }

  async #read({ caseId, id, contentType, blobId }: UnreadDocument): Promise<void> {
    const text = await this.#textOf(blobId, contentType);
    if (this.#closing.signal.aborted) return;
    this.#cache.together(() => {
      // It may have gone, or become another, meanwhile.
      if (this.#cache.documents.find(caseId, id)?.blobId !== blobId) return;
      this.#cache.documents.index.setText(caseId, id, { blobId, text: text ?? '' });
    });
  }

  async #textOf(blobId: string, contentType: string): Promise<string | null> {
    try {
      const content = await buffer(this.#files.open(blobId));
      return (await readers[contentType]?.(content, this.#closing.signal)) ?? null;
    } catch {
      // A damaged file is found, and fetched again, when somebody opens it.
      return null;
    }
  }

  /** Breaks off what is being read. */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.#running?.catch(() => undefined);
  }
}

type Reader = (content: Buffer, signal: AbortSignal) => Promise<string | null>;

const readers: Readonly<Record<string, Reader>> = {
  'application/pdf': (content, signal) =>
    // A copy that may be handed over: a small Buffer shares its memory with others.
    readPdfText(new Uint8Array(content), { timeoutMs, signal }),
  'text/plain': (content) =>
    Promise.resolve(
      content
        .subarray(0, 4 * charsMax)
        .toString('utf8')
        .slice(0, charsMax),
    ),
};
