import { join, resolve } from 'node:path';
import { UsageError } from '#shared/lib/usage-error.ts';
import { createLog } from '../front/log.ts';
import { credentialsFile, credentialsTable } from './organizations/credentials.ts';
import { endOnSignal, fail, openBucket, printListening, storeAt } from '../front/process.ts';
import { runService, type RunningService } from './app.ts';
import { parseServerOptions, type ServerOptions } from './server-options.ts';

/*
 * `npm run service`: prints its addresses on stdout when it listens, or one sentence on stderr, and
 * runs until a signal.
 */

try {
  const options = parseServerOptions(process.argv.slice(2), (text) => process.stderr.write(text));
  // Files in the data folder are readable by their owner only.
  process.umask(0o077);
  const directory = resolve(options.data);
  const service = await start(options, directory);
  endOnSignal(service, 'service');
  printListening(service, { credentials: join(directory, 'credentials.json') });
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
    log: createLog('info'),
    backoffice: options.backoffice,
    listen: options,
    ...(demo !== undefined && {
      seed: async (context, { insurer, expert }) => {
        const { seedPracticeData } = await import('./practice/seed.ts');
        await seedPracticeData(context, {
          count: demo,
          seed: options.demoSeed,
          insurer,
          expert,
        });
      },
    }),
  });
  // Written at each start, because the port may have changed.
  await credentialsFile(file, service.context.address).write(service.credentials);
  return service;
}
