import type { FaultLog } from '#main/log/faults.ts';
import { RetriedThread } from '../threads/retried-thread.ts';
import type { SheetTables } from './sheet-table.ts';

export interface SheetOrder {
  readonly bytes: Uint8Array<ArrayBuffer>;
}
/** The result; null if the file is not a readable workbook. */
export type SheetReport = SheetTables | null;

/** The limits suffice for a sheet of 256 MB of XML, which is in memory once. */
const limits = { memoryMb: 512, leftoverMb: 64, timeoutMs: 30_000 };

/**
 * Reads workbooks in a separate thread, because the files are not trusted and the engine has the
 * keys.
 */
export class SheetReader {
  readonly #thread: RetriedThread<SheetOrder, SheetReport>;

  constructor(log: FaultLog) {
    const entry = new URL('./xlsx-worker.ts', import.meta.url);
    this.#thread = new RetriedThread({ entry, limits, name: 'read a workbook', log });
  }

  /** @returns null if the workbook cannot be read, or not within the limits */
  async read(bytes: Uint8Array): Promise<SheetTables | null> {
    // The bytes are copied so that their memory can be transferred.
    const copy = new Uint8Array(bytes);
    const answer = await this.#thread.ask({ bytes: copy }, [copy.buffer]);
    return answer.kind === 'answered' ? answer.report : null;
  }

  /** Resolves when the workbooks until now have been read. */
  async end(): Promise<void> {
    await this.#thread.end();
  }
}
