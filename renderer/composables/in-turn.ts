/**
 * A line in which tasks wait for those before them, whatever becomes of these. Each call of the
 * function that comes back is a task; what it gives or throws is the task's own.
 */
export function takeTurns(): <T>(task: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (task) => {
    const done = last.then(task);
    last = done.catch(() => undefined);
    return done;
  };
}
