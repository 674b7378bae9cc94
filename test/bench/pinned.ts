import { fork, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { root } from '../support/processes.ts';

/**
 * What a measured process is started with: bound to the machine's last core where there are
 * several and the system has taskset, so that the sender has the others.
 */
export const pin: readonly string[] =
  availableParallelism() > 1 && spawnSync('taskset', ['--version']).status === 0
    ? ['taskset', '-c', String(availableParallelism() - 1)]
    : [];

/**
 * Keeps this process, the sender, on the other cores. Left alone, the system wakes it now and then
 * on the core of the service that has just written to it, and both wait for each other.
 */
export function leaveServiceItsCore(): void {
  if (pin.length === 0) return;
  const others = `0-${availableParallelism() - 2}`;
  spawnSync('taskset', ['-apc', others, String(process.pid)]);
}

/** The service as `npm run service` runs it, on one core. */
export const pinnedService = [
  ...pin,
  process.execPath,
  join(root, 'scripts/run.mjs'),
  'main/service/server.ts',
];

export interface Counterpart {
  /** What it told when it was ready. */
  readonly message: unknown;
  stop(): Promise<void>;
}

/** A counterpart of the service from a file beside this one, on the service's core. */
export async function startCounterpart(
  file: string,
  args: readonly string[],
): Promise<Counterpart> {
  const [command = process.execPath, ...pinArgs] = pin;
  const child: ChildProcess = fork(join(import.meta.dirname, file), args, {
    ...(pin.length > 0 && { execPath: command, execArgv: [...pinArgs, process.execPath] }),
  });
  const ended = once(child, 'exit');
  const failed = ended.then(() => {
    throw new Error(`${file} ended before it was ready`);
  });
  const messages: unknown[] = await Promise.race([once(child, 'message'), failed]);
  return {
    message: messages[0],
    async stop() {
      if (child.connected) child.disconnect();
      await ended;
      await failed.catch(() => undefined);
    },
  };
}
