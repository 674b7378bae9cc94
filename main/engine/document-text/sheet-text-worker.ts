import { parentPort } from 'node:worker_threads';
import { readXlsx } from '../sheets/read-xlsx.ts';
import type { SheetTextOrder, SheetTextReport } from './read-sheet-text.ts';
import { findSheetPositions, textOfCell } from './sheet-positions.ts';

// The entry of the thread that reads the texts of workbooks. read-sheet-text.ts limits its memory
// and time.

function answer({ bytes, charsMax }: SheetTextOrder): SheetTextReport {
  try {
    const tables = readXlsx(bytes);
    const estimates = tables.map(findSheetPositions);
    let text = '';
    for (const { name, rows } of tables) {
      text += `${name ?? ''} `;
      for (const { cells } of rows) {
        if (text.length >= charsMax) break;
        text += `${cells.map(textOfCell).join(' ')} `;
      }
    }
    const estimate = estimates.find((one) => one !== null) ?? null;
    return { text: text.slice(0, charsMax), estimate };
  } catch {
    // The file is not a workbook, or its unpacked size exceeds the limit.
    return null;
  }
}

// Only read-sheet-text.ts starts this file.
parentPort?.on('message', (order: SheetTextOrder) => {
  parentPort?.postMessage(answer(order));
});
