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
