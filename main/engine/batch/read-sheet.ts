import { createHash } from 'node:crypto';
import { CsvError, parse as parseCsv } from 'csv-parse/sync';
import { amountMaxRappen } from '#shared/api/limits.ts';
import { outsideName } from '#shared/desk/amounts.ts';
import type { BatchSheet, SheetChoice, SheetLine } from '#shared/desk/batch.ts';
import { headingOf, exportColumns } from '#shared/desk/case-export.ts';
import { DeskError, paramOf } from '#shared/desk/errors.ts';
import { decodeText } from '#shared/lib/decode-text.ts';
import { languages } from '#shared/i18n/language.ts';
import { parseAmount } from '#shared/lib/money.ts';
import { afterAct, batchCase } from '../calls/acts.ts';
import { casesOf, queueAmounts, queueComment } from '../calls/cases.ts';
import { findCase } from '../calls/case-view.ts';
import { assertCommentLength } from '../work/drafts.ts';
import type { OpenWorkspace } from '../workspace/open-workspace.ts';
import { type Cell, isFault, type SheetRow, type SheetTable } from './sheet-table.ts';

const fields = ['externalKey', 'costEstimateRappen', 'approvedRappen', 'expertComment'] as const;
type Field = (typeof fields)[number];

/** Headings of lists that were exported before they were renamed. */
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
 * What the lines of a sheet (CSV or XLSX) would set: amounts and comments of the cases whose
 * external keys they have. An empty cell sets nothing. What the user cannot see in the sheet is
 * named, and applied only if they choose it; columns with another heading are named.
 */
export const readSheet = (
  workspace: OpenWorkspace,
  table: ReadTable,
  choice?: SheetChoice,
): BatchSheet => readLines(workspace, table, choice).sheet;

/** By case, the hash of its lines, also if the case shows their values already. */
export type NamedCases = ReadonlyMap<string, string>;

/** What `readSheet` reads, with every case that a line of it names. */
export function readLines(
  workspace: OpenWorkspace,
  { fileName, table }: ReadTable,
  choice: SheetChoice = { without: [], withHidden: false },
): { sheet: BatchSheet; named: NamedCases } {
  const named = new Map<string, string>();
  const sheet: BatchSheet = {
    ...{ items: [], unchanged: 0, problems: [], unused: [] },
    ...{ hidden: { lines: [], columns: [] }, choice },
  };
  if (table instanceof DeskError) {
    sheet.problems.push({ line: Number(paramOf(table, 'line') ?? 1), problem: table.problem });
    return { sheet, named };
  }
  const [heading, ...rows] = table.rows;
  const columns = columnsOf(heading, table, sheet);
  if (!columns) {
    const { problem } = new DeskError('sheet_columns', { fileName });
    sheet.problems.push({ line: 1, problem });
    return { sheet, named };
  }
  const firstLines = new Map<string, number>();
  for (const row of rows) {
    if (row.cells.every((cell) => !isFault(cell) && cellText(cell) === '')) continue;
    if (choice.without.includes(row.line)) continue;
    if (row.isHidden && !choice.withHidden) sheet.hidden.lines.push(row.line);
    else addLine(workspace, { fileName, row, columns, firstLines, named }, sheet);
  }
  return { sheet, named };
}

/** The cells of a sheet, or why it cannot be read. */
export interface ReadTable {
  readonly fileName: string;
  readonly table: SheetTable | DeskError;
}

/** Reads the cells of a sheet (CSV or XLSX). */
export async function readTable(
  { sheets }: Pick<OpenWorkspace, 'sheets'>,
  fileName: string,
  bytes: Uint8Array,
): Promise<ReadTable> {
  if (!isZip(bytes)) return { fileName, table: csvTable(fileName, bytes) };
  const table = await sheets.read(bytes);
  return { fileName, table: table ?? new DeskError('sheet_unreadable', { fileName, line: 1 }) };
}

type Columns = ReadonlyMap<Field, number>;

/**
 * Where the columns are that are applied; null if they are not enough. The sheet notes those that
 * are not applied.
 */
function columnsOf(
  heading: SheetRow | undefined,
  { hiddenColumns }: SheetTable,
  sheet: BatchSheet,
): Columns | null {
  const columns = new Map<Field, number>();
  for (const [at, cell] of (heading?.cells ?? []).entries()) {
    const name = cellText(isFault(cell) ? cell.shown : cell);
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
  /** By case, the line that sets it. */
  readonly firstLines: Map<string, number>;
  readonly named: Map<string, string>;
}

/** Adds what a line sets, or everything that is wrong with it. */
function addLine(workspace: OpenWorkspace, parts: LineParts, sheet: BatchSheet): void {
  const { row, columns, firstLines } = parts;
  const { line } = row;
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
            ...{ line, externalKey, costEstimateRappen, approvedRappen, comment },
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

/** @throws {DeskError} sheet_cell_empty, sheet_cell_failed: its value is not known */
function valueOf(field: Field, cell: Cell | undefined): string | number | null {
  if (!isFault(cell)) return cell ?? null;
  if (cell.fault === 'no_result') throw new DeskError('sheet_cell_empty', { field });
  throw new DeskError('sheet_cell_failed', { field, value: cell.shown });
}

/** Queues what the lines set: all of it, or nothing. */
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

/** Null if the line sets nothing else than the case shows. */
function readLine(
  workspace: OpenWorkspace,
  { fileName, named }: Pick<LineParts, 'fileName' | 'named'>,
  raw: RawLine,
): SheetLine | null {
  const { externalKey, ...line } = raw;
  if (externalKey === '') throw new DeskError('sheet_columns', { fileName });
  const { record, seen } = findCase(workspace, externalKey);
  const values = [line.costEstimateRappen, line.approvedRappen, line.comment];
  // Of a case with two lines both count.
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

/** The text of a cell, without the apostrophe that an export puts before what looks like a formula. */
const cellText = (value: string | number | null) =>
  String(value ?? '')
    .trim()
    .replace(/^'(?=\s*[=+\-@])/, '');

function amountIn(field: string, cell: string | number | null): number | null {
  const value = typeof cell === 'number' ? francsText(cell) : cellText(cell);
  const parsed = parseAmount(value, amountMaxRappen);
  if (parsed.ok) return parsed.rappen;
  throw new DeskError(`amount_${parsed.problem}`, { field, value, max: amountMaxRappen });
}

/** What a formula gives is a hair off. */
function francsText(cell: number): string {
  const rounded = cell.toFixed(2);
  return Math.abs(cell - Number(rounded)) < 1e-6 ? rounded : String(cell);
}

const isZip = (bytes: Uint8Array) => bytes[0] === 0x50 && bytes[1] === 0x4b;

/** Excel's own first line, which names the mark, does not count as a row. */
function csvTable(fileName: string, bytes: Uint8Array): SheetTable | DeskError {
  const whole = decodeText(bytes);
  // A workbook of before 2007, or text in an encoding that it does not name.
  if (whole.includes('\0')) return new DeskError('sheet_unreadable', { fileName, line: 1 });
  const named = /^\ufeff?sep=(.)(?:\r\n|\n|\r)/i.exec(whole);
  const text = named ? whole.slice(named[0].length) : whole;
  const heading = /^[^\r\n]*/.exec(text)?.[0] ?? '';
  const count = (mark: string) => heading.split(mark).length;
  const found = [',', '\t'].reduce((a, b) => (count(b) > count(a) ? b : a), ';');
  const delimiter = named?.[1] ?? found;
  const firstLine = named ? 2 : 1;
  try {
    // A quote within a cell is a character: 15" rims.
    const options = { bom: true, delimiter, relax_column_count: true, relax_quotes: true };
    const records: string[][] = parseCsv(text, options);
    const rows = records.map((cells, index) => ({
      ...{ line: index + firstLine, isHidden: false, cells },
    }));
    return { rows, hiddenColumns: new Set() };
  } catch (cause) {
    // The line that the broken record began in.
    const before = cause instanceof CsvError ? cause['records'] : 0;
    const line = typeof before === 'number' ? before + firstLine : 1;
    return new DeskError('sheet_unreadable', { fileName, line }, { cause });
  }
}
