import type { FaultLog } from '#main/log/faults.ts';
import { LimitedThread } from '../threads/limited-thread.ts';

/** What the thread is asked. */
export interface MailTextOrder {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly charsMax: number;
}

/** What the thread answers; empty if the file is no mail that can be read. */
export type MailTextReport = string;

/** A mail of 50 MB, and its files. */
const limits = { memoryMb: 384, leftoverMb: 64 };

/**
 * Reads the words of mails in a thread with limited memory and time: subject, people, text and the
 * names of the files.
 */
export class MailTextReader {
  readonly #thread: LimitedThread<MailTextOrder, MailTextReport>;

  constructor(log: FaultLog) {
    const entry = new URL('./mail-text-worker.ts', import.meta.url);
    this.#thread = new LimitedThread({ entry, limits, name: 'read a mail', log });
  }

  /**
   * One at a time.
   * @param order its bytes are transferred to the thread, and empty afterwards
   * @returns null if the try did not end, as `LimitedThread` does
   */
  async read(
    order: MailTextOrder,
    limit: { timeoutMs: number; signal: AbortSignal },
  ): Promise<string | null> {
    const answer = await this.#thread.ask(order, [order.bytes.buffer], limit);
    return answer && answer.report;
  }

  /** Its memory is free afterwards. The next reading starts another thread. */
  async end(): Promise<void> {
    await this.#thread.end();
  }
}
