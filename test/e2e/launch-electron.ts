import { join } from 'node:path';
import { _electron, type ElectronApplication } from '@playwright/test';
import { patienceMs } from '../support/long.ts';
import { root } from '../support/processes.ts';

type Launch = NonNullable<Parameters<typeof _electron.launch>[0]>;

const preload = join(root, 'test/support/electron-preload.cjs');

/** How often an answer is asked for. It was lost once in about ten thousand times. */
const times = 5;

/**
 * Launches Electron, or the package at `executablePath`, which loads no preload of the tests. A
 * function that `evaluate` calls in the main process runs once, and its answer arrives.
 *
 * Playwright waits for the answer over a promise that V8 may collect before the answer is sent
 * (https://github.com/microsoft/playwright/issues/33737). So the main process keeps each answer,
 * and an answer that was lost is asked for again.
 */
export async function launchElectron(options: Launch): Promise<ElectronApplication> {
  const { executablePath, args = [] } = options;
  const app = await _electron.launch({
    timeout: patienceMs,
    ...options,
    args: executablePath === undefined ? ['-r', preload, ...args] : args,
  });
  app.context().setDefaultTimeout(patienceMs);
  return Object.assign(app, { evaluate: keepingAnswers(app.evaluate.bind(app)) });
}

/** @param evaluate calls a function in the main process, whose answer may be lost */
export function keepingAnswers(
  evaluate: (act: typeof answerOnce, arg: Call) => Promise<unknown>,
): (act: unknown, arg?: unknown) => Promise<unknown> {
  let calls = 0;
  return async (act, arg) => {
    const call = (calls += 1);
    for (let time = 1; ; time += 1)
      try {
        return await evaluate(answerOnce, { act: String(act), arg, call });
      } catch (error) {
        if (time === times || !String(error).includes('promise was garbage collected')) throw error;
      }
  };
}

interface Call {
  /** The text of the function. */
  readonly act: string;
  readonly arg: unknown;
  readonly call: number;
}

/** Runs in the main process. */
function answerOnce(electron: unknown, { act, arg, call }: Call): unknown {
  const stored = Reflect.get(globalThis, 'answers') as Map<number, unknown> | undefined;
  const answers = stored ?? new Map<number, unknown>();
  if (stored === undefined) Reflect.set(globalThis, 'answers', answers);
  if (!answers.has(call)) {
    // Playwright hands functions over as text as well.
    // oxlint-disable-next-line no-eval
    const run = (0, eval)(`(${act})`) as (electron: unknown, arg: unknown) => unknown;
    answers.set(call, run(electron, arg));
  }
  return answers.get(call);
}
