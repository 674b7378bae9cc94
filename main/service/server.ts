import { join, resolve } from 'node:path';
import { routes } from '#shared/api/routes.ts';
import { createDatabaseClock, systemClock } from '../front/clock.ts';
import type { ServiceContext } from './context.ts';
import { ObjectStorageUnusableError, type ObjectStore } from '../front/contents/object-store.ts';
import { createLog, describeError } from '../front/log.ts';
import { credentialsFile, credentialsTable } from './organizations/credentials.ts';
import { DirectoryInUseError, runService, type RunningService } from './run-service.ts';
import { parseServerOptions, UsageError, type ServerOptions } from './server-options.ts';
import { DatabaseUnusableError } from '../front/store/shared-store.ts';

/*
 * `npm run service`: prints its addresses on stdout when it listens, or one sentence on stderr, and
 * runs until a signal.
 */

/** SIGTERM ends the service within 5 s. Requests have this time to complete, */
const drainMs = 4000;
/** and the whole, with closing a store that may wait for another process, this time. */
const endMs = 4700;

try {
  const options = parseServerOptions(process.argv.slice(2), (text) => process.stderr.write(text));
  // Files in the data folder are readable by their owner only.
  process.umask(0o077);
  const directory = resolve(options.data);
  const service = await start(options, directory);
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
  endOnSignal(service);
} catch (error) {
  if (error instanceof UsageError) process.exitCode = error.exitCode;
  else fail(error);
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

async function openBucket(location: ServerOptions['documents']): Promise<ObjectStore | undefined> {
  if (!location) return undefined;
  const { openS3Store } = await import('../front/contents/s3-store.ts');
  return openS3Store({ location });
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

function endOnSignal(service: RunningService): void {
  let ending: Promise<void> | undefined;
  const end = () => {
    ending ??= Promise.race([service.stop(drainMs).catch(fail), late()]).then(() => process.exit());
  };
  process.on('SIGTERM', end);
  process.on('SIGINT', end);
}

/** Resolves when the time is over; the store rolls back what is open then. */
function late(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, endMs));
}

function fail(error: unknown): void {
  process.exitCode = 1;
  process.stderr.write(`${sentenceOf(error)}\n`);
}

function sentenceOf(error: unknown): string {
  const isSentence = [DirectoryInUseError, DatabaseUnusableError, ObjectStorageUnusableError].some(
    (kind) => error instanceof kind,
  );
  if (isSentence && error instanceof Error) return `${error.message}.`;
  const code: unknown = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'EADDRINUSE') return 'The port is in use; choose another with --port.';
  if (code === 'EACCES' || code === 'EPERM') {
    return 'The data folder or the port may not be used by this user.';
  }
  return error instanceof Error
    ? `The service could not start: ${error.message}. ${describeError(error).at[0]?.trim() ?? ''}`
    : 'The service could not start.';
}
