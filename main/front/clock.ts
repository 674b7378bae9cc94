import type { Clock } from '#shared/lib/clock.ts';

/** The machine's clock. Its timers do not keep the process alive. */
export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  after(ms, task) {
    const timer = setTimeout(task, ms).unref();
    return () => clearTimeout(timer);
  },
};

/** The clock of a database, which all processes that share it go by. */
export interface DatabaseClock extends Clock {
  /** Takes the time that the database reports, milliseconds since 1970. */
  set(nowMs: number): void;
}

/**
 * Carries the database's time on between two moments at which it was reported. Until the first of
 * them it is the machine's own time.
 */
export function createDatabaseClock(own: Clock): DatabaseClock {
  let reported = { nowMs: own.now(), atMs: own.monotonic() };
  return {
    ...own,
    // Rounded down, so that it is never ahead of the database.
    now: () => Math.floor(reported.nowMs + own.monotonic() - reported.atMs),
    set(nowMs) {
      reported = { nowMs, atMs: own.monotonic() };
    },
  };
}

/** Runs a task again and again; the returned function ends that and waits for a run under way. */
export function repeatedly(clock: Clock, everyMs: number, task: () => Promise<void>) {
  let ended = false;
  let running = Promise.resolve();
  let cancel = clock.after(everyMs, run);
  function run(): void {
    running = task().then(() => {
      if (!ended) cancel = clock.after(everyMs, run);
    });
  }
  return async () => {
    ended = true;
    cancel();
    await running;
  };
}
