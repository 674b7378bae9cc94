import { createHash } from 'node:crypto';
import { amountMaxRappen } from '#shared/api/limits.ts';
import { outsideName } from '#shared/desk/cases/amounts.ts';
import type { BatchSheet, SheetChoice, SheetLine } from '#shared/desk/reports/batch.ts';
import { headingOf, exportColumns } from '#shared/desk/cases/case-export.ts';
import { DeskError } from '#shared/desk/contract/errors.ts';
import { endsWithinLetter } from '#shared/lib/cut-letter.ts';
import { decodeText } from '#shared/lib/decode-text.ts';
import { languages } from '#shared/i18n/language.ts';
import { parseAmount } from '#shared/lib/money.ts';
import { afterAct, queueAmounts, queueComment } from '../cases/acts.ts';
import { findCase } from '../cases/case-view.ts';
import { assertCommentLength } from '../work/drafts.ts';
import type { OpenWorkspace } from '../workspace/open-workspace.ts';
import { readCsv } from '../sheets/read-csv.ts';
import {
  type Cell,
  isFault,
  type SheetRow,
  type SheetTable,
  type SheetTables,
} from '../sheets/sheet-table.ts';
import { batchCase } from './batch-case.ts';
import { casesOf } from '../cases/list-cases.ts';

const fields = ['externalKey', 'costEstimateRappen', 'approvedRappen', 'expertComment'] as const;
type Field = (typeof fields)[number];

/** The headings of earlier versions, which exported sheets may still have. */
const formerHeadings: Readonly<Partial<Record<Field, readonly string[]>>> = {
  approvedRappen: ['Freigegeben', 'Approved amount', 'Approuvé', 'Approvato'],
};

/** The names in the command line's JSON, and the headings of an exported list in every language. */
const headings = new Map(
  fields.flatMap((field) => {
    const column = exportColumns.find(({ name }) => name === field);
    const names = column ? languages.map((language) => headingOf(column, language)) : [];
    return [outsideName(field), ...names, ...(formerHeadings[field] ?? [])].flatMap((name) => [
      [name.toLowerCase(), field] as const,
      [`${name} CHF`.toLowerCase(), field] as const,
      [name.replace(/ CHF$/, '').toLowerCase(), field] as const,
    ]);
  }),
);

/**
 * Reads what a sheet (CSV or XLSX) would set: amounts and comments of the cases whose external keys
 * it has. An empty cell sets nothing. Parts that the sheet hides are reported, and applied only if
 * the user chooses so. Columns with an unknown heading are reported as well.
 */
export const readSheet = (
  workspace: OpenWorkspace,
  table: ReadTable,
  choice?: SheetChoice,
): BatchSheet => readLines(workspace, table, choice).sheet;

/**
 * By case, the hash of its lines. It also contains cases that already have the values of their
 * lines.
 */
export type NamedCases = ReadonlyMap<string, string>;

/** The result of `readSheet`, with every case that a line names. */
export function readLines(
  workspace: OpenWorkspace,
  { fileName, tables }: ReadTable,
  choice: SheetChoice = { without: [], withHidden: false, sheetName: null },
): { sheet: BatchSheet; named: NamedCases } {
  const named = new Map<string, string>();
  const table = tableOf(tables, choice);
  const sheet: BatchSheet = {
    lines: 0,
    sheetName: table?.name ?? null,
    otherSheets: namesBeside(tables, table),
    items: [],
    unchanged: 0,
    problems: [],
    unused: [],
    hidden: { lines: [], columns: [] },
    choice,
  };
  if (tables instanceof DeskError || !table) {
    const error = tables instanceof DeskError ? tables : unreadable(fileName);
    sheet.problems.push({ line: 1, problem: error.problem });
    return { sheet, named };
  }
  const filled = table.rows.filter(({ cells }) => cells.some(isFilled));
  const [heading, ...rows] = filled;
  const columns = columnsOf(heading, table, sheet);
  const open = heading && openQuoteOf(heading);
  if (!columns || open) {
    const { problem } = open ?? new DeskError('sheet_columns', { fileName });
    sheet.problems.push({ line: heading?.line ?? 1, problem });
    return { sheet, named };
  }
  sheet.lines = rows.length;
  const firstLines = new Map<string, number>();
  for (const row of rows) {
    if (choice.without.includes(row.line)) continue;
    if (row.isHidden && !choice.withHidden) sheet.hidden.lines.push(row.line);
    else addLine(workspace, { fileName, row, columns, heading, firstLines, named }, sheet);
  }
  return { sheet, named };
}

function tableOf(tables: SheetTables | DeskError, { sheetName }: SheetChoice): SheetTable | null {
  if (tables instanceof DeskError) return null;
  return tables.find(({ name }) => name === sheetName) ?? tables[0];
}

const namesBeside = (tables: SheetTables | DeskError, table: SheetTable | null): string[] =>
  tables instanceof DeskError
    ? []
    : tables.filter((one) => one !== table).map(({ name }) => name ?? '');

const unreadable = (fileName: string, line = 1) =>
  new DeskError('sheet_unreadable', { fileName, line });

const isFilled = (cell: Cell | undefined) => isFault(cell) || cellText(cell ?? null) !== '';

/** The cells of a sheet, or the reason why it cannot be read. */
export interface ReadTable {
  readonly fileName: string;
  readonly tables: SheetTables | DeskError;
}

/** Reads the cells of a sheet (CSV or XLSX). */
export async function readTable(
  { sheets }: Pick<OpenWorkspace, 'sheets'>,
  fileName: string,
  bytes: Uint8Array,
): Promise<ReadTable> {
  if (!isZip(bytes)) return { fileName, tables: csvTables(fileName, bytes) };
  return { fileName, tables: (await sheets.read(bytes)) ?? unreadable(fileName) };
}

/** Checks that a sheet of this name exists. @throws {DeskError} sheet_not_found */
export function assertSheet({ fileName, tables }: ReadTable, sheetName: string): void {
  if (tables instanceof DeskError || tables.some(({ name }) => name === sheetName)) return;
  const names = tables.map(({ name }) => name ?? '').join(', ');
  throw new DeskError('sheet_not_found', { fileName, name: sheetName, names });
}

type Columns = ReadonlyMap<Field, number>;

/**
 * The places of the columns that are applied; null if a required column is missing. Columns that
 * are not applied are noted in the sheet.
 */
function columnsOf(
  heading: SheetRow | undefined,
  { hiddenColumns }: SheetTable,
  sheet: BatchSheet,
): Columns | null {
  const columns = new Map<Field, number>();
  for (const [at, cell] of (heading?.cells ?? []).entries()) {
    // A heading may have a line break, so that its column is narrow.
    const name = cellText(isFault(cell) ? cell.shown : cell).replaceAll(/\s+/g, ' ');
    const field = headings.get(name.toLowerCase());
    const isHidden = hiddenColumns.has(at) && !sheet.choice.withHidden;
    if (name === '') continue;
    if (!field || columns.has(field)) sheet.unused.push(name);
    else if (isHidden && field !== 'externalKey') sheet.hidden.columns.push(name);
    else columns.set(field, at);
  }
  const isEnough =
    columns.has('externalKey') && (columns.size > 1 || sheet.hidden.columns.length > 0);
  return isEnough ? columns : null;
}

interface LineParts {
  readonly fileName: string;
  readonly row: SheetRow;
  readonly columns: Columns;
  readonly heading: SheetRow | undefined;
  /** The line that sets values of a case, by case. */
  readonly firstLines: Map<string, number>;
  readonly named: Map<string, string>;
}

/** Adds the values that a line sets, or all problems of the line. */
function addLine(workspace: OpenWorkspace, parts: LineParts, sheet: BatchSheet): void {
  const { row, columns, heading, firstLines } = parts;
  const { line } = row;
  const open = openQuoteOf(row);
  // What else is in the line is unknown.
  if (open) {
    sheet.problems.push({ line, problem: open.problem });
    return;
  }
  const problems: DeskError[] = [];
  const tried = <Value>(read: () => Value): Value | null => {
    try {
      return read();
    } catch (error) {
      if (!(error instanceof DeskError)) throw error;
      problems.push(error);
      return null;
    }
  };
  tried(() => assertAccountedFor(row, heading));
  const cell = (field: Field) => valueOf(field, row.cells[columns.get(field) ?? -1]);
  const externalKey = tried(() => cellText(cell('externalKey')));
  const costEstimateRappen = tried(() =>
    amountIn('costEstimateRappen', cell('costEstimateRappen')),
  );
  const approvedRappen = tried(() => amountIn('approvedRappen', cell('approvedRappen')));
  const comment = tried(() => cellText(cell('expertComment')) || null);
  const set =
    externalKey === null
      ? null
      : tried(() =>
          readLine(workspace, parts, {
            line,
            externalKey,
            costEstimateRappen,
            approvedRappen,
            comment,
          }),
        );
  const first = set && firstLines.get(set.case.id);
  if (set && first !== undefined && first !== null)
    problems.push(new DeskError('sheet_line_twice', { line: first }));
  if (problems.length > 0)
    sheet.problems.push(...problems.map(({ problem }) => ({ line, problem })));
  else if (set === null) sheet.unchanged += 1;
  else {
    firstLines.set(set.case.id, line);
    sheet.items.push(set);
  }
}

/** The problem of a line with a quote that is not closed; null if it has none. */
function openQuoteOf({ cells }: SheetRow): DeskError | null {
  const at = cells.findIndex((cell) => isFault(cell) && cell.fault === 'open_quote');
  return at < 0 ? null : new DeskError('sheet_cell_quote', { column: at + 1 });
}

/**
 * Control characters other than tab and line end, and the sign for a letter that was lost when the
 * encoding changed. No program shows the first, but the partner would receive all of them.
 */
const unreadableSigns = /[^\P{Cc}\t\r\n]|\ufffd/u;

/**
 * Checks that each filled cell has a heading and contains only visible characters. A comma without
 * quotes, or another encoding, would move or change the values that are sent.
 * @throws {DeskError} sheet_cells_beyond, sheet_cell_control
 */
function assertAccountedFor({ cells }: SheetRow, heading: SheetRow | undefined): void {
  const beyond = cells.findIndex((cell, at) => isFilled(cell) && !isFilled(heading?.cells[at]));
  if (beyond >= 0) {
    const cell = cells[beyond];
    const value = String(isFault(cell) ? cell.shown : cell).slice(0, 100);
    throw new DeskError('sheet_cells_beyond', { column: beyond + 1, value });
  }
  const odd = cells.findIndex((cell) => typeof cell === 'string' && unreadableSigns.test(cell));
  if (odd >= 0) throw new DeskError('sheet_cell_control', { column: odd + 1 });
}

/**
 * The value of a cell. @throws {DeskError} sheet_cell_empty, sheet_cell_failed if the value is
 * unknown
 */
function valueOf(field: Field, cell: Cell | undefined): string | number | null {
  if (!isFault(cell)) return cell ?? null;
  if (cell.fault === 'no_result') throw new DeskError('sheet_cell_empty', { field });
  throw new DeskError('sheet_cell_failed', { field, value: cell.shown });
}

/** Queues everything that the lines set, or nothing. */
export function applySheet(workspace: OpenWorkspace, { items, problems }: BatchSheet): void {
  if (problems.length > 0) return;
  const queued = workspace.work.together(() =>
    items.map(({ case: { id }, costEstimateRappen, approvedRappen, comment }) => [
      ...(costEstimateRappen === null && approvedRappen === null
        ? []
        : queueAmounts(workspace, {
            id,
            costEstimateRappen: costEstimateRappen ?? undefined,
            approvedRappen: approvedRappen ?? undefined,
          })),
      ...(comment === null ? [] : queueComment(workspace, { id, text: comment })),
    ]),
  );
  for (const rowIds of queued) afterAct(workspace, rowIds);
}

interface RawLine extends Omit<SheetLine, 'case'> {
  readonly externalKey: string;
}

/** Reads a line; null if it sets only values that the case already has. */
function readLine(
  workspace: OpenWorkspace,
  { fileName, named }: Pick<LineParts, 'fileName' | 'named'>,
  raw: RawLine,
): SheetLine | null {
  const { externalKey, ...line } = raw;
  if (externalKey === '') throw new DeskError('sheet_columns', { fileName });
  const { record, seen } = findCase(workspace, externalKey);
  const values = [line.costEstimateRappen, line.approvedRappen, line.comment];
  // If a case has two lines, the hash covers both.
  const text = JSON.stringify([named.get(record.id) ?? null, ...values]);
  named.set(record.id, createHash('sha256').update(text).digest('hex'));
  const news = <Value>(value: Value | null, shown: Value | null) =>
    value === shown ? null : value;
  const set = {
    ...line,
    costEstimateRappen: news(line.costEstimateRappen, seen.amounts.costEstimateRappen),
    approvedRappen: news(line.approvedRappen, seen.amounts.approvedRappen),
    comment: news(line.comment, seen.comment.trim()),
  };
  if (set.costEstimateRappen === null && set.approvedRappen === null && set.comment === null) {
    return null;
  }
  if (set.comment !== null) assertCommentLength(set.comment);
  const [summary] = casesOf(workspace, [record.id]);
  if (!summary) throw new DeskError('case_not_found', { id: externalKey });
  const target = batchCase(summary);
  if (target.problem) throw DeskError.of(target.problem);
  return { ...set, case: target };
}

/**
 * The text of a cell, without what exports put around it so that a spreadsheet leaves it a text: an
 * apostrophe before what looks like a formula, and ="0012" around digits.
 */
const cellText = (value: string | number | null) =>
  String(value ?? '')
    .trim()
    .replace(/^="([^"]*)"$/, '$1')
    .replace(/^'(?=\s*[=+\-@])/, '');

function amountIn(field: string, cell: string | number | null): number | null {
  const value = typeof cell === 'number' ? francsText(cell) : cellText(cell);
  const parsed = parseAmount(value, amountMaxRappen);
  if (parsed.ok) return parsed.rappen;
  throw new DeskError(`amount_${parsed.problem}`, { field, value, max: amountMaxRappen });
}

/** The result of a formula may differ from the decimal in its last digits. */
function francsText(cell: number): string {
  const rounded = cell.toFixed(2);
  return Math.abs(cell - Number(rounded)) < 1e-6 ? rounded : String(cell);
}

const isZip = (bytes: Uint8Array) => bytes[0] === 0x50 && bytes[1] === 0x4b;

/** Programs of MS-DOS write it behind the last line. */
const endOfFile = '\u001a';

function csvTables(fileName: string, bytes: Uint8Array): SheetTables | DeskError {
  const decoded = decodeText(bytes);
  const text = decoded.endsWith(endOfFile) ? decoded.slice(0, -1) : decoded;
  // The file is a workbook of before 2007, or text in an undeclared encoding.
  if (text.includes('\0')) return unreadable(fileName);
  // What followed the letter is missing, too.
  if (endsWithinLetter(bytes)) return unreadable(fileName, text.split(/\r\n|\n|\r/).length);
  const fieldOf = (heading: string) =>
    headings.get(cellText(heading).replaceAll(/\s+/g, ' ').toLowerCase());
  const isKnown = (heading: string) => fieldOf(heading) !== undefined;
  return [readCsv(text, { isKnown, isKey: (heading) => fieldOf(heading) === 'externalKey' })];
}
