import { parentPort } from 'node:worker_threads';
import { readXlsx } from './read-xlsx.ts';
import type { SheetOrder, SheetReport } from './sheet-reader.ts';

// Entry of the thread that reads workbooks; sheet-reader.ts limits memory and time.

function tableOf({ bytes }: SheetOrder): SheetReport {
  try {
    return readXlsx(bytes);
  } catch {
    // No workbook, or one that unpacks to too much.
    return null;
  }
}

parentPort?.on('message', (order: SheetOrder) => {
  parentPort?.postMessage(tableOf(order));
});
