import type { Transferable } from 'node:worker_threads';
import type { Outcome, ThreadParts } from './limited-thread.ts';
import { QueuedThread } from './queued-thread.ts';

/** A queued thread that tries once more if it failed. */
export class RetriedThread<Order, Report> {
  readonly #thread: QueuedThread<Order, Report>;

  constructor(parts: ThreadParts & { readonly limits: { readonly timeoutMs: number } }) {
    this.#thread = new QueuedThread(parts);
  }

  /**
   * Sends an order. Time and memory would run out again, so only a failure is tried once more.
   * @param transferred buffers that may be empty afterwards
   * @param signal cancels the order
   */
  async ask(
    order: Order,
    transferred: readonly Transferable[],
    signal?: AbortSignal,
  ): Promise<Outcome<Report>> {
    const first = await this.#thread.ask(order, [], signal);
    if (first.kind !== 'failed' || signal?.aborted === true) return first;
    return await this.#thread.ask(order, transferred, signal);
  }

  /** Resolves when the orders until now have ended. */
  async end(): Promise<void> {
    await this.#thread.end();
  }
}
