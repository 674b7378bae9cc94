import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';

/** The children that run, and those whose group still does. */
const running = new Set<ChildProcess>();

/**
 * Has a child end with the tests that started it, whatever fails before they end it: it is killed
 * after the tests of its file (`end-children.ts`), or when this process exits. If the child is
 * `detached`, the programs that it started are killed, too.
 */
export function endsWithTests<Child extends ChildProcess>(child: Child): Child {
  // What could not be started has no id, and the caller gets the error.
  if (child.pid === undefined) return child;
  if (running.size === 0) process.on('exit', killAll);
  running.add(child);
  child.once('exit', () => {
    if (!signalGroup(child, 0)) forget(child);
  });
  return child;
}

/** Kills the children that still run, and waits for their end. */
export async function endChildren(): Promise<void> {
  const ended = Array.from(running)
    .filter(({ exitCode, signalCode }) => exitCode === null && signalCode === null)
    .map((child) => once(child, 'exit'));
  killAll();
  await Promise.all(ended);
  for (const child of running) forget(child);
}

function killAll(): void {
  for (const child of running) if (!signalGroup(child, 'SIGKILL')) child.kill('SIGKILL');
}

function forget(child: ChildProcess): void {
  running.delete(child);
  if (running.size === 0) process.off('exit', killAll);
}

/** Sends a signal to the group that a detached child leads. Returns whether there is one. */
function signalGroup({ pid = 0 }: ChildProcess, signal: NodeJS.Signals | 0): boolean {
  if (process.platform === 'win32') return false;
  try {
    return process.kill(-pid, signal);
  } catch {
    // The child leads no group, or all of it has ended.
    return false;
  }
}
