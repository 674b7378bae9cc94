import type { ObjectLocation } from './contents/object-location.ts';
import type { ObjectStore } from './contents/s3-store.ts';
import { describeError } from './log.ts';
import { StartError } from './start-error.ts';

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

/** Ends a server when SIGTERM or SIGINT asks for it. A server calls it before it says that it listens. */
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

/** Resolves when the time is over; the store rolls back what is open then. */
function late(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, endMs));
}

/** Says on stderr why a server could not start, or end. */
export function fail(error: unknown, name: string): void {
  process.exitCode = 1;
  process.stderr.write(`${sentenceOf(error, name)}\n`);
}

function sentenceOf(error: unknown, name: string): string {
  if (error instanceof StartError) return `${error.message}.`;
  const code: unknown = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'EADDRINUSE') return 'The port is in use; choose another with --port.';
  if (code === 'EACCES' || code === 'EPERM') {
    return 'The data folder or the port may not be used by this user.';
  }
  return error instanceof Error
    ? `The ${name} could not start: ${error.message}. ${describeError(error).at[0]?.trim() ?? ''}`
    : `The ${name} could not start.`;
}
