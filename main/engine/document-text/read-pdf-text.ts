import type { PageTotal } from '../cache/document-index.ts';
import type { FaultLog } from '#main/log/faults.ts';
import { LimitedThread } from '../threads/limited-thread.ts';

/** What the thread is asked. */
export interface PdfTextOrder {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly charsMax: number;
  readonly pagesMax: number;
}

/** What is read from a PDF. */
export interface PdfText {
  readonly text: string;
  /** Pages, counted from 1, that have next to no text. */
  readonly scannedPages: readonly number[];
  readonly totals: readonly PageTotal[];
}

/** What the thread answers; null if the file is no PDF that pdf.js can read. */
export type PdfTextReport = PdfText | null;

/** A hundred pages of a book. */
export const charsMax = 200_000;
const pagesMax = 300;
const limits = { memoryMb: 256, leftoverMb: 64 };
/** By the published limits a document comes in every three seconds, for hours. */
const idleMs = 10_000;
const noText: PdfText = { text: '', scannedPages: [], totals: [] };

/** Reads texts of PDFs in a thread with limited memory and time: the files come from outside. */
export class PdfTextReader {
  readonly #thread: LimitedThread<PdfTextOrder, PdfTextReport>;
  #ending: NodeJS.Timeout | undefined;

  constructor(log: FaultLog) {
    const entry = new URL('./pdf-text-worker.ts', import.meta.url);
    this.#thread = new LimitedThread({ entry, limits, name: 'read a PDF', log });
  }

  /**
   * One at a time.
   * @param bytes transferred to the thread, and empty afterwards
   * @returns at most 200,000 characters, nothing if it is no PDF that can be read; null if the try
   * did not end: time or memory ran out, it was aborted, or no thread could be started
   */
  async read(
    bytes: Uint8Array<ArrayBuffer>,
    limit: { timeoutMs: number; signal: AbortSignal },
  ): Promise<PdfText | null> {
    clearTimeout(this.#ending);
    const answer = await this.#thread.ask({ bytes, charsMax, pagesMax }, [bytes.buffer], limit);
    return answer && (answer.report ?? noText);
  }

  /** As `end`, unless something is read soon. */
  endSoon(): void {
    clearTimeout(this.#ending);
    this.#ending = setTimeout(() => void this.end(), idleMs).unref();
  }

  /** Its memory is free afterwards. The next reading starts another thread. */
  async end(): Promise<void> {
    clearTimeout(this.#ending);
    await this.#thread.end();
  }
}
