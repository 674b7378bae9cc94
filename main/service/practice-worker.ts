/** The practice service's thread, started by practice-thread.ts. */
import { parentPort, workerData } from 'node:worker_threads';
import { DeskError, type DeskProblem, diskProblem } from '#shared/desk/contract/errors.ts';
import type {
  InsurerAnswer,
  InsurerCall,
  PracticeOptions,
  PracticeReport,
} from './practice-thread.ts';
import type { Insurer } from './practice/insurer.ts';
import { runPractice } from './run-practice.ts';

// The cast is safe, because only practice-thread.ts starts this file, with these options.
const options = workerData as PracticeOptions;

try {
  const practice = await runPractice(options);
  parentPort?.on('message', (message: 'stop' | InsurerCall) => {
    if (message === 'stop') {
      void practice.stop().then(() => parentPort?.close());
      return;
    }
    void (async () => {
      parentPort?.postMessage(await answer(await practice.insurer(), message));
    })();
  });
  report({ event: 'listening', listening: practice.listening });
} catch (error) {
  const message = error instanceof Error ? error.message : 'unknown';
  report({ event: 'failed', message, problem: problemOf(error) });
}

/** The problem of an error, or of what caused it; null if the disk is not the reason. */
function problemOf(error: unknown): DeskProblem | null {
  for (let at = error; at instanceof Error; at = at.cause) {
    const problem = diskProblem(at)?.problem;
    if (problem) return problem;
  }
  return null;
}

function report(message: PracticeReport): void {
  parentPort?.postMessage(message);
}

/** The arguments and results of the insurer's functions, so that a call by name has types. */
type Functions = {
  readonly [Name in keyof Insurer]: (...args: Parameters<Insurer[Name]>) => Promise<unknown>;
};

async function answer<Name extends keyof Insurer>(
  functions: Functions,
  { id, name, args }: InsurerCall<Name>,
): Promise<InsurerAnswer> {
  try {
    return { id, value: await functions[name](...args) };
  } catch (error) {
    const problem = error instanceof DeskError ? error : new DeskError('internal');
    return { id, problem: problem.problem };
  }
}
