import type { DeskProblem } from '#shared/desk/errors.ts';
import { inFrancs } from '#shared/desk/amounts.ts';
import { sayProblem, sayBytes } from '#shared/desk/error-text.ts';
import type { WorkBackup } from '#shared/desk/work-package.ts';
import type { Language } from '#shared/desk/workspace.ts';
import type { DeskEvent } from '#shared/desk/events.ts';
import type { Engine } from '#main/engine/engine.ts';

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
  /** The command's result: one JSON line, or the sentence or table for the user. */
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
  /** A sentence on stderr for the user; programs find the same in the result. */
  remark(text: string): void;
  usage(message: string): void;
  /** Undelivered work was put aside: every line for programs names the backup from now on. */
  damaged: Damaged | null;
  /** The command goes on until it is interrupted, and tries again by itself. */
  repeats: boolean;
}

/** The output of one command, for programs (`json`) or for the user. */
export function createOutput(
  streams: Streams,
  json: boolean,
  { language, commandName }: { readonly language: Language; readonly commandName: string },
): Output {
  const say = (problem: DeskProblem) =>
    sayProblem(problem, language, { command: commandName, isEnding: !output.repeats });
  const { stdout, stderr } = streams;
  let isProgressShown = false;
  const clearProgress = () => {
    if (isProgressShown) stderr.write('\r\u001B[K');
    isProgressShown = false;
  };
  const line = (value: object) => {
    const { damaged } = output;
    stdout.write(`${JSON.stringify(inFrancs({ ...value, ...(damaged && { damaged }) }))}\n`);
  };
  const fail = (code: string, message: string, extra: object) => {
    clearProgress();
    stderr.write(`${message}\n`);
    if (json) line({ event: 'error', code, message, ...extra });
  };
  const output: Output = {
    json,
    damaged: null,
    repeats: false,
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
    problem: (problem, extra = {}) => fail(problem.code, say(problem), extra),
    notice(problem) {
      clearProgress();
      stderr.write(`${say(problem)}\n`);
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

const barWidth = 24;

/** A bar for a terminal: `[========                ] 33 %`. */
export function progressBar(done: number, total: number): string {
  const share = total > 0 ? Math.min(1, Math.max(0, done / total)) : 1;
  const filled = Math.round(share * barWidth);
  const percent = `${String(Math.floor(share * 100))} %`;
  return `[${'='.repeat(filled)}${' '.repeat(barWidth - filled)}] ${percent.padStart(5)}`;
}

/** Runs a task and shows its progress on stderr, if that is a terminal. */
export async function withProgress<Result>(
  context: {
    readonly engine: Pick<Engine, 'events'>;
    readonly output: Pick<Output, 'progress'>;
    readonly language: Language;
  },
  task: () => Promise<Result>,
): Promise<Result> {
  const { engine, output, language } = context;
  const over = new AbortController();
  const events = engine.events(over.signal);
  const showing = (async () => {
    for await (const event of events) {
      const text = progressOf(event, language);
      if (text !== null) output.progress(text);
    }
  })();
  try {
    return await task();
  } finally {
    over.abort();
    await showing;
  }
}

const tasks = {
  backup: 'Packing',
  restore: 'Taking over',
  batch: 'Reading files',
  export: 'Writing cases',
  report: 'Fetching the report',
  ready: 'Checking the days',
};

function progressOf(event: DeskEvent, language: Language): string | null {
  if (event.type === 'task.progress')
    return `${tasks[event.task]} ${progressBar(event.done, event.total)}`;
  if (event.type === 'queue.progress') {
    const { id, sentBytes, totalBytes } = event;
    const bar = progressBar(sentBytes, totalBytes);
    return `Uploading entry ${String(id)} ${bar} ${sayBytes(totalBytes, 'en')}`;
  }
  if (event.type !== 'sync.changed') return null;
  const { status } = event;
  if (status.phase !== 'idle' && status.problem?.code === 'rate_limited')
    return sayProblem(status.problem, language);
  const left = remaining(status.remainingMs);
  switch (status.phase) {
    case 'pulling': {
      const read = `Reading cases: ${String(status.pulled)}`;
      if (status.pullTotal === null) return read;
      const bar = progressBar(status.pulled, status.pullTotal);
      return `${read} of ${String(status.pullTotal)} ${bar}${left}`;
    }
    case 'delivering':
      return `Delivering: ${String(status.waiting)} waiting${left}`;
    case 'fetching':
      return `Fetching documents ${progressBar(status.fetched, status.fetchTotal)}${left}`;
    case 'idle':
      return '';
  }
}

/** In steps of five seconds: single ones would count down too restlessly. */
function remaining(ms: number | null): string {
  if (ms === null || ms < 5000) return '';
  const seconds = Math.ceil(ms / 5000) * 5;
  const left = seconds < 90 ? `${String(seconds)} s` : `${String(Math.ceil(seconds / 60))} min`;
  return `, at least ${left} more`;
}
