import type { Transferable } from 'node:worker_threads';
import { LimitedThread, type Outcome, type ThreadParts } from './limited-thread.ts';

/** A limited thread for several callers. It carries out their orders one after the other. */
export class QueuedThread<Order, Report> {
  readonly #thread: LimitedThread<Order, Report>;
  readonly #timeoutMs: number;
  /** Resolves when the order before has ended; it never rejects. */
  #before: Promise<unknown> = Promise.resolve();

  /** @param parts as for `LimitedThread`, with the time for one order */
  constructor(parts: ThreadParts & { readonly limits: { readonly timeoutMs: number } }) {
    this.#thread = new LimitedThread(parts);
    this.#timeoutMs = parts.limits.timeoutMs;
  }

  /**
   * Sends an order.
   * @param transferred buffers that are empty afterwards
   * @param signal cancels the order
   */
  ask(
    order: Order,
    transferred: readonly Transferable[],
    signal?: AbortSignal,
  ): Promise<Outcome<Report>> {
    const how = { timeoutMs: this.#timeoutMs, ...(signal && { signal }) };
    const answer = this.#before.then(() => this.#thread.ask(order, transferred, how));
    // The caller receives the failure; the next order only waits for the end.
    this.#before = answer.catch(() => undefined);
    return answer;
  }

  /** Resolves when the orders until now have ended. */
  async end(): Promise<void> {
    await this.#before;
  }
}
