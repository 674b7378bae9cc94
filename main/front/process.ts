import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { routes } from '#shared/api/routes.ts';
import type { ObjectLocation } from './contents/object-location.ts';
import type { ObjectStore } from './contents/s3-store.ts';
import { createDatabaseClock, systemClock } from './clock.ts';
import { originOf } from '#shared/lib/error-origin.ts';
import { StartError } from './problem.ts';
import type { FrontContext } from './context.ts';
import { lockFile } from './store/file-store.ts';

/** SIGTERM ends a server within 5 s. Requests have this time to complete, */
const drainMs = 4000;
/** and the whole, with closing a store that may wait for another process, this time. */
const endMs = 4700;

/** Opens the bucket for documents, if there is one. */
export async function openBucket(
  location: ObjectLocation | undefined,
): Promise<ObjectStore | undefined> {
  if (!location) return undefined;
  const { openS3Store } = await import('./contents/s3-store.ts');
  return openS3Store({ location });
}

/** Ends a server at SIGTERM or SIGINT. A server calls it before it reports that it listens. */
export function endOnSignal(server: { stop(drainMs: number): Promise<void> }, name: string): void {
  let ending: Promise<void> | undefined;
  const end = () => {
    ending ??= Promise.race([
      server.stop(drainMs).catch((error: unknown) => fail(error, name)),
      late(),
    ]).then(() => process.exit());
  };
  process.on('SIGTERM', end);
  process.on('SIGINT', end);
}

/** Resolves when the time is over; the store then rolls back open transactions. */
function late(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, endMs));
}

/** Reports on stderr why a server could not start, or end. */
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
  /** 0 takes a free one. */
  readonly port: number;
  /** The address that partners use; by default the one that it listens on. */
  readonly publicUrl?: string | undefined;
  /** `aud` of client assertions; by default the token endpoint under the public address. */
  readonly audience?: string | undefined;
}

/**
 * Listens, and sets the context's addresses.
 * @returns the address that it listens on.
 * @throws {StartError} if the machine does not have the host
 */
export async function listen(
  app: FastifyInstance,
  { address }: Pick<FrontContext, 'address'>,
  options: ListenOptions,
): Promise<string> {
  const { host, port } = options;
  const baseUrl = await app.listen({ host, port }).catch((error: unknown) => {
    throw hostProblem(host, error) ?? error;
  });
  address.publicUrl = (options.publicUrl ?? baseUrl).replace(/\/+$/, '');
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

/** Null for what is no fault of the folder. */
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
 * Locks a data folder for this process; creates it if it does not exist. The operating system
 * releases the lock when the process ends for any reason.
 * @returns the function that unlocks.
 * @throws {StartError} if another process has it, or it cannot be used.
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

/** Prints where a server listens, for a program to read. */
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
  /** The address that it listens on. */
  readonly baseUrl: string;
  readonly context: Context;
  /** Completes open requests, for `drainMs` at most, and closes the store. */
  stop(drainMs: number): Promise<void>;
}

/**
 * Locks the data folder, opens the store, and listens.
 * @param open makes the context, which is closed if a later step fails.
 * @param build makes the server over it.
 * @throws {StartError} if the folder is in use; what `open` and `build` throw; the error of listening.
 */
export async function runServer<
  Context extends Pick<FrontContext, 'address'> & { close(): Promise<void> },
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
        const closing = setTimeout(() => app.server.closeAllConnections(), drainMs);
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
