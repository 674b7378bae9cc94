import { type Cell, isFault, type SheetRow, type SheetTable } from './sheet-table.ts';

/** The headings that the reader of the rows knows. */
export interface KnownHeadings {
  isKnown(heading: string): boolean;
  /** Whether the number of the case stands in this column. */
  isKey(heading: string): boolean;
}

/** A semicolon is what Swiss programs write; it is taken if nothing speaks for another. */
const separators = [';', ',', '\t'];

/**
 * Reads a sheet of text (RFC 4180, with other separators, and line ends of every kind). Excel's line
 * that names the separator does not count as a row. A quote that is not closed is a fault of its
 * cell: the rest of its line belongs to it, and the lines after it are rows as others are.
 */
export function readCsv(text: string, headings: KnownHeadings): SheetTable {
  const named = /^\ufeff?sep=(.)(?:\r\n|\n|\r)/i.exec(text);
  const start = named ? named[0].length : text.startsWith('\ufeff') ? 1 : 0;
  const separator = named?.[1] ?? separatorOf(text, start, headings);
  const rows: SheetRow[] = [];
  let line = named ? 2 : 1;
  let keyAt: number | null = null;
  for (let at = start; at < text.length; line += 1) {
    const record = rowAt(text, at, separator, keyAt);
    const { cells } = record;
    rows.push({ line, isHidden: false, cells });
    if (keyAt === null && cells.some((cell) => typeof cell === 'string' && cell.trim() !== ''))
      keyAt = cells.findIndex((cell) => typeof cell === 'string' && headings.isKey(cell));
    at = record.end;
  }
  return { name: null, rows, hiddenColumns: new Set() };
}

/** The separator by which most headings are known, and of several the one that occurs most. */
function separatorOf(text: string, start: number, headings: KnownHeadings): string {
  // Empty lines may come first.
  const heading = start + Math.max(0, text.slice(start).search(/[^\r\n]/));
  const scoreOf = (separator: string) => {
    const { cells } = recordAt(text, heading, separator);
    const known = cells.filter((cell) => typeof cell === 'string' && headings.isKnown(cell));
    return { separator, known: known.length, cells: cells.length };
  };
  const [first, ...others] = separators.map(scoreOf);
  const better = (a: ReturnType<typeof scoreOf>, b: ReturnType<typeof scoreOf>) =>
    b.known > a.known || (b.known === a.known && b.cells > a.cells) ? b : a;
  return others.reduce(better, first ?? scoreOf(';')).separator;
}

interface Spanning {
  readonly index: number;
  readonly start: number;
}

interface ReadRecord {
  readonly cells: Cell[];
  /** The place of the next record. */
  readonly end: number;
  /** The index of the first cell that has more than one line, and where it begins. */
  readonly spanning: Spanning | null;
}

/**
 * The record at a place. If a quote is not closed on its line, another one further down can make a
 * cell of what is between: then a line that looks like a row is within a cell.
 */
function rowAt(text: string, start: number, separator: string, keyAt: number | null): ReadRecord {
  const record = recordAt(text, start, separator);
  const { cells, end, spanning } = record;
  if (!spanning || keyAt === null) return record;
  const lines = text.slice(start, end).split(/\r\n|\n|\r/);
  const keys = lines.map((line) => line.split(separator)[keyAt] ?? '');
  if (!cells.some(isFault) && isOneRow(cells[keyAt] ?? '', keys)) return record;
  return openRecord(text, cells.slice(0, spanning.index), spanning.start);
}

/** @param keys what stands in the column of the case's number in each line */
function isOneRow(key: Cell, keys: readonly string[]): boolean {
  if (typeof key !== 'string' || /[\r\n]/.test(key)) return false;
  const forms = keys.map(formOf).filter((form) => form.includes('0'));
  const form = formOf(key);
  if (form === '') return forms.length === 0;
  return form.includes('0') && forms.filter((one) => one === form).length < 2;
}

/** How a number is built: `SF-2026-000012` is like `SF-2025-7`. */
const formOf = (key: string) =>
  key
    .replaceAll(/["\s]/g, '')
    .replaceAll(/\p{L}+/gu, 'A')
    .replaceAll(/\d+/g, '0');

function recordAt(text: string, start: number, separator: string): ReadRecord {
  const cells: Cell[] = [];
  let spanning: Spanning | null = null;
  for (let at = start; ; at += separator.length) {
    const cell = quotedAt(text, at, separator) ?? plainAt(text, at, separator);
    if (cell === null) return { ...openRecord(text, cells, at), spanning };
    if (spanning === null && /[\r\n]/.test(cell.text))
      spanning = { index: cells.length, start: at };
    cells.push(cell.text);
    at = cell.end;
    if (!text.startsWith(separator, at)) return { cells, end: behindLineEnd(text, at), spanning };
  }
}

/** A record whose last cell begins with a quote that is not closed. */
function openRecord(text: string, cells: readonly Cell[], start: number): ReadRecord {
  const end = lineEndFrom(text, start);
  const open: Cell = { fault: 'open_quote', shown: text.slice(start, end) };
  return { cells: [...cells, open], end: behindLineEnd(text, end), spanning: null };
}

interface TextCell {
  readonly text: string;
  /** The place of the separator or line end behind it. */
  readonly end: number;
}

/** The cell in quotes at this place; null if no quote closes it. Blanks may follow the quote. */
function quotedAt(text: string, start: number, separator: string): TextCell | null {
  if (text[start] !== '"') return null;
  let close = text.indexOf('"', start + 1);
  while (close >= 0 && text[close + 1] === '"') close = text.indexOf('"', close + 2);
  if (close < 0) return null;
  let end = close + 1;
  while (text[end] === ' ') end += 1;
  const isEnd = end === text.length || /[\r\n]/.test(text[end] ?? '');
  if (!isEnd && !text.startsWith(separator, end)) return null;
  return { text: text.slice(start + 1, close).replaceAll('""', '"'), end };
}

/**
 * The cell without quotes around it. A quote within it is an ordinary character, as in: 15" rims.
 * @returns null if it begins with a quote that has no other
 */
function plainAt(text: string, start: number, separator: string): TextCell | null {
  let end = start;
  while (!isLineEnd(text, end) && !text.startsWith(separator, end)) end += 1;
  const cell = text.slice(start, end);
  const isOpen = cell.trimStart().startsWith('"') && cell.split('"').length % 2 === 0;
  return isOpen ? null : { text: cell, end };
}

const isLineEnd = (text: string, at: number) =>
  at >= text.length || text[at] === '\r' || text[at] === '\n';

function lineEndFrom(text: string, start: number): number {
  let end = start;
  while (!isLineEnd(text, end)) end += 1;
  return end;
}

const behindLineEnd = (text: string, end: number) => end + (text.startsWith('\r\n', end) ? 2 : 1);
