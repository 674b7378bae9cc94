/** The practice service's thread, started by practice-thread.ts. */
import { parentPort, workerData } from 'node:worker_threads';
import { DeskError, type DeskProblem, diskProblem } from '#shared/desk/contract/errors.ts';
import { createLog } from '../front/log.ts';
import { credentialsTable } from './organizations/credentials.ts';
import type {
  InsurerAnswer,
  InsurerCall,
  PracticeOptions,
  PracticeReport,
} from './practice-thread.ts';
import type { Insurer } from './practice/insurer.ts';
import { runService } from './app.ts';
import { systemClock } from '../front/clock.ts';

const drainMs = 2000;

// The cast is safe, because only practice-thread.ts starts this file, with these options.
const options = workerData as PracticeOptions;

try {
  const service = await runService({
    directory: options.dataDir,
    storeKey: options.storeKey,
    limits: options.limits,
    clock: systemClock,
    log: createLog('silent'),
    backoffice: true,
    docsPage: false,
    listen: { host: '127.0.0.1', port: 0 },
    credentialsStorage: ({ db }) => credentialsTable(db),
    async seed(context, { insurer, expert }) {
      const { seedPracticeData } = await import('./practice/seed.ts');
      await seedPracticeData(context, {
        visibleCases: options.count,
        seed: options.seed,
        language: options.language,
        insurer,
        expert,
      });
    },
  });
  let insurer: Insurer | undefined;
  parentPort?.on('message', (message: 'stop' | InsurerCall) => {
    if (message === 'stop') {
      void service.stop(drainMs).then(() => parentPort?.close());
      return;
    }
    void (async () => {
      // The module is loaded lazily, because few users play the insurer.
      const { createInsurer } = await import('./practice/insurer.ts');
      const { worldOf } = await import('./practice/worlds/world-of.ts');
      insurer ??= createInsurer(service.context, service.credentials, worldOf(options.language));
      parentPort?.postMessage(await answer(insurer, message));
    })();
  });
  const { credentials } = service;
  report({
    event: 'listening',
    listening: {
      baseUrl: service.baseUrl,
      audience: service.context.address.audience,
      expert: credentials.expert,
      insurer: credentials.insurer,
      backofficeToken: credentials.backoffice.token,
    },
  });
} catch (error) {
  const message = error instanceof Error ? error.message : 'unknown';
  report({ event: 'failed', message, problem: problemOf(error) });
}

/** The problem of an error, or of what caused it; null if the disk is not the reason. */
function problemOf(error: unknown): DeskProblem | null {
  for (let at = error; at instanceof Error; at = at.cause) {
    const problem = diskProblem(at)?.problem;
    if (problem) return problem;
  }
  return null;
}

function report(message: PracticeReport): void {
  parentPort?.postMessage(message);
}

/** The arguments and results of the insurer's functions, so that a call by name has types. */
type Functions = {
  readonly [Name in keyof Insurer]: (...args: Parameters<Insurer[Name]>) => Promise<unknown>;
};

async function answer<Name extends keyof Insurer>(
  functions: Functions,
  { id, name, args }: InsurerCall<Name>,
): Promise<InsurerAnswer> {
  try {
    return { id, value: await functions[name](...args) };
  } catch (error) {
    const problem = error instanceof DeskError ? error : new DeskError('internal');
    return { id, problem: problem.problem };
  }
}
