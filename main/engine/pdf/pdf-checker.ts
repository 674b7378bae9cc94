import { LimitedThread } from '../threads/limited-thread.ts';

/**
 * What a reader makes of a PDF; `unknown` if it took too long or too much memory, which is no
 * finding about the file.
 */
export type PdfFinding = 'readable' | 'protected' | 'damaged' | 'unknown';

/** What the thread is asked. */
export interface PdfCheckOrder {
  readonly bytes: Uint8Array<ArrayBuffer>;
}
/** What the thread answers. */
export type PdfCheckReport = Exclude<PdfFinding, 'unknown'>;

/** The largest document that is accepted has 50 MB; it is read in a second. */
const limits = { memoryMb: 384, leftoverMb: 64 };
const timeoutMs = 20_000;
/** A folder of files comes one after the other. */
const idleMs = 10_000;

/**
 * Opens PDFs that are to be sent, in a thread with limited memory and time: they come from outside,
 * and the engine has the keys.
 */
export class PdfChecker {
  readonly #thread = new LimitedThread<PdfCheckOrder, PdfCheckReport>(
    new URL('./pdf-check-worker.ts', import.meta.url),
    limits,
  );
  readonly #closing = new AbortController();
  #last: Promise<unknown> = Promise.resolve();
  #ending: NodeJS.Timeout | undefined;

  /**
   * One after the other, in the order of the calls.
   * @param bytes transferred to the thread, and empty afterwards
   */
  check(bytes: Uint8Array<ArrayBuffer>): Promise<PdfFinding> {
    const finding = this.#last.then(() => this.#check(bytes));
    this.#last = finding;
    return finding;
  }

  async #check(bytes: Uint8Array<ArrayBuffer>): Promise<PdfFinding> {
    clearTimeout(this.#ending);
    const { signal } = this.#closing;
    const answer = await this.#thread.ask({ bytes }, [bytes.buffer], { timeoutMs, signal });
    if (!signal.aborted) this.#ending = setTimeout(() => void this.#thread.end(), idleMs).unref();
    return answer?.report ?? 'unknown';
  }

  /** Ends what is being checked. */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.#last;
    clearTimeout(this.#ending);
    await this.#thread.end();
  }
}
