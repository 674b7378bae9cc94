import { inject, type InjectionKey } from 'vue';
import { assertCodeIsSafe } from '../desk-code.ts';
import { type AskedWorker, askedWorker } from '../asked-worker.ts';
import { type PhotoAnswer, type PhotoAnswers, PhotoError, type PhotoTask } from './photo-tasks.ts';

/** Work on the pixels of photos, outside the window's own thread. */
export interface PhotoStudio {
  /**
   * @param signal cancels the task
   * @throws {PhotoError} and the signal's reason
   */
  readonly run: <Task extends PhotoTask>(
    task: Task,
    signal?: AbortSignal,
  ) => Promise<PhotoAnswers[Task['kind']]>;
}

export const photoStudioKey: InjectionKey<PhotoStudio> = Symbol('photo studio');

/** The timeout. A page that takes longer was made to take forever. */
const timeoutMs = 60_000;

/**
 * Works on as many photos at once as there are workers; the other photos wait for their turn. A
 * worker that does not answer in time is ended, and its photo is refused.
 */
function createPhotoStudio(): PhotoStudio {
  const workersMax = Math.max(1, Math.min(2, navigator.hardwareConcurrency - 1));
  const idle: AskedWorker[] = [];
  const waiting: (() => void)[] = [];
  let count = 0;

  const start = () => {
    assertCodeIsSafe();
    return askedWorker(
      new Worker(new URL('./photo-worker.ts', import.meta.url), {
        type: 'module',
        name: 'photo-worker',
      }),
    );
  };

  async function take(): Promise<AskedWorker> {
    for (;;) {
      const worker = idle.pop();
      if (worker) return worker;
      if (count < workersMax) {
        const started = start();
        count += 1;
        return started;
      }
      await new Promise<void>((resolve) => waiting.push(resolve));
    }
  }
  function giveBack(worker: AskedWorker): void {
    idle.push(worker);
    waiting.shift()?.();
  }
  function end(worker: AskedWorker): void {
    worker.end();
    count -= 1;
    waiting.shift()?.();
  }

  async function run<Task extends PhotoTask>(
    task: Task,
    signal?: AbortSignal,
  ): Promise<PhotoAnswers[Task['kind']]> {
    const worker = await take();
    if (signal?.aborted === true) giveBack(worker);
    signal?.throwIfAborted();
    // The worker answers each task with the answer of its kind.
    const answer = await worker.ask<PhotoAnswer<Task['kind']>>(task, { timeoutMs, signal });
    if (typeof answer === 'object') giveBack(worker);
    else {
      end(worker);
      signal?.throwIfAborted();
      throw new PhotoError(answer === 'late' ? 'too_slow' : 'broke_off');
    }
    if ('fault' in answer) throw new PhotoError(answer.fault);
    return answer.done;
  }
  return { run };
}

let studio: PhotoStudio | null = null;

/** Returns the window's own studio, unless another one is provided. */
export const usePhotoStudio = (): PhotoStudio =>
  inject(photoStudioKey, () => (studio ??= createPhotoStudio()), true);
