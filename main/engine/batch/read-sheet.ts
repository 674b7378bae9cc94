import { CsvError, parse as parseCsv } from 'csv-parse/sync';
import { unzipSync } from 'fflate';
import readXlsx from 'read-excel-file/universal';
import { amountMaxRappen } from '#shared/api/limits.ts';
import { outsideName } from '#shared/desk/amounts.ts';
import type { BatchSheet, SheetLine } from '#shared/desk/batch.ts';
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

type Cell = string | number | null;

/** A sheet that unpacks to more was not made by hand. */
const unpackedMaxBytes = 64 * 1024 * 1024;

const fields = ['externalKey', 'costEstimateRappen', 'approvedRappen', 'expertComment'] as const;
type Field = (typeof fields)[number];

/** Headings of lists that were exported before they were renamed. */
const formerHeadings: Readonly<Partial<Record<Field, readonly string[]>>> = {
  approvedRappen: ['Freigegeben', 'Approved amount'],
};

/** The names in the command line's JSON, and the headings of an exported list in every language. */
const headings = new Map(
  fields.flatMap((field) => {
    const column = exportColumns.find(({ name }) => name === field);
    const names = column ? languages.map((language) => headingOf(column, language)) : [];
    return [outsideName(field), ...names, ...(formerHeadings[field] ?? [])].flatMap((name) => [
      [name.toLowerCase(), field] as const,
      [name.replace(/ CHF$/, '').toLowerCase(), field] as const,
    ]);
  }),
);

/**
 * What the lines of a sheet (CSV or XLSX) would set: amounts and comments of the cases whose
 * external keys they have. An empty cell sets nothing. Other columns are ignored.
 */
export async function readSheet(
  workspace: OpenWorkspace,
  fileName: string,
  bytes: Uint8Array,
): Promise<BatchSheet> {
  const sheet: BatchSheet = { items: [], unchanged: 0, problems: [] };
  const refuse = (line: number, error: unknown) => {
    if (!(error instanceof DeskError)) throw error;
    sheet.problems.push({ line, problem: error.problem });
  };
  let rows: Cell[][];
  let firstLine = 1;
  try {
    if (isZip(bytes)) rows = await xlsxRows(fileName, bytes);
    else ({ rows, firstLine } = csvRows(fileName, bytes));
  } catch (error) {
    refuse(error instanceof DeskError ? Number(paramOf(error, 'line') ?? 1) : 1, error);
    return sheet;
  }
  const columns = rows[0]?.map((cell) =>
    headings.get(
      String(cell ?? '')
        .trim()
        .toLowerCase(),
    ),
  );
  const at = (field: Field) => columns?.indexOf(field) ?? -1;
  if (at('externalKey') < 0 || fields.every((field) => field === 'externalKey' || at(field) < 0)) {
    refuse(1, new DeskError('sheet_columns', { fileName }));
    return sheet;
  }
  const firstLines = new Map<string, number>();
  for (const [index, row] of rows.entries()) {
    const line = index + firstLine;
    const text = (field: Field) => cellText(row[at(field)]);
    if (index === 0 || row.every((cell) => cellText(cell) === '')) continue;
    try {
      const set = readLine(workspace, fileName, {
        line,
        externalKey: text('externalKey'),
        costEstimateRappen: amountIn('costEstimateRappen', row[at('costEstimateRappen')]),
        approvedRappen: amountIn('approvedRappen', row[at('approvedRappen')]),
        comment: text('expertComment') || null,
      });
      if (set === null) sheet.unchanged += 1;
      else {
        const first = firstLines.get(set.case.id);
        if (first !== undefined) throw new DeskError('sheet_line_twice', { line: first });
        firstLines.set(set.case.id, line);
        sheet.items.push(set);
      }
    } catch (error) {
      refuse(line, error);
    }
  }
  return sheet;
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
function readLine(workspace: OpenWorkspace, fileName: string, raw: RawLine): SheetLine | null {
  const { externalKey, ...line } = raw;
  if (externalKey === '') throw new DeskError('sheet_columns', { fileName });
  const { record, seen } = findCase(workspace, externalKey);
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
const cellText = (cell: Cell | undefined) =>
  String(cell ?? '')
    .trim()
    .replace(/^'(?=\s*[=+\-@])/, '');

function amountIn(field: string, cell: Cell | undefined): number | null {
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

async function xlsxRows(fileName: string, bytes: Uint8Array): Promise<Cell[][]> {
  try {
    let unpacked = 0;
    // Reads the directory of the archive alone.
    unzipSync(bytes, { filter: ({ originalSize }) => (unpacked += originalSize) < 0 });
    if (unpacked > unpackedMaxBytes) throw new Error('the sheet is too large');
    const [first] = await readXlsx(new Uint8Array(bytes).buffer);
    return (first?.data ?? []).map((row) =>
      row.map((cell) => (typeof cell === 'number' || cell === null ? cell : String(cell))),
    );
  } catch (cause) {
    throw new DeskError('sheet_unreadable', { fileName, line: 1 }, { cause });
  }
}

/** The rows, and the line of the first one: Excel's own line names the mark and is none. */
function csvRows(fileName: string, bytes: Uint8Array): { rows: Cell[][]; firstLine: number } {
  const whole = decodeText(bytes);
  const named = /^\ufeff?sep=(.)(?=\r?\n)/i.exec(whole);
  const text = named ? whole.slice(named[0].length).replace(/^\r?\n/, '') : whole;
  const heading = /^[^\r\n]*/.exec(text)?.[0] ?? '';
  const count = (mark: string) => heading.split(mark).length;
  const found = [',', '\t'].reduce((a, b) => (count(b) > count(a) ? b : a), ';');
  const delimiter = named?.[1] ?? found;
  const firstLine = named ? 2 : 1;
  try {
    // A quote within a cell is a character: 15" rims.
    const options = { bom: true, delimiter, relax_column_count: true, relax_quotes: true };
    return { rows: parseCsv(text, options), firstLine };
  } catch (cause) {
    // The line that the broken record began in.
    const before = cause instanceof CsvError ? cause['records'] : 0;
    const line = typeof before === 'number' ? before + firstLine : 1;
    throw new DeskError('sheet_unreadable', { fileName, line }, { cause });
  }
}
