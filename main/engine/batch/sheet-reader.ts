import type { FaultLog } from '#main/log/faults.ts';
import { QueuedThread } from '../threads/queued-thread.ts';
import type { SheetTable } from './sheet-table.ts';

export interface SheetOrder {
  readonly bytes: Uint8Array<ArrayBuffer>;
}
/** Null if it is no workbook that can be read. */
export type SheetReport = SheetTable | null;

/** A sheet of 32 MB of XML takes ten times that as objects. */
const limits = { memoryMb: 512, leftoverMb: 64, timeoutMs: 30_000 };

/** Reads workbooks in a thread: they come from outside, and the engine has the keys. */
export class SheetReader {
  readonly #thread: QueuedThread<SheetOrder, SheetReport>;

  constructor(log: FaultLog) {
    const entry = new URL('./xlsx-worker.ts', import.meta.url);
    this.#thread = new QueuedThread({ entry, limits, name: 'read a workbook', log });
  }

  /** @returns null if it cannot be read, or not within the limits */
  async read(bytes: Uint8Array): Promise<SheetTable | null> {
    // A copy whose memory can be transferred.
    const copy = new Uint8Array(bytes);
    const answer = await this.#thread.ask({ bytes: copy }, [copy.buffer]);
    return answer && answer.report;
  }

  /** Its memory is free afterwards. */
  async end(): Promise<void> {
    await this.#thread.end();
  }
}
