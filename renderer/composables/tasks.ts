/** A separate queue: each task waits for those before it, regardless of their outcome. */
export function createTaskQueue(): <T>(task: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (task) => {
    const done = last.then(task);
    last = done.catch(() => undefined);
    return done;
  };
}

/**
 * Throttles a task for each key by itself: the first call runs it at once, and all calls within
 * `everyMs` after a run are answered by one more run at the end of that time.
 */
export function throttleByKey(everyMs: number, task: (key: string) => void): (key: string) => void {
  /** Keys whose last run is not that long ago, and whether they were called since. */
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

/**
 * Sends a message to a worker that answers each with one.
 * @returns `late` if it does not answer in time, `failed` if it cannot
 */
export function askWorker<Answer extends object>(
  worker: Worker,
  message: object,
  { timeoutMs, transfer = [] }: { timeoutMs: number; transfer?: Transferable[] },
): Promise<Answer | 'late' | 'failed'> {
  return new Promise((resolve) => {
    const listening = new AbortController();
    const { signal } = listening;
    const finish = (answer: Answer | 'late' | 'failed') => {
      clearTimeout(limit);
      listening.abort();
      resolve(answer);
    };
    const limit = setTimeout(() => finish('late'), timeoutMs);
    worker.addEventListener('message', ({ data }: MessageEvent<Answer>) => finish(data), {
      signal,
    });
    worker.addEventListener('error', () => finish('failed'), { signal });
    worker.postMessage(message, transfer);
  });
}
