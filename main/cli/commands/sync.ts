import { setTimeout as sleep } from 'node:timers/promises';
import { DeskError } from '#shared/desk/errors.ts';
import type { DocumentScope, SyncResult } from '#shared/desk/sync.ts';
import { addDays, zurichDay } from '#shared/lib/zurich-day.ts';
import type { Command, CommandContext } from '../command.ts';
import { withProgress } from '../progress.ts';
import { exitCodeOf, exitCodes } from '#main/shell/exit-codes.ts';

export interface SyncArguments {
  readonly documents: DocumentScope;
  readonly watch?: boolean;
}

/** Between two rounds of --watch. */
const watchIntervalMs = 30_000;

/** One round, or one after another until it is interrupted: pull, deliver, fetch documents. */
export function sync(args: SyncArguments): Command {
  return async (context) => {
    await withProgress(context, async () => {
      if (args.watch) await Promise.race([watch(args.documents, context), fired(context.signal)]);
      else {
        await round(args.documents, context);
        // No window stays open in which they could be read later.
        if (args.documents !== 'none') await context.engine.readTexts();
      }
    });
  };
}

async function round(documents: DocumentScope, { engine, output }: CommandContext) {
  const result = await engine.sync.run({ documents });
  const count = (name: keyof SyncResult) => String(result[name]);
  output.result(
    { event: 'synced', ...result },
    () =>
      `${count('pulled')} cases read, ${count('delivered')} entries delivered, ${count('documents')} documents fetched; ${count('waiting')} waiting, ${count('attention')} need attention.`,
  );
}

async function watch(documents: DocumentScope, context: CommandContext): Promise<void> {
  const { signal, output } = context;
  while (!signal.aborted) {
    try {
      await round(documents, context);
    } catch (error) {
      // Waiting for the network is what watching is for; everything else needs a person.
      if (!(error instanceof DeskError) || exitCodeOf(error.code) !== exitCodes.offline)
        throw error;
      output.problem(error.toProblem());
    }
    await sleep(watchIntervalMs, undefined, { signal }).catch(() => undefined);
  }
}

export interface ReadyArguments {
  readonly from?: string;
  readonly to?: string;
}

/** Whether everything that some days take is here, after it was fetched. Ends with 1 if not all is. */
export function ready(args: ReadyArguments): Command {
  return async (context) => {
    const { engine, output, endWith } = context;
    const from = args.from ?? zurichDay(Date.now());
    const to = args.to ?? addDays(from, 1);
    const found = await withProgress(context, () => engine.day.makeReady({ from, to }));
    output.result({ event: 'ready', ...found }, () => {
      const missing = found.missing.map(
        ({ externalKey, documents }) =>
          `${externalKey}: ${documents?.join(', ') ?? 'its list of documents'}`,
      );
      const here = `${String(found.complete)} of ${String(found.cases)} cases are complete.`;
      return [here, ...missing].join('\n');
    });
    if (found.problem) throw new DeskError(found.problem.code, found.problem.params);
    if (found.missing.length > 0) endWith(exitCodes.failed);
  };
}

function fired(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
