import type { FaultLog } from '#main/log/faults.ts';
import { RetriedThread } from '../threads/retried-thread.ts';
import { notMade, type StripReport, stripReportOf } from './picture-stripper.ts';

/** `damaged`: it would show wrong pixels. Null if the file cannot be decoded, or is too large. */
export type HeicReport =
  | { readonly jpeg: Uint8Array; readonly takenAt: string | null }
  | 'damaged'
  | null;

/** A photo of 50 megapixels, as pixels here and in the decoder, and what it takes on the way. */
const limits = { memoryMb: 768, leftoverMb: 192, timeoutMs: 60_000 };

/**
 * Makes JPEGs of HEICs that no window makes ready, in a thread apart from the one that strips: it
 * needs much memory and time.
 */
export class HeicMaker {
  readonly #thread: RetriedThread<Uint8Array, HeicReport>;

  /** @param entry the script of the thread */
  constructor(log: FaultLog, entry = new URL('./heic-worker.ts', import.meta.url)) {
    this.#thread = new RetriedThread({ entry, limits, name: 'make a JPEG of a HEIC', log });
  }

  /** @param bytes of the file; transferred to the thread, and may be empty afterwards */
  async make(bytes: Uint8Array<ArrayBuffer>): Promise<StripReport> {
    const outcome = await this.#thread.ask(bytes, [bytes.buffer]);
    if (outcome.kind !== 'answered') return stripReportOf(outcome);
    const { kind, report: made } = outcome;
    if (made === 'damaged') return { ...notMade, looksDamaged: true };
    const found = { isBare: true, looksDamaged: false };
    const report = made && { bytes: made.jpeg, takenAt: made.takenAt, ...found };
    return stripReportOf({ kind, report });
  }

  /** After the picture that is in work. */
  async end(): Promise<void> {
    await this.#thread.end();
  }
}
