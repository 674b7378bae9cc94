import type { FaultLog } from '#main/log/faults.ts';
import { QueuedThread } from '../threads/queued-thread.ts';

/** Pixels at most, of the picture the right way up. */
export interface PictureBox {
  readonly width: number;
  readonly height: number;
}

export interface ReduceOrder {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly box: PictureBox;
}

export interface ReduceReport {
  /** Those of the order if it fits already, or is no picture that can be reduced. */
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** The pixels of the largest picture that is reduced, and the largest file twice. */
const limits = { memoryMb: 256, leftoverMb: 96, timeoutMs: 30_000 };

/** Makes photos as small as a page can show them, in a thread: they come from outside. */
export class PictureReducer {
  readonly #thread: QueuedThread<ReduceOrder, ReduceReport>;

  constructor(log: FaultLog) {
    const entry = new URL('./reduce-worker.ts', import.meta.url);
    this.#thread = new QueuedThread({ entry, limits, name: 'reduce a picture', log });
  }

  /**
   * @param order its bytes are transferred to the thread, and empty afterwards
   * @returns null if the thread could not read them
   */
  async reduce(order: ReduceOrder): Promise<Uint8Array<ArrayBuffer> | null> {
    const outcome = await this.#thread.ask(order, [order.bytes.buffer]);
    return outcome.kind === 'answered' ? outcome.report.bytes : null;
  }

  /** After the picture that is in work. */
  async end(): Promise<void> {
    await this.#thread.end();
  }
}
