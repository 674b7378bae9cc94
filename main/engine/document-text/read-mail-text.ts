import type { FaultLog } from '#main/log/faults.ts';
import { LimitedThread } from '../threads/limited-thread.ts';

/** The request to the thread. */
export interface MailTextOrder {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly charsMax: number;
}

/** The answer of the thread; empty if the file is not a readable mail. */
export type MailTextReport = string;

/** The limits suffice for a mail of 50 MB with its files. */
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
   * Reads one mail; calls must not overlap.
   * @param order its bytes are transferred to the thread, and empty afterwards
   * @returns null if the attempt did not finish
   */
  async read(
    order: MailTextOrder,
    limit: { timeoutMs: number; signal: AbortSignal },
  ): Promise<string | null> {
    const outcome = await this.#thread.ask(order, [order.bytes.buffer], limit);
    return outcome.kind === 'answered' ? outcome.report : null;
  }

  /** Ends the reading under way. */
  async end(): Promise<void> {
    await this.#thread.end();
  }
}
