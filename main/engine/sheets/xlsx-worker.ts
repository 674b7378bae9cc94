import { parentPort } from 'node:worker_threads';
import { readXlsx } from './read-xlsx.ts';
import type { SheetOrder, SheetReport } from './sheet-reader.ts';

// The entry of the thread that reads workbooks. sheet-reader.ts limits its memory and time.

function tableOf({ bytes }: SheetOrder): SheetReport {
  try {
    return readXlsx(bytes);
  } catch {
    // The file is not a workbook, or its unpacked size exceeds the limit.
    return null;
  }
}

parentPort?.on('message', (order: SheetOrder) => {
  parentPort?.postMessage(tableOf(order));
});
