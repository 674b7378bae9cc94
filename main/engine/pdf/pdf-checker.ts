import type { FaultLog } from '#main/log/faults.ts';
import { QueuedThread } from '../threads/queued-thread.ts';

/**
 * What a reader makes of a PDF; `unknownEncryption` if others may know it: pdf.js knows passwords
 * alone, and no certificates, for example.
 */
export type PdfReport = 'readable' | 'protected' | 'damaged' | 'unknownEncryption';

/** `unknown` if it took too long or too much memory, which is no finding about the file. */
export type PdfFinding = PdfReport | 'unknown';

/** What the thread is asked. */
export interface PdfCheckOrder {
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** The largest document that is accepted has 50 MB; it is read in a second. */
const limits = { memoryMb: 384, leftoverMb: 64, timeoutMs: 20_000 };

/**
 * Opens PDFs that are to be sent, in a thread with limited memory and time: they come from outside,
 * and the engine has the keys.
 */
export class PdfChecker {
  readonly #thread: QueuedThread<PdfCheckOrder, PdfReport>;
  readonly #closing = new AbortController();

  constructor(log: FaultLog) {
    const entry = new URL('./pdf-check-worker.ts', import.meta.url);
    this.#thread = new QueuedThread({ entry, limits, name: 'check a PDF', log });
  }

  /** @param bytes transferred to the thread, and empty afterwards */
  async check(bytes: Uint8Array<ArrayBuffer>): Promise<PdfFinding> {
    const answer = await this.#thread.ask({ bytes }, [bytes.buffer], this.#closing.signal);
    return answer?.report ?? 'unknown';
  }

  /** Ends what is being checked. */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.#thread.end();
  }
}
