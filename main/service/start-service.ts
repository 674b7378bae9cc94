import { join, resolve } from 'node:path';
import type { Logger } from 'pino';
import { openLog } from '../front/log.ts';
import { openBucket, storeAt } from '../front/process.ts';
import { createServerMetrics } from '../front/status/server-metrics.ts';
import { runService, type RunningService } from './app.ts';
import { credentialsFile, credentialsTable } from './organizations/credentials.ts';
import type { ServerOptions } from './server-options.ts';

/** How often the making of practice claims is logged. */
const progressEveryMs = 5000;

/** A service, and where its credentials are. */
interface StartedService extends RunningService {
  readonly credentialsPath: string;
}

/**
 * Starts a service with the options of its program, in this thread.
 * @throws {StartError} as `runService` does
 */
export async function startService(options: ServerOptions): Promise<StartedService> {
  const directory = resolve(options.data);
  const { demo } = options;
  const credentialsPath = join(directory, 'credentials.json');
  const service = await runService({
    directory,
    limits: options.limits,
    ...storeAt(options.database),
    credentialsStorage: ({ db, address }) =>
      options.database === undefined
        ? credentialsFile(credentialsPath, address)
        : credentialsTable(db),
    objects: await openBucket(options.documents),
    log: openLog(options),
    metrics: createServerMetrics('service'),
    statusPort: options.statusPort,
    backoffice: options.backoffice,
    listen: options,
    ...(demo !== undefined && {
      seed: async (context, { insurer, expert }) => {
        const { seedPracticeData } = await import('./practice/seed.ts');
        const what = {
          count: demo,
          seed: options.demoSeed,
          language: 'de' as const,
          insurer,
          expert,
        };
        await seedPracticeData(context, what, progressOf(context.log, demo));
      },
    }),
  });
  // The file is written at each start, because the port may have changed.
  await credentialsFile(credentialsPath, service.context.address).write(service.credentials);
  return { ...service, credentialsPath };
}

/** Logs from time to time how many practice claims are made. */
function progressOf(log: Logger, of: number): (claims: number) => void {
  let loggedMs = performance.now();
  return (claims) => {
    if (performance.now() - loggedMs < progressEveryMs) return;
    loggedMs = performance.now();
    log.info({ claims, of }, 'making practice claims');
  };
}
