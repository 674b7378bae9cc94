/** The practice service's thread; started by practice-thread.ts and talks to nobody else. */
import { parentPort, workerData } from 'node:worker_threads';
import { createLog } from './log.ts';
import { credentialsTable } from './organizations/credentials-table.ts';
import type { PracticeOptions, PracticeReport } from './practice-messages.ts';
import { runService } from './running-service.ts';
import { systemClock } from './system-clock.ts';

const drainMs = 2000;

// Only practice-thread.ts starts this file, and its types say what it passes.
const options = workerData as PracticeOptions;

try {
  const service = await runService({
    directory: options.dataDir,
    storeKey: options.storeKey,
    limits: options.limits,
    clock: systemClock,
    log: createLog('silent'),
    backoffice: true,
    listen: { host: '127.0.0.1', port: 0 },
    keeperOf: ({ db }) => credentialsTable(db),
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
  parentPort?.once('message', () => void service.stop(drainMs).then(() => parentPort?.close()));
  const { expert, insurer, backoffice } = service.credentials;
  report({
    event: 'listening',
    listening: {
      baseUrl: service.baseUrl,
      audience: service.context.address.audience,
      expert,
      insurer,
      backofficeToken: backoffice.token,
    },
  });
} catch (error) {
  report({ event: 'failed', message: error instanceof Error ? error.message : 'unknown' });
}

function report(message: PracticeReport): void {
  parentPort?.postMessage(message);
}
