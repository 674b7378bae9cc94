import { sayBytes, sayProblem } from '#shared/desk/error-text.ts';
import type { DeskEvent } from '#shared/desk/events.ts';
import type { Language } from '#shared/desk/workspace.ts';
import type { CommandContext } from './command.ts';

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
  { engine, output, language }: CommandContext,
  task: () => Promise<Result>,
): Promise<Result> {
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
