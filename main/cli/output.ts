import type { DeskProblem } from '#shared/desk/contract/errors.ts';
import { inFrancs } from '#shared/desk/cases/amounts.ts';
import { activityStatement } from '#shared/desk/delivery/statements.ts';
import { sayProblem, sayBytes } from '#shared/desk/contract/error-text.ts';
import type { WorkBackup } from '#shared/desk/setup/work-package.ts';
import type { Language } from '#shared/desk/setup/workspace.ts';
import { escapeHidden, visibleText } from '#shared/lib/visible-text.ts';
import type { DeskEvent } from '#shared/desk/contract/events.ts';
import type { Engine } from '#main/engine/engine.ts';

/** The streams of a command. Results are written to stdout, everything else to stderr. */
export interface Streams {
  readonly stdout: { write(text: string): unknown };
  readonly stderr: { write(text: string): unknown; readonly isTTY?: boolean };
}

/** The offered backup of damaged work; its id is null if none is sound. */
export type Damaged = WorkBackup | { readonly id: null };

interface Column<Item> {
  readonly title: string;
  readonly of: (item: Item) => string;
}

export interface Output {
  readonly json: boolean;
  /** Writes the command's result: one JSON line, or the sentence or table for the user. */
  result(value: object, forPerson: () => string): void;
  /** @param more further members of the JSON line */
  list<Item>(
    items: readonly Item[],
    total: number,
    columns: readonly Column<Item>[],
    more?: object,
  ): void;
  /** Shows progress in one line on a terminal. It is silent elsewhere and with --json. */
  progress(text: string): void;
  /** Writes a problem as a sentence on stderr; with --json also as an `error` line on stdout. */
  problem(problem: DeskProblem, extra?: object): void;
  /**
   * Writes a problem that stopped nothing as a sentence on stderr; programs find it in the result.
   */
  notice(problem: DeskProblem): void;
  /** Writes a sentence for the user on stderr; programs find the same in the result. */
  remark(text: string): void;
  usage(message: string): void;
  /** The backup of undelivered work that was set aside. From now on every JSON line names it. */
  damaged: Damaged | null;
  /** Whether the command continues until it is interrupted, and tries again automatically. */
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
    const json = JSON.stringify(inFrancs({ ...value, ...(damaged && { damaged }) }));
    stdout.write(`${escapeHidden(json)}\n`);
  };
  const fail = (code: string, message: string, extra: object) => {
    clearProgress();
    stderr.write(`${plain(message)}\n`);
    if (json) line({ event: 'error', code, message, ...extra });
  };
  const output: Output = {
    json,
    damaged: null,
    repeats: false,
    result(value, forPerson) {
      clearProgress();
      if (json) line(value);
      else stdout.write(`${plain(forPerson())}\n`);
    },
    list(items, total, columns, more = {}) {
      clearProgress();
      if (json) line({ items, total, ...more });
      else stdout.write(table(items, columns));
    },
    progress(text) {
      if (json || stderr.isTTY !== true) return;
      stderr.write(`\r\u001B[K${printable(text)}`);
      isProgressShown = true;
    },
    problem: (problem, extra = {}) => fail(problem.code, say(problem), extra),
    notice(problem) {
      clearProgress();
      stderr.write(`${plain(say(problem))}\n`);
    },
    remark(text) {
      clearProgress();
      if (!json) stderr.write(`${plain(text)}\n`);
    },
    usage: (message) => fail('usage', message, {}),
  };
  return output;
}

/**
 * Formats a plain table: a heading, then one line per item. It has no borders, so that other
 * programs can process it.
 */
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

/**
 * A text with what a server wrote, for a terminal: it cannot move the cursor, give commands to the
 * terminal, or turn the text around.
 */
const plain = (text: string): string => visibleText(text).replaceAll(/\r(?!\n)/g, ' ');

/** The same for a part of a line. */
const printable = (text: string): string => visibleText(text).replaceAll(/\p{Cc}+/gu, ' ');

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
  report: 'Downloading the report',
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
  const status = { ...event.status, phase: activityStatement(event.status) };
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
      return status.listTotal > 0
        ? `Reading lists of documents ${progressBar(status.listsRead, status.listTotal)}${left}`
        : `Downloading documents ${progressBar(status.fetched, status.fetchTotal)}${left}`;
    case 'idle':
      return '';
  }
}

/** The time is shown in steps of five seconds, because a countdown in seconds would distract. */
function remaining(ms: number | null): string {
  if (ms === null || ms < 5000) return '';
  const seconds = Math.ceil(ms / 5000) * 5;
  const left = seconds < 90 ? `${String(seconds)} s` : `${String(Math.ceil(seconds / 60))} min`;
  return `, at least ${left} more`;
}
