/**
 * Gathers what is asked for again and again: for each key the first call runs the task at once,
 * and all calls within `everyMs` after a run are answered by one more run at the end of that time.
 */
export function gather(everyMs: number, task: (key: string) => void): (key: string) => void {
  /** Keys whose last run is not that long ago, and whether they were asked for since. */
  const resting = new Map<string, boolean>();
  return function ask(key) {
    if (resting.has(key)) {
      resting.set(key, true);
      return;
    }
    resting.set(key, false);
    task(key);
    setTimeout(() => {
      const again = resting.get(key) === true;
      resting.delete(key);
      if (again) ask(key);
    }, everyMs);
  };
}
