import type { PictureType } from '#shared/photos/strip-picture.ts';
import type { FaultLog } from '#main/log/faults.ts';
import { QueuedThread } from '../threads/queued-thread.ts';

export interface StripOrder {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly contentType: PictureType;
}

export interface StripReport {
  /** In place of the file; null if it stays. */
  readonly bytes: Uint8Array | null;
  /** What is sent contains nothing but the picture. False for a HEIC, and for what is damaged. */
  readonly isBare: boolean;
  /** By the camera's clock: YYYY-MM-DDTHH:MM:SS. */
  readonly takenAt: string | null;
}

/** Twice the largest file, and what a reader of EXIF takes. */
const limits = { memoryMb: 256, leftoverMb: 64, timeoutMs: 30_000 };

const failed: StripReport = { bytes: null, isBare: false, takenAt: null };

/**
 * Removes from pictures what is not the picture, in a thread: they come from outside, and the engine
 * has the keys.
 */
export class PictureStripper {
  readonly #thread: QueuedThread<StripOrder, StripReport>;

  constructor(log: FaultLog) {
    const entry = new URL('./strip-worker.ts', import.meta.url);
    this.#thread = new QueuedThread({ entry, limits, name: 'strip a picture', log });
  }

  /** @param order its bytes are transferred to the thread, and empty afterwards */
  async strip(order: StripOrder): Promise<StripReport> {
    const answer = await this.#thread.ask(order, [order.bytes.buffer]);
    return answer?.report ?? failed;
  }

  /** After the picture that is in work. */
  async end(): Promise<void> {
    await this.#thread.end();
  }
}
