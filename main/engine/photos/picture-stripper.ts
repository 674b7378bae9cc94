import type { PictureType } from '#shared/photos/strip-picture.ts';
import { LimitedThread } from '../threads/limited-thread.ts';

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
const limits = { memoryMb: 256, leftoverMb: 64 };
const timeoutMs = 30_000;
const idleMs = 10_000;

const failed: StripReport = { bytes: null, isBare: false, takenAt: null };

/**
 * Removes from pictures what is not the picture, in a thread: they come from outside, and the engine
 * has the keys.
 */
export class PictureStripper {
  readonly #thread = new LimitedThread<StripOrder, StripReport>(
    new URL('./strip-worker.ts', import.meta.url),
    limits,
  );
  /** Ends with the picture before; never rejects. */
  #before: Promise<unknown> = Promise.resolve();
  #idle: NodeJS.Timeout | undefined;

  /** @param order its bytes are transferred to the thread, and empty afterwards */
  strip(order: StripOrder): Promise<StripReport> {
    const answer = this.#before.then(async () => {
      clearTimeout(this.#idle);
      const found = await this.#thread.ask(order, [order.bytes.buffer], { timeoutMs });
      // A thread that has nothing to do costs memory.
      this.#idle = setTimeout(() => void this.#thread.end(), idleMs).unref();
      return found?.report ?? failed;
    });
    // The caller hears of a failure; the next picture waits for the end alone.
    this.#before = answer.catch(() => undefined);
    return answer;
  }

  /** After the picture that is in work. */
  async end(): Promise<void> {
    await this.#before;
    clearTimeout(this.#idle);
    await this.#thread.end();
  }
}
