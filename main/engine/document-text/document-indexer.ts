import { type FaultLog, logFault } from '#main/log/faults.ts';
import { decodeText } from '#shared/lib/decode-text.ts';
import { buffer } from 'node:stream/consumers';
import { BlobDamagedError, type BlobStore } from '../blobs/file-blob-store.ts';
import type { UnreadDocument } from '../cache/document-index.ts';
import type { Cache } from '../cache/open-cache.ts';
import { MailTextReader } from './read-mail-text.ts';
import { charsMax, PdfTextReader, type PdfText } from './read-pdf-text.ts';

const timeoutMs = 20_000;
const batch = 20;

interface IndexerParts {
  readonly cache: Cache;
  readonly files: BlobStore;
  readonly onScan: (caseId: string) => void;
  readonly log: FaultLog;
}

/**
 * Indexes the texts of fetched documents, one after the other, in the background. A content is read
 * once: one that is not a PDF counts as read. A try that fails for another reason (a busy laptop,
 * too much memory, a damaged file) is repeated at the next start, three tries in all.
 */
export class DocumentIndexer {
  readonly #cache: Cache;
  readonly #files: BlobStore;
  readonly #onScan: (caseId: string) => void;
  readonly #closing = new AbortController();
  readonly #threads: { readonly pdfs: PdfTextReader; readonly mails: MailTextReader };
  readonly #log: FaultLog;
  /** Contents whose try failed since the start. */
  readonly #resting = new Set<string>();
  #running: Promise<void> | null = null;
  #isWanted = false;

  /** @param parts.onScan a document of this case has pages to be recognized */
  constructor(parts: IndexerParts) {
    const { cache, files, onScan, log } = parts;
    this.#cache = cache;
    this.#files = files;
    this.#onScan = onScan;
    this.#log = log;
    this.#threads = { pdfs: new PdfTextReader(log), mails: new MailTextReader(log) };
  }

  /** Reads what was fetched since the last call. Resolves when all contents have been read. */
  wake(): Promise<void> {
    this.#isWanted = true;
    this.#running ??= this.#runOnce();
    return this.#running;
  }

  async #runOnce(): Promise<void> {
    try {
      await this.#run();
    } finally {
      this.#running = null;
      this.#threads.pdfs.endSoon();
      await this.#threads.mails.end();
    }
  }

  async #run(): Promise<void> {
    while (this.#isWanted) {
      this.#isWanted = false;
      for (;;) {
        const unread = this.#cache.documents.index.unread({
          contentTypes: Object.keys(readers),
          resting: [...this.#resting],
          limit: batch,
        });
        if (unread.length === 0) break;
        for (const document of unread) {
          if (this.#closing.signal.aborted) return;
          await this.#read(document);
        }
      }
    }
  }

  async #read({ caseId, id, contentType, blobId }: UnreadDocument): Promise<void> {
    const { documents } = this.#cache;
    // Counted before it is opened: a content that ends the process must not do so at every start.
    documents.index.countTry(caseId, id, blobId);
    const read = await this.#textOf(blobId, contentType);
    this.#cache.together(() => {
      // The document may be removed or have another content by now.
      if (documents.find(caseId, id)?.blobId !== blobId) return;
      if (read !== null) documents.index.setText(caseId, id, { blobId, ...read });
      else if (this.#closing.signal.aborted) documents.index.uncountTry(caseId, id);
      else this.#resting.add(blobId);
    });
    if (read && read.scannedPages.length > 0) this.#onScan(caseId);
  }

  /** Null if the try failed. */
  async #textOf(blobId: string, contentType: string): Promise<PdfText | null> {
    try {
      const content = () => buffer(this.#files.open(blobId));
      return (await readers[contentType]?.(content, this.#threads, this.#closing.signal)) ?? null;
    } catch (error) {
      // A damaged file is found, and fetched again, when the user opens it.
      if (!(error instanceof BlobDamagedError))
        logFault('read a document', this.#log, this.#closing.signal)(error);
      return null;
    }
  }

  /** Aborts what is being read. */
  async close(): Promise<void> {
    this.#closing.abort();
    // The caller of `wake` hears of a failure.
    await this.#running?.catch(() => undefined);
    await Promise.all([this.#threads.pdfs.end(), this.#threads.mails.end()]);
  }
}

type Reader = (
  content: () => Promise<Buffer>,
  threads: { readonly pdfs: PdfTextReader; readonly mails: MailTextReader },
  signal: AbortSignal,
) => Promise<PdfText | null>;

/** The window decodes pictures (decision 20); how many pages a TIFF has, it learns there. */
const readPicture: Reader = () => Promise.resolve({ text: '', scannedPages: [1], totals: [] });

const readers: Readonly<Record<string, Reader>> = {
  'application/pdf': async (content, { pdfs }, signal) =>
    // A copy whose memory can be transferred: a small Buffer shares its memory with others.
    pdfs.read(new Uint8Array(await content()), { timeoutMs, signal }),
  'text/plain': async (content) => {
    const text = decodeText((await content()).subarray(0, 4 * charsMax), true);
    return { text: text.slice(0, charsMax), scannedPages: [], totals: [] };
  },
  'message/rfc822': async (content, { mails }, signal) => {
    const order = { bytes: new Uint8Array(await content()), charsMax };
    const text = await mails.read(order, { timeoutMs, signal });
    return text === null ? null : { text, scannedPages: [], totals: [] };
  },
  'image/jpeg': readPicture,
  'image/png': readPicture,
  'image/webp': readPicture,
  'image/tiff': readPicture,
  'image/heic': readPicture,
  'image/heif': readPicture,
};
