import type { Transferable } from 'node:worker_threads';
import { LimitedThread, type ThreadParts } from './limited-thread.ts';

/** A thread that has nothing to do costs memory. */
const idleMs = 10_000;

/** A limited thread for several callers: it takes their orders in turn, and ends if none comes. */
export class QueuedThread<Order, Report> {
  readonly #thread: LimitedThread<Order, Report>;
  readonly #timeoutMs: number;
  /** Ends with the order before; never rejects. */
  #before: Promise<unknown> = Promise.resolve();
  #idle: NodeJS.Timeout | undefined;

  /** @param parts as for `LimitedThread`, and the time for one order */
  constructor(parts: ThreadParts & { readonly limits: { readonly timeoutMs: number } }) {
    this.#thread = new LimitedThread(parts);
    this.#timeoutMs = parts.limits.timeoutMs;
  }

  /**
   * @param transferred empty afterwards
   * @param signal gives the order up
   * @returns null as `LimitedThread` does
   */
  ask(
    order: Order,
    transferred: readonly Transferable[],
    signal?: AbortSignal,
  ): Promise<{ report: Report } | null> {
    const how = { timeoutMs: this.#timeoutMs, ...(signal && { signal }) };
    const answer = this.#before.then(async () => {
      const found = await this.#thread.ask(order, transferred, how);
      clearTimeout(this.#idle);
      this.#idle = setTimeout(() => void this.end(), idleMs).unref();
      return found;
    });
    // The caller hears of a failure; the next order waits for the end alone.
    this.#before = answer.catch(() => undefined);
    return answer;
  }

  /** In its turn: after the orders before. Its memory is free afterwards; the next order starts another. */
  async end(): Promise<void> {
    clearTimeout(this.#idle);
    const ended = this.#before.then(() => this.#thread.end());
    this.#before = ended.catch(() => undefined);
    await ended;
  }
}
