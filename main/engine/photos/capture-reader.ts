import type { FaultLog } from '#main/log/faults.ts';
import { LimitedThread } from '../threads/limited-thread.ts';

/** The time of capture as `2026-05-01T14:03:22`; null if the photo has none. */
export type CaptureReport = string | null;

/** The beginning of a photo is at most 256 KB. */
const limits = { memoryMb: 64, leftoverMb: 32 };
const timeoutMs = 10_000;

/** Reads times of capture in a thread: photos come from outside, and the engine has the keys. */
export class CaptureReader {
  readonly #thread: LimitedThread<Uint8Array, CaptureReport>;

  constructor(log: FaultLog) {
    const entry = new URL('./capture-worker.ts', import.meta.url);
    this.#thread = new LimitedThread({ entry, limits, name: 'read a time of capture', log });
  }

  /**
   * One at a time.
   * @param head the beginning of a photo; transferred to the thread, and empty afterwards
   * @returns null if it has none, or if the attempt did not finish
   */
  async read(head: Uint8Array<ArrayBuffer>): Promise<string | null> {
    const outcome = await this.#thread.ask(head, [head.buffer], { timeoutMs });
    return outcome.kind === 'answered' ? outcome.report : null;
  }
}
