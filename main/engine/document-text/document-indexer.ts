import { type FaultLog, logFault } from '#main/log/faults.ts';
import { decodeText } from '#shared/lib/decode-text.ts';
import { buffer } from 'node:stream/consumers';
import { BlobDamagedError, type BlobStore } from '../blobs/file-blob-store.ts';
import type { UnreadDocument } from '../cache/document-index.ts';
import type { Cache } from '../cache/open-cache.ts';
import { MailTextReader } from './read-mail-text.ts';
import { SheetTextReader } from './read-sheet-text.ts';
import { charsMax, noText, PdfTextReader, type PdfText } from './read-pdf-text.ts';

const timeoutMs = 20_000;
const batch = 20;

interface IndexerParts {
  readonly cache: Cache;
  readonly files: BlobStore;
  readonly onFound: (caseId: string) => void;
  readonly log: FaultLog;
}

/**
 * Indexes the texts of fetched documents in the background, one after the other. Each content is
 * read once; a content of an unsupported type counts as read. An attempt that fails for another
 * reason (a busy laptop, too little memory, a damaged file) is repeated at the next start, three
 * attempts in all.
 */
export class DocumentIndexer {
  readonly #cache: Cache;
  readonly #files: BlobStore;
  readonly #onFound: (caseId: string) => void;
  readonly #closing = new AbortController();
  readonly #threads: Threads;
  readonly #log: FaultLog;
  /** The contents whose reading failed since the start. */
  readonly #resting = new Set<string>();
  #running: Promise<void> | null = null;
  #isWanted = false;

  /**
   * @param parts.onFound called if a document of this case has pages to be recognized, or amounts
   *   that the window offers
   */
  constructor(parts: IndexerParts) {
    const { cache, files, onFound, log } = parts;
    this.#cache = cache;
    this.#files = files;
    this.#onFound = onFound;
    this.#log = log;
    this.#threads = {
      pdfs: new PdfTextReader(log),
      mails: new MailTextReader(log),
      sheets: new SheetTextReader(log),
    };
  }

  /**
   * Reads the documents that were fetched since the last call. It resolves when all contents have
   * been read.
   */
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
    // The attempt is counted before the file is opened, so that a content that crashes the process
    // cannot do so at every start.
    documents.index.countTry(caseId, id, blobId);
    const read = await this.#textOf(blobId, contentType);
    this.#cache.together(() => {
      // The document may have been removed or replaced in the meantime.
      if (documents.find(caseId, id)?.blobId !== blobId) return;
      if (read !== null) documents.index.setText(caseId, id, { blobId, ...read });
      else if (this.#closing.signal.aborted) documents.index.uncountTry(caseId, id);
      else this.#resting.add(blobId);
    });
    if (!read) return;
    const hasAmounts = read.totals.length > 0 || read.estimate !== null;
    if (hasAmounts || read.scannedPages.length + read.billPages.length > 0) this.#onFound(caseId);
  }

  /** Reads the text of a content; null if the attempt failed. */
  async #textOf(blobId: string, contentType: string): Promise<PdfText | null> {
    try {
      const content = () => buffer(this.#files.open(blobId));
      return (await readers[contentType]?.(content, this.#threads, this.#closing.signal)) ?? null;
    } catch (error) {
      // If the file is damaged, the user's next opening finds this and fetches the file again.
      if (!(error instanceof BlobDamagedError))
        logFault('read a document', this.#log, this.#closing.signal)(error);
      return null;
    }
  }

  /** Stops the current reading. */
  async close(): Promise<void> {
    this.#closing.abort();
    // The caller of `wake` receives the failure.
    await this.#running?.catch(() => undefined);
    const { pdfs, mails, sheets } = this.#threads;
    await Promise.all([pdfs.end(), mails.end(), sheets.end()]);
  }
}

interface Threads {
  readonly pdfs: PdfTextReader;
  readonly mails: MailTextReader;
  readonly sheets: SheetTextReader;
}

type Reader = (
  content: () => Promise<Buffer>,
  threads: Threads,
  signal: AbortSignal,
) => Promise<PdfText | null>;

const xlsxType = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

/** The window decodes pictures (decision 20) and finds out how many pages a TIFF has. */
const readPicture: Reader = () => Promise.resolve({ ...noText, scannedPages: [1] });

const readers: Readonly<Record<string, Reader>> = {
  'application/pdf': async (content, { pdfs }, signal) =>
    // The bytes are copied so that their memory can be transferred: a small Buffer shares its
    // memory with others.
    pdfs.read(new Uint8Array(await content()), { timeoutMs, signal }),
  'text/plain': async (content) => {
    const text = decodeText((await content()).subarray(0, 4 * charsMax), true);
    return { ...noText, text: text.slice(0, charsMax) };
  },
  'message/rfc822': async (content, { mails }, signal) => {
    const order = { bytes: new Uint8Array(await content()), charsMax };
    const text = await mails.read(order, { timeoutMs, signal });
    return text === null ? null : { ...noText, text };
  },
  [xlsxType]: async (content, { sheets }, signal) => {
    const order = { bytes: new Uint8Array(await content()), charsMax };
    const read = await sheets.read(order, { timeoutMs, signal });
    return read && { ...noText, ...read };
  },
  'image/jpeg': readPicture,
  'image/png': readPicture,
  'image/webp': readPicture,
  'image/tiff': readPicture,
  'image/heic': readPicture,
  'image/heif': readPicture,
};
