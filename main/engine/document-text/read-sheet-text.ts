import type { FaultLog } from '#main/log/faults.ts';
import { LimitedThread } from '../threads/limited-thread.ts';
import { noText, type PdfText } from './read-pdf-text.ts';

/** The request to the thread. */
export interface SheetTextOrder {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly charsMax: number;
}

type SheetText = Pick<PdfText, 'text' | 'estimate'>;
/** The answer of the thread; null if the file is not a readable workbook. */
export type SheetTextReport = SheetText | null;

/** The limits are those of the sheets that a batch reads (sheet-reader.ts). */
const limits = { memoryMb: 512, leftoverMb: 64 };

/**
 * Reads the words of workbooks, and the lines of estimates in them, in a thread with limited memory
 * and time.
 */
export class SheetTextReader {
  readonly #thread: LimitedThread<SheetTextOrder, SheetTextReport>;

  constructor(log: FaultLog) {
    const entry = new URL('./sheet-text-worker.ts', import.meta.url);
    this.#thread = new LimitedThread({ entry, limits, name: 'read the text of a workbook', log });
  }

  /**
   * Reads one workbook; calls must not overlap.
   * @param order its bytes are transferred to the thread, and empty afterwards
   * @returns no text if the file is not a readable workbook; null if the attempt did not finish
   */
  async read(
    order: SheetTextOrder,
    limit: { timeoutMs: number; signal: AbortSignal },
  ): Promise<SheetText | null> {
    const outcome = await this.#thread.ask(order, [order.bytes.buffer], limit);
    return outcome.kind === 'answered' ? (outcome.report ?? noText) : null;
  }

  /** Ends the reading under way. */
  async end(): Promise<void> {
    await this.#thread.end();
  }
}
