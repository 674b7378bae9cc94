/** A sheet with its cells, regardless of the file's format. */
export interface SheetTable {
  /** The name in the workbook; null for a text file. */
  readonly name: string | null;
  /** The rows that have a cell with a value. */
  readonly rows: readonly SheetRow[];
  /** The positions of columns that the sheet hides. */
  readonly hiddenColumns: ReadonlySet<number>;
}

/** The visible sheets of a file. The active one comes first. */
export type SheetTables = readonly [SheetTable, ...SheetTable[]];

export interface SheetRow {
  /** The number of the row, as a spreadsheet counts: the first is 1. */
  readonly line: number;
  readonly isHidden: boolean;
  readonly cells: readonly Cell[];
}

/** The value of a cell. A date is a text in Swiss form. */
export type Cell = string | number | null | CellFault;

/**
 * A cell without a value: a formula whose result was not stored, one whose result is an error
 * (`#REF!`), or the rest of a line behind a quote that is not closed.
 */
export interface CellFault {
  readonly fault: 'no_result' | 'failed' | 'open_quote';
  readonly shown: string;
}

export const isFault = (cell: Cell | undefined): cell is CellFault =>
  typeof cell === 'object' && cell !== null;
