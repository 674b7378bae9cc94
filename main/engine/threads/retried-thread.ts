import type { Transferable } from 'node:worker_threads';
import type { ThreadParts } from './limited-thread.ts';
import { QueuedThread } from './queued-thread.ts';

/**
 * What came of an order. `spent`: its file took all the memory or time that it may use, which says
 * something about the file. `failed`: no thread could be started, or it ended with an error of its
 * own, which says nothing about it.
 */
export type Outcome<Report> =
  | { readonly kind: 'answered'; readonly report: Report }
  | { readonly kind: 'spent' | 'failed' };

/** A queued thread that tries once more if it failed, and says why there is no report. */
export class RetriedThread<Order, Report> {
  readonly #thread: QueuedThread<Order, Report>;

  constructor(parts: ThreadParts & { readonly limits: { readonly timeoutMs: number } }) {
    this.#thread = new QueuedThread(parts);
  }

  /**
   * Sends an order. Time and memory would run out again, so only a failure is tried once more.
   * @param transferred buffers that may be empty afterwards
   * @param signal cancels the order, which counts as failed
   */
  async ask(
    order: Order,
    transferred: readonly Transferable[],
    signal?: AbortSignal,
  ): Promise<Outcome<Report>> {
    const { faults: before } = this.#thread;
    const first = await this.#thread.ask(order, [], signal);
    if (first) return { kind: 'answered', ...first };
    if (signal?.aborted === true) return { kind: 'failed' };
    const { faults: between } = this.#thread;
    if (between === before) return { kind: 'spent' };
    const second = await this.#thread.ask(order, transferred, signal);
    if (second) return { kind: 'answered', ...second };
    return { kind: this.#thread.faults === between ? 'spent' : 'failed' };
  }

  /** Resolves when the orders until now have ended. */
  async end(): Promise<void> {
    await this.#thread.end();
  }
}
