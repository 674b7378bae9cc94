import { inject, type InjectionKey } from 'vue';
import { askWorker } from '../tasks.ts';
import { type PhotoAnswer, type PhotoAnswers, PhotoError, type PhotoTask } from './photo-tasks.ts';

/** Work on the pixels of photos, next to the window's own thread. */
export interface PhotoStudio {
  /** @throws {PhotoError} */
  readonly run: <Task extends PhotoTask>(task: Task) => Promise<PhotoAnswers[Task['kind']]>;
}

export const photoStudioKey: InjectionKey<PhotoStudio> = Symbol('photo studio');

/** A photo that takes longer is made to take forever. */
const timeoutMs = 60_000;

/**
 * Works on as many photos at once as there are workers; the others wait in turn. A worker that does
 * not answer in time is ended, and its photo is refused.
 */
function createPhotoStudio(): PhotoStudio {
  const workersMax = Math.max(1, Math.min(2, navigator.hardwareConcurrency - 1));
  const idle: Worker[] = [];
  const waiting: ((worker: Worker) => void)[] = [];
  let count = 0;

  const start = () =>
    new Worker(new URL('./photo-worker.ts', import.meta.url), {
      type: 'module',
      name: 'photo-worker',
    });

  async function take(): Promise<Worker> {
    const worker = idle.pop();
    if (worker) return worker;
    if (count < workersMax) {
      count += 1;
      return start();
    }
    return new Promise((resolve) => waiting.push(resolve));
  }
  function giveBack(worker: Worker): void {
    const next = waiting.shift();
    if (next) next(worker);
    else idle.push(worker);
  }

  async function run<Task extends PhotoTask>(task: Task): Promise<PhotoAnswers[Task['kind']]> {
    const worker = await take();
    // The worker answers each task with the answer of its kind.
    const answer = await askWorker<PhotoAnswer<Task['kind']>>(worker, task, { timeoutMs });
    if (typeof answer === 'object') giveBack(worker);
    else {
      worker.terminate();
      giveBack(start());
      throw new PhotoError(answer === 'late' ? 'too_slow' : 'unreadable');
    }
    if ('fault' in answer) throw new PhotoError(answer.fault);
    return answer.done;
  }
  return { run };
}

let studio: PhotoStudio | null = null;

/** The window's own, unless another is provided. */
export const usePhotoStudio = (): PhotoStudio =>
  inject(photoStudioKey, () => (studio ??= createPhotoStudio()), true);
