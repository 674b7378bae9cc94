import { amountMaxRappen } from '#shared/api/limits.ts';
import { moneyOf } from '#shared/lib/document-currency.ts';
import { roleOfLine } from '#shared/lib/find-totals.ts';
import { type Estimate, type LedgerLine, readLedger } from '#shared/lib/positions.ts';
import { type Cell, isFault, type SheetTable } from '../sheets/sheet-table.ts';

const rowsMax = 5000;

/** A cell as a text; a formula without a result has none. */
export const textOfCell = (cell: Cell): string =>
  isFault(cell) || cell === null ? '' : String(cell);

/**
 * The lines of an estimate in a sheet, as calculation programs write it: a line in each row, the
 * amounts in one column. Null if the sum of the rows that one sees is not the total.
 */
export function findSheetPositions({ rows, hiddenColumns }: SheetTable): Estimate | null {
  const shown = rows
    .filter(({ isHidden }) => !isHidden)
    .map(({ cells }) => cells.map((cell, at) => (hiddenColumns.has(at) ? null : cell)));
  if (shown.length > rowsMax) return null;
  const money = moneyOf(shown.map(wordsOfRow));
  if (money.isCredit || money.currency !== 'CHF') return null;
  const total = shown.findLast((cells) => {
    const { rank } = roleOfLine(wordsOfRow(cells));
    return (rank === 0 || rank === 1) && amountPlace(cells) >= 0;
  });
  if (!total) return null;
  const column = amountPlace(total);
  const lines = shown.map((cells) => lineOf(cells, column));
  const sum = lines[shown.indexOf(total)]?.rappen ?? null;
  if (sum === null || lines.some((line) => line === null)) return null;
  return readLedger(
    lines.filter((line) => line !== null),
    sum,
  );
}

const wordsOfRow = (cells: readonly Cell[]): string =>
  cells.filter((cell) => typeof cell === 'string').join(' ');

/** The last number of a row. */
const amountPlace = (cells: readonly Cell[]): number =>
  cells.findLastIndex((cell) => typeof cell === 'number');

/** What a row has in a column; null if this is no amount, so that the rows cannot be added up. */
function lineOf(cells: readonly Cell[], column: number): LedgerLine | null {
  const cell = cells[column];
  const text = cells
    .slice(0, column)
    .map(textOfCell)
    .filter((word) => word !== '')
    .join(' ');
  if (typeof cell === 'number') {
    const rappen = rappenOf(cell);
    return rappen === null ? null : { text, rappen };
  }
  if (isFault(cell)) return null;
  return { text: `${text} ${textOfCell(cell ?? null)}`.trim(), rappen: null };
}

/** The error of a binary fraction, in Rappen, that a program leaves in a sum. */
const fractionMax = 1e-4;

function rappenOf(francs: number): number | null {
  const rappen = Math.round(francs * 100);
  const isWhole = Math.abs(francs * 100 - rappen) <= fractionMax;
  return isWhole && Math.abs(rappen) <= amountMaxRappen ? rappen : null;
}
