import { join, resolve } from 'node:path';
import { routes } from '#shared/api/routes.ts';
import { createDatabaseClock, systemClock } from '../front/clock.ts';
import type { ServiceContext } from './context.ts';
import { createLog } from '../front/log.ts';
import { credentialsFile, credentialsTable } from './organizations/credentials.ts';
import { endOnSignal, fail, openBucket } from '../front/process.ts';
import { runService, type RunningService } from './app.ts';
import { UsageError } from '../front/command-line.ts';
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
  const { address } = service.context;
  process.stdout.write(
    `${JSON.stringify({
      event: 'listening',
      baseUrl: service.baseUrl,
      tokenUrl: address.publicUrl + routes.token.path,
      audience: address.audience,
      credentials: join(directory, 'credentials.json'),
    })}\n`,
  );
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
    ...storeOptions(options.database, file),
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

/** A store in the data folder; or a database, whose clock all of its processes use. */
function storeOptions(url: string | undefined, file: string) {
  if (url === undefined) {
    return {
      clock: systemClock,
      keeperOf: ({ address }: ServiceContext) => credentialsFile(file, address),
    };
  }
  const clock = createDatabaseClock(systemClock);
  return {
    clock,
    database: { url, onTime: (nowMs: number) => clock.set(nowMs) },
    keeperOf: ({ db }: ServiceContext) => credentialsTable(db),
  };
}
