import { sayBytes, sayProblem } from '#shared/desk/error-text.ts';
import type { DeskEvent } from '#shared/desk/events.ts';
import type { CommandContext } from './command.ts';
import type { CliTexts } from './texts/texts.ts';

const barWidth = 24;

/** A bar for a terminal: `[========                ] 33 %`. */
export function progressBar(done: number, total: number): string {
  const share = total > 0 ? Math.min(1, Math.max(0, done / total)) : 1;
  const filled = Math.round(share * barWidth);
  const percent = `${String(Math.floor(share * 100))} %`;
  return `[${'='.repeat(filled)}${' '.repeat(barWidth - filled)}] ${percent.padStart(5)}`;
}

/** Runs a task and shows on stderr how far it is, where that is a terminal. */
export async function tellProgress<Result>(
  context: CommandContext,
  task: () => Promise<Result> | Result,
): Promise<Result> {
  const { engine, output } = context;
  const told = new AbortController();
  const events = engine.events(told.signal);
  const telling = (async () => {
    for await (const event of events) {
      const text = sayEvent(event, context);
      if (text !== null) output.progress(text);
    }
  })();
  try {
    return await task();
  } finally {
    told.abort();
    await telling;
  }
}

function sayEvent(event: DeskEvent, context: CommandContext): string | null {
  const { texts, language } = context;
  if (event.type === 'task.progress') {
    const { task, done, total } = event;
    return `${texts.progress.tasks[task]} ${progressBar(done, total)}`;
  }
  if (event.type === 'queue.progress') {
    const { id, sentBytes, totalBytes } = event;
    const size = sayBytes(totalBytes, language);
    return `${texts.progress.uploading(id)} ${progressBar(sentBytes, totalBytes)} ${size}`;
  }
  if (event.type !== 'sync.changed') return null;
  const { status } = event;
  if (status.phase !== 'idle' && status.problem?.code === 'rate_limited') {
    return sayProblem(status.problem, language);
  }
  const left = sayRemaining(status.remainingMs, texts);
  switch (status.phase) {
    case 'pulling': {
      const said = texts.progress.pulling(status.pulled, status.pullTotal);
      if (status.pullTotal === null) return said;
      return `${said} ${progressBar(status.pulled, status.pullTotal)}${left}`;
    }
    case 'delivering':
      return texts.progress.delivering(status.waiting) + left;
    case 'fetching':
      return `${texts.progress.fetching} ${progressBar(status.fetched, status.fetchTotal)}${left}`;
    case 'idle':
      return '';
  }
}

/** By the limits, from which on it is worth saying; seconds would count down too restlessly. */
function sayRemaining(ms: number | null, texts: CliTexts): string {
  if (ms === null || ms < 5000) return '';
  const seconds = Math.ceil(ms / 5000) * 5;
  return `, ${seconds < 90 ? texts.progress.seconds(seconds) : texts.progress.minutes(Math.ceil(seconds / 60))}`;
}
