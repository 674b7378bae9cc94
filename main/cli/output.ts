import type { DeskProblem } from '#shared/desk/errors.ts';
import { sayProblem } from '#shared/desk/error-text.ts';
import type { WorkBackup } from '#shared/desk/work-package.ts';
import type { Language } from '#shared/desk/workspace.ts';

/** Results go to stdout, everything else to stderr. */
export interface Streams {
  readonly stdout: { write(text: string): unknown };
  readonly stderr: { write(text: string): unknown; readonly isTTY?: boolean };
}

/** The backup of damaged work that is offered; its id is null if none is sound. */
export type Damaged = WorkBackup | { readonly id: null };

interface Column<Item> {
  readonly title: string;
  readonly of: (item: Item) => string;
}

export interface Output {
  readonly json: boolean;
  /** The command's result: one JSON line, or the sentence or table for a person. */
  result(value: object, forPerson: () => string): void;
  /** @param more further members of the JSON line */
  list<Item>(
    items: readonly Item[],
    total: number,
    columns: readonly Column<Item>[],
    more?: object,
  ): void;
  /** Rewrites itself on a terminal; silent elsewhere and with --json. */
  progress(text: string): void;
  /** A sentence on stderr; with --json also an `error` line on stdout. */
  problem(problem: DeskProblem, extra?: object): void;
  /** A sentence on stderr about what did not stop the command; programs find it in the result. */
  notice(problem: DeskProblem): void;
  /** A sentence on stderr for the person; programs find what it says in the result. */
  remark(text: string): void;
  usage(message: string): void;
  /** Undelivered work was put aside: every line for programs names the backup from now on. */
  damaged: Damaged | null;
}

/** The output of one command, for programs (`json`) or for a person. */
export function createOutput(streams: Streams, json: boolean, language: Language): Output {
  const { stdout, stderr } = streams;
  let isProgressShown = false;
  const clearProgress = () => {
    if (isProgressShown) stderr.write('\r\u001B[K');
    isProgressShown = false;
  };
  const line = (value: object) => {
    const { damaged } = output;
    stdout.write(`${JSON.stringify({ ...value, ...(damaged && { damaged }) })}\n`);
  };
  const fail = (code: string, message: string, extra: object) => {
    clearProgress();
    stderr.write(`${message}\n`);
    if (json) line({ event: 'error', code, message, ...extra });
  };
  const output: Output = {
    json,
    damaged: null,
    result(value, forPerson) {
      clearProgress();
      if (json) line(value);
      else stdout.write(`${forPerson()}\n`);
    },
    list(items, total, columns, more = {}) {
      clearProgress();
      if (json) line({ items, total, ...more });
      else stdout.write(table(items, columns));
    },
    progress(text) {
      if (json || stderr.isTTY !== true) return;
      stderr.write(`\r\u001B[K${text}`);
      isProgressShown = true;
    },
    problem: (problem, extra = {}) => fail(problem.code, sayProblem(problem, language), extra),
    notice(problem) {
      clearProgress();
      stderr.write(`${sayProblem(problem, language)}\n`);
    },
    remark(text) {
      clearProgress();
      if (!json) stderr.write(`${text}\n`);
    },
    usage: (message) => fail('usage', message, {}),
  };
  return output;
}

/** A plain table: a heading, then one line an item; no borders, so that it can be cut and sorted. */
function table<Item>(items: readonly Item[], columns: readonly Column<Item>[]): string {
  const rows = [
    columns.map((column) => column.title),
    ...items.map((item) => columns.map((column) => printable(column.of(item)))),
  ];
  const widths = columns.map((_, at) => Math.max(...rows.map((row) => (row[at] ?? '').length)));
  return rows
    .map((row) => row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join('  '))
    .map((text) => `${text.trimEnd()}\n`)
    .join('');
}

/** A server's text cannot move the cursor or break a line of a terminal. */
function printable(text: string): string {
  return text.replaceAll(/\p{Cc}+/gu, ' ');
}
