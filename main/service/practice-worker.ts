/** The practice service's thread, started by practice-thread.ts. */
import { parentPort, workerData } from 'node:worker_threads';
import { DeskError } from '#shared/desk/errors.ts';
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

// The cast is sound, because only practice-thread.ts starts this file, with these options.
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
      // Lazily, because few people play the insurer.
      const { createInsurer } = await import('./practice/insurer.ts');
      insurer ??= createInsurer(service.context, service.credentials);
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
  report({ event: 'failed', message: error instanceof Error ? error.message : 'unknown' });
}

function report(message: PracticeReport): void {
  parentPort?.postMessage(message);
}

/** The insurer's functions as arguments and result, so that a call by name is typed. */
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
