import type { PictureType } from '#shared/photos/picture-kinds.ts';
import type { FaultLog } from '#main/log/faults.ts';
import { DeskError } from '#shared/desk/contract/errors.ts';
import type { Outcome } from '../threads/limited-thread.ts';
import { RetriedThread } from '../threads/retried-thread.ts';

export interface StripOrder {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly contentType: PictureType;
  /** No window comes later that shows what a decoder complains of. */
  readonly isAlone: boolean;
}

export interface StripReport {
  /** In place of the file; null if it stays. */
  readonly bytes: Uint8Array | null;
  /** What is sent contains nothing but the picture. False for what could not be read. */
  readonly isBare: boolean;
  /** By the camera's clock: YYYY-MM-DDTHH:MM:SS. */
  readonly takenAt: string | null;
  /** It is likely to show wrong pixels. */
  readonly looksDamaged: boolean;
  /** This machine could not have it read, which says nothing about the picture. */
  readonly isUnread?: true;
}

/** Twice the largest file, what a reader of EXIF takes, and a photo of 50 megapixels as pixels. */
const limits = { memoryMb: 384, leftoverMb: 64, timeoutMs: 30_000 };

/** Nothing of the file could be made ready. */
export const notMade: StripReport = {
  bytes: null,
  isBare: false,
  takenAt: null,
  looksDamaged: false,
};

/** What the thread found; a report of null says that the picture cannot be read. */
export function stripReportOf(outcome: Outcome<StripReport | null>): StripReport {
  if (outcome.kind === 'answered') return outcome.report ?? notMade;
  return outcome.kind === 'spent' ? notMade : { ...notMade, isUnread: true };
}

/**
 * Refuses a picture that may contain hidden data and that no window makes ready.
 * @throws {DeskError} file_unchecked, photo_unready
 */
export function assertBare({ isBare, isUnread }: StripReport, fileName: string): void {
  if (!isBare) throw new DeskError(isUnread ? 'file_unchecked' : 'photo_unready', { fileName });
}

/**
 * Removes from pictures what is not the picture, in a thread: they come from outside, and the engine
 * has the keys.
 */
export class PictureStripper {
  readonly #thread: RetriedThread<StripOrder, StripReport>;

  /** @param entry the script of the thread */
  constructor(log: FaultLog, entry = new URL('./strip-worker.ts', import.meta.url)) {
    this.#thread = new RetriedThread({ entry, limits, name: 'strip a picture', log });
  }

  /** @param order its bytes are transferred to the thread, and may be empty afterwards */
  async strip(order: StripOrder): Promise<StripReport> {
    return stripReportOf(await this.#thread.ask(order, [order.bytes.buffer]));
  }

  /** After the picture that is in work. */
  async end(): Promise<void> {
    await this.#thread.end();
  }
}
