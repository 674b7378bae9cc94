/** A sheet as its cells stand in it, regardless of the file's format. */
export interface SheetTable {
  readonly rows: readonly SheetRow[];
  /** Places of columns that the sheet does not show. */
  readonly hiddenColumns: ReadonlySet<number>;
}

export interface SheetRow {
  /** As a spreadsheet counts: the first is 1. */
  readonly line: number;
  readonly isHidden: boolean;
  readonly cells: readonly Cell[];
}

/** A date is its text in Swiss form. */
export type Cell = string | number | null | CellFault;

/** A cell without a value: a formula whose result was not stored, or one that failed (`#REF!`). */
export interface CellFault {
  readonly fault: 'no_result' | 'failed';
  readonly shown: string;
}

export const isFault = (cell: Cell | undefined): cell is CellFault =>
  typeof cell === 'object' && cell !== null;
