import { join, resolve } from 'node:path';
import type { Logger } from 'pino';
import { UsageError } from '#shared/lib/usage-error.ts';
import { openLog } from '../front/log.ts';
import { createServerMetrics } from '../front/status/server-metrics.ts';
import { credentialsFile, credentialsTable } from './organizations/credentials.ts';
import { endOnSignal, fail, openBucket, printListening, storeAt } from '../front/process.ts';
import { runService, type RunningService } from './app.ts';
import { parseServerOptions, type ServerOptions } from './server-options.ts';

/*
 * The program of `npm run service`. It prints its addresses on stdout when it listens, or one
 * sentence on stderr, and runs until a signal.
 */

/** How often the making of practice claims is logged. */
const progressEveryMs = 5000;

try {
  const options = parseServerOptions(process.argv.slice(2), (text) => process.stderr.write(text));
  // Files in the data folder are readable by their owner only.
  process.umask(0o077);
  const directory = resolve(options.data);
  const endServer = endOnSignal('service');
  const service = await start(options, directory);
  endServer(service);
  const { statusUrl } = service;
  const credentials = join(directory, 'credentials.json');
  printListening(service, { credentials, ...(statusUrl !== undefined && { statusUrl }) });
} catch (error) {
  if (error instanceof UsageError) process.exitCode = error.exitCode;
  else fail(error, 'service');
}

async function start(options: ServerOptions, directory: string): Promise<RunningService> {
  const { demo } = options;
  const file = join(directory, 'credentials.json');
  const service = await runService({
    directory,
    limits: options.limits,
    ...storeAt(options.database),
    credentialsStorage: ({ db, address }) =>
      options.database === undefined ? credentialsFile(file, address) : credentialsTable(db),
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
  await credentialsFile(file, service.context.address).write(service.credentials);
  return service;
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
