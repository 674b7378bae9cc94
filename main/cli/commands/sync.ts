import { setTimeout as sleep } from 'node:timers/promises';
import { DeskError, type DeskProblem, paramOf } from '#shared/desk/contract/errors.ts';
import { readinessStatement } from '#shared/desk/delivery/statements.ts';
import type { DocumentScope } from '#shared/desk/delivery/sync.ts';
import { sayReadiness } from '#shared/i18n/say-statement.ts';
import { addDays, zurichDay } from '#shared/lib/zurich-day.ts';
import type { Command, CommandContext } from '../command.ts';
import { presentTime } from '../desk-time.ts';
import { withProgress } from '../output.ts';
import { type ExitCode, exitCodeOf, exitCodes } from '#main/shell/exit-codes.ts';

export interface SyncArguments {
  readonly documents: DocumentScope;
  readonly watch?: boolean;
}

/** The time between two rounds of --watch. */
const watchIntervalMs = 30_000;

/** Runs one round, or rounds until it is interrupted: pull, deliver, fetch documents. */
export function sync(args: SyncArguments): Command {
  return async (context) => {
    await withProgress(context, async () => {
      if (args.watch) await Promise.race([watch(args.documents, context), fired(context.signal)]);
      else {
        const run = { documents: args.documents, isAutomatic: false };
        const isPaused = await round(run, context);
        if (isPaused) context.endWith(exitCodes.wait);
        // The texts are read now, because no window stays open to read them later.
        if (args.documents !== 'none') await context.engine.readTexts();
      }
    });
  };
}

/** @returns whether the partner requests a wait of more than a minute */
async function round(
  run: { documents: DocumentScope; isAutomatic: boolean },
  { engine, output, endWith }: CommandContext,
): Promise<boolean> {
  const { fault, incomplete, ...result } = await engine.sync.run(run);
  const status = await engine.sync.status();
  const { problem, notices, clock } = status;
  presentTime(status, output);
  const pause =
    [problem, incomplete].find((found) => found?.code === 'rate_limited' && isLong(found)) ?? null;
  const count = (name: keyof typeof result) => String(result[name]);
  if (fault) endWith(exitCodeOf(fault.code));
  else if (incomplete) endWith(exitCodes.failed);
  for (const notice of new Set([fault, incomplete, pause, ...notices]))
    if (notice) output.notice(notice);
  output.result(
    {
      // A list that was not read completely is never reported as synced.
      event: incomplete ? 'incomplete' : 'synced',
      ...result,
      ...(incomplete && { incomplete: incompleteReason(incomplete), problem: incomplete }),
      ...(notices.length > 0 && { notices }),
      ...(clock && { clock }),
      ...(pause && { until: paramOf(pause, 'until') }),
      ...(fault && { fault }),
    },
    () =>
      `Cases read: ${count('pulled')}, entries delivered: ${count('delivered')}, documents downloaded: ${count('documents')}, waiting: ${count('waiting')}, needing attention: ${count('attention')}.`,
  );
  return pause !== null;
}

/** The reason of an incomplete list; for any other failure, its code. */
const incompleteReason = (problem: DeskProblem) =>
  problem.code === 'list_incomplete' ? problem.params.reason : problem.code;

/** Whether the pause is long. The command waits for the end of a shorter one. */
const isLong = (problem: DeskProblem) => Number(paramOf(problem, 'retryAfterS')) > 60;

/**
 * With --watch the command waits for the network and the partner. Any other failure needs the user.
 */
const waited: readonly ExitCode[] = [exitCodes.offline, exitCodes.wait];

async function watch(documents: DocumentScope, context: CommandContext): Promise<void> {
  const { signal, output } = context;
  output.repeats = true;
  let isAutomatic = false;
  while (!signal.aborted) {
    let pauseMs = 0;
    try {
      await round({ documents, isAutomatic }, context);
      isAutomatic = true;
    } catch (error) {
      if (!(error instanceof DeskError) || !waited.includes(exitCodeOf(error.code))) throw error;
      output.problem(error.problem);
      pauseMs = Number(paramOf(error, 'retryAfterS') ?? 0) * 1000;
    }
    const delayMs = Math.max(watchIntervalMs, pauseMs);
    await sleep(delayMs, undefined, { signal }).catch(() => undefined);
  }
}

export interface ReadyArguments {
  readonly from?: string;
  readonly to?: string;
}

/**
 * Fetches what some days need and reports whether it is complete. It ends with 1 if something is
 * missing.
 */
export function ready(args: ReadyArguments): Command {
  return async (context) => {
    const { engine, output, endWith, language } = context;
    const nowMs = presentTime(await engine.sync.status(), output);
    const from = args.from ?? zurichDay(nowMs);
    const to = args.to ?? addDays(from, 1);
    const found = await withProgress(context, () => engine.day.makeReady({ from, to }));
    output.result({ event: 'ready', ...found }, () => {
      const missing = found.missing.map(
        ({ externalKey, documents }) =>
          `${externalKey}: ${documents?.join(', ') ?? 'its list of documents'}`,
      );
      return [sayReadiness(readinessStatement(found), language, nowMs), ...missing].join('\n');
    });
    const problem = found.problem ?? found.listProblem;
    if (problem) throw DeskError.of(problem);
    if (found.missing.length > 0) endWith(exitCodes.failed);
  };
}

function fired(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
