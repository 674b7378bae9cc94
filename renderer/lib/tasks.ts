/** Creates a queue in which each task waits for the earlier ones, regardless of their outcome. */
export function createTaskQueue(): <T>(task: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (task) => {
    const done = last.then(task);
    last = done.catch(() => undefined);
    return done;
  };
}

/** Creates a function that passes on only the answer to the last question. */
export function createLatest() {
  let last = 0;
  async function ask<T>(question: () => Promise<T>, show: (answer: T) => void): Promise<void> {
    const own = (last += 1);
    const answer = await question();
    if (own === last) show(answer);
  }
  /** Drops the answer that is still to come, for instance because it is about another workspace. */
  const drop = (): void => void (last += 1);
  return { ask, drop };
}

/**
 * Throttles a task separately for each key. The first call runs the task immediately; all calls
 * within `everyMs` after a run lead to one more run at the end of that time.
 */
export function throttleByKey(everyMs: number, task: (key: string) => void): (key: string) => void {
  /**
   * The keys whose last run was within this time. The value is whether the key was called since.
   */
  const resting = new Map<string, boolean>();
  return function call(key) {
    if (resting.has(key)) {
      resting.set(key, true);
      return;
    }
    resting.set(key, false);
    task(key);
    setTimeout(() => {
      const again = resting.get(key) === true;
      resting.delete(key);
      if (again) call(key);
    }, everyMs);
  };
}

/** A worker sends this message if a part of its work is done and the next one begins. */
export const isUnderway = { isUnderway: true } as const;

/** A worker sends this message if it waits for another one, whose own time is limited. */
export const isWaiting = { isWaiting: true } as const;

interface WorkerQuestion {
  /** The timeout for the answer or for the next sign of work. */
  readonly timeoutMs: number;
  readonly transfer?: Transferable[];
  readonly signal?: AbortSignal | undefined;
}

/**
 * Sends a message to a worker that answers each message with one. Before the answer, the worker may
 * send `isUnderway`, which gives it as much time again, and `isWaiting`, after which its time stands
 * still until then.
 * @returns `late` if the worker does not answer in time, `failed` if it cannot, `aborted` by the
 *   signal
 */
export function askWorker<Answer extends object>(
  worker: Worker,
  message: object,
  { timeoutMs, transfer = [], signal: aborted }: WorkerQuestion,
): Promise<Answer | 'late' | 'failed' | 'aborted'> {
  return new Promise((resolve) => {
    const listening = new AbortController();
    const { signal } = listening;
    const finish = (answer: Answer | 'late' | 'failed' | 'aborted') => {
      clearTimeout(limit);
      listening.abort();
      resolve(answer);
    };
    const startLimit = () => setTimeout(() => finish('late'), timeoutMs);
    let limit = startLimit();
    const hear = ({ data }: MessageEvent<Answer>) => {
      clearTimeout(limit);
      if ('isUnderway' in data) limit = startLimit();
      else if (!('isWaiting' in data)) finish(data);
    };
    worker.addEventListener('message', hear, { signal });
    worker.addEventListener('error', () => finish('failed'), { signal });
    aborted?.addEventListener('abort', () => finish('aborted'), { signal });
    worker.postMessage(message, transfer);
  });
}
