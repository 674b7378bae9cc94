import type { Estimate } from '#shared/lib/positions.ts';
import type { PageTotal } from '../cache/document-index.ts';
import type { FaultLog } from '#main/log/faults.ts';
import { LimitedThread } from '../threads/limited-thread.ts';

/** The request to the thread. */
export interface PdfTextOrder {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly charsMax: number;
  readonly pagesMax: number;
}

/** The result of reading a PDF. */
export interface PdfText {
  readonly text: string;
  /** The numbers of the pages, counted from 1, that have almost no text. */
  readonly scannedPages: readonly number[];
  /** The numbers of the pages, counted from 1, that have the text of a QR-bill. */
  readonly billPages: readonly number[];
  readonly totals: readonly PageTotal[];
  /** The lines of an estimate or invoice; null if they are not certain. */
  readonly estimate: Estimate | null;
}

/** The answer of the thread; null if pdf.js cannot read the file as a PDF. */
export type PdfTextReport = PdfText | null;

/** The limit is the length of about a hundred pages of a book. */
export const charsMax = 200_000;
const pagesMax = 300;
const limits = { memoryMb: 256, leftoverMb: 64 };
/** The result of a file without a text. */
export const noText: PdfText = {
  text: '',
  scannedPages: [],
  billPages: [],
  totals: [],
  estimate: null,
};

/**
 * Reads the texts of PDFs in a thread with limited memory and time, because the files are not
 * trusted.
 */
export class PdfTextReader {
  readonly #thread: LimitedThread<PdfTextOrder, PdfTextReport>;

  constructor(log: FaultLog) {
    const entry = new URL('./pdf-text-worker.ts', import.meta.url);
    this.#thread = new LimitedThread({ entry, limits, name: 'read a PDF', log });
  }

  /**
   * Reads one PDF; calls must not overlap.
   * @param bytes transferred to the thread, and empty afterwards
   * @returns at most 200,000 characters, and no text if the file is not a readable PDF; null if the
   *   attempt did not finish
   */
  async read(
    bytes: Uint8Array<ArrayBuffer>,
    limit: { timeoutMs: number; signal: AbortSignal },
  ): Promise<PdfText | null> {
    const outcome = await this.#thread.ask({ bytes, charsMax, pagesMax }, [bytes.buffer], limit);
    return outcome.kind === 'answered' ? (outcome.report ?? noText) : null;
  }

  /** Ends the reading under way. */
  async end(): Promise<void> {
    await this.#thread.end();
  }
}
