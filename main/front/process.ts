import { trimEndOf } from '#shared/lib/trim-end.ts';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { routes } from '#shared/api/routes.ts';
import type { ObjectLocation } from './contents/object-location.ts';
import type { ObjectStore } from './contents/s3-store.ts';
import { createDatabaseClock, systemClock } from './clock.ts';
import { originOf } from '#shared/lib/error-origin.ts';
import { StartError } from './problem.ts';
import type { FrontContext } from './context.ts';
import { lockFile } from './store/file-store.ts';

/** The time for open requests after SIGTERM. A server must end within 5 s. */
const drainMs = 4000;
/**
 * The time for the whole end, including the closing of a store that may wait for another process.
 */
const endMs = 4700;

/** Opens the bucket for documents, if there is one. */
export async function openBucket(
  location: ObjectLocation | undefined,
): Promise<ObjectStore | undefined> {
  if (!location) return undefined;
  const { openS3Store } = await import('./contents/s3-store.ts');
  return openS3Store({ location });
}

/**
 * Ends the process at SIGTERM or SIGINT. A server calls it before it opens anything, because it may
 * wait long for its database.
 * @returns takes the server before it reports that it listens; from then on a signal stops it
 */
export function endOnSignal(
  name: string,
): (server: { stop(drainMs: number): Promise<void> }) => void {
  let stop = (_drainMs: number) => Promise.resolve();
  let ending: Promise<void> | undefined;
  const end = () => {
    ending ??= Promise.race([
      stop(drainMs).catch((error: unknown) => fail(error, name)),
      late(),
    ]).then(() => process.exit());
  };
  process.on('SIGTERM', end);
  process.on('SIGINT', end);
  return (server) => {
    stop = (drainMs) => server.stop(drainMs);
  };
}

/** Resolves when the time is over. The store then rolls back open transactions. */
function late(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, endMs));
}

/** Reports on stderr why a server could not start or stop. */
export function fail(error: unknown, name: string): void {
  process.exitCode = error instanceof StartError ? error.exitCode : 1;
  process.stderr.write(`${sentenceOf(error, name)}\n`);
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error ? String(error.code) : undefined;
}

function sentenceOf(error: unknown, name: string): string {
  if (error instanceof StartError) return `${error.message}.`;
  const code = codeOf(error);
  if (code === 'EADDRINUSE') return 'The port is in use; choose another with --port.';
  if (code === 'EACCES' || code === 'EPERM') {
    return 'The data folder or the port may not be used by this user.';
  }
  return error instanceof Error
    ? `The ${name} could not start: ${error.message}. ${originOf(error).frames[0]?.trim() ?? ''}`
    : `The ${name} could not start.`;
}

export interface ListenOptions {
  readonly host: string;
  /** The port; 0 means any free one. */
  readonly port: number;
  /** The address that partners use; by default the one at which the server listens. */
  readonly publicUrl?: string | undefined;
  /** The `aud` of client assertions; by default the token endpoint under the public address. */
  readonly audience?: string | undefined;
  /**
   * The time in which requests are still taken after the server was told to end, while /ready says
   * so to a proxy; 0 if absent.
   */
  readonly drainSeconds?: number | undefined;
  /** The most connections at the same time; any number if absent. */
  readonly connectionsMax?: number | undefined;
}

/**
 * Listens and sets the addresses of the context.
 * @returns the address at which the server listens.
 * @throws {StartError} if the machine does not have the host
 */
export async function listen(
  app: FastifyInstance,
  { address }: Pick<FrontContext, 'address'>,
  options: ListenOptions,
): Promise<string> {
  const { host, port, connectionsMax } = options;
  if (connectionsMax !== undefined) app.server.maxConnections = connectionsMax;
  const baseUrl = await app.listen({ host, port }).catch((error: unknown) => {
    throw hostProblem(host, error) ?? error;
  });
  address.publicUrl = trimEndOf(options.publicUrl ?? baseUrl, '/');
  address.audience = options.audience ?? address.publicUrl + routes.token.path;
  return baseUrl;
}

function hostProblem(host: string, cause: unknown): StartError | null {
  const options = { cause, exitCode: 2 };
  const code = codeOf(cause);
  if (code === 'EADDRNOTAVAIL')
    return new StartError(`--host ${host} is no address of this machine`, options);
  const isUnknown = code === 'ENOTFOUND' || code === 'EAI_AGAIN';
  return isUnknown ? new StartError(`--host ${host} is not known`, options) : null;
}

const folderReasons: Readonly<Record<string, string>> = {
  EEXIST: 'a file is there',
  ENOTDIR: 'part of its path is a file',
  ENOENT: 'it cannot be made there',
  EACCES: 'this user may not write there',
  EPERM: 'this user may not write there',
  EROFS: 'the disk is read-only',
};

/** The error if it concerns the folder; otherwise null. */
function folderProblem(directory: string, lock: string, cause: unknown): StartError | null {
  const code = codeOf(cause) ?? '';
  const isLock = /^SQLITE_(?:CANTOPEN|READONLY|PERM)/.test(code);
  const reason = isLock ? `${lock} cannot be written` : folderReasons[code];
  if (reason === undefined) return null;
  return new StartError(`the data folder ${directory} cannot be used: ${reason}`, {
    cause,
    exitCode: 2,
  });
}

/**
 * Locks a data folder for this process. The folder is created if it is missing. The operating
 * system releases the lock when the process ends for any reason.
 * @returns the function that unlocks.
 * @throws {StartError} if another process has locked the folder, or the folder cannot be used.
 */
function lockDirectory(directory: string, server: 'service' | 'gateway'): () => void {
  const lock = join(directory, `${server}.lock`);
  let unlock: ReturnType<typeof lockFile>;
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    unlock = lockFile(lock);
  } catch (error) {
    throw folderProblem(directory, lock, error) ?? error;
  }
  if (!unlock) throw new StartError(`another ${server} is using the data folder ${directory}`);
  return unlock;
}

/** The clock of a server: the machine's, or that of the database that several processes share. */
export function storeAt(databaseUrl: string | undefined) {
  if (databaseUrl === undefined) return { clock: systemClock };
  const clock = createDatabaseClock(systemClock);
  return {
    clock,
    database: { url: databaseUrl, onTime: (nowMs: number) => clock.set(nowMs) },
  };
}

/** Prints the address at which a server listens, for another program. */
export function printListening(
  { baseUrl, context }: RunningServer<Pick<FrontContext, 'address'>>,
  more: object = {},
): void {
  const { publicUrl, audience } = context.address;
  const tokenUrl = publicUrl + routes.token.path;
  const line = { event: 'listening', baseUrl, tokenUrl, audience, ...more };
  process.stdout.write(`${JSON.stringify(line)}\n`);
}

export interface RunningServer<Context> {
  /** The address at which the server listens. */
  readonly baseUrl: string;
  readonly context: Context;
  /** Completes open requests, within `drainMs` at most, and closes the store. */
  stop(drainMs: number): Promise<void>;
}

/**
 * Locks the data folder, opens the store, and listens.
 * @param open creates the context, which is closed if a later step fails.
 * @param build creates the server over the context.
 * @throws {StartError} if the folder is in use; the errors of `open`, `build` and listening.
 */
export async function runServer<
  Context extends Pick<FrontContext, 'address' | 'draining'> & { close(): Promise<void> },
>(
  name: 'service' | 'gateway',
  where: { readonly directory: string; readonly listen: ListenOptions },
  open: () => Promise<Context>,
  build: (context: Context) => Promise<FastifyInstance>,
): Promise<RunningServer<Context>> {
  const unlock = lockDirectory(where.directory, name);
  let opened: Context | undefined;
  try {
    const context = (opened = await open());
    const app = await build(context);
    return {
      baseUrl: await listen(app, context, where.listen),
      context,
      async stop(drainMs) {
        context.draining.isOn = true;
        const closing = setTimeout(() => app.server.closeAllConnections(), drainMs);
        await delay(Math.min((where.listen.drainSeconds ?? 0) * 1000, drainMs));
        await app.close();
        clearTimeout(closing);
        await context.close();
        unlock();
      },
    };
  } catch (error) {
    await opened?.close();
    unlock();
    throw error;
  }
}
