import { uptime } from 'node:os';
import { type Clock, createSystemClock } from '#shared/lib/clock.ts';

/** The machine's clock. Its timers do not keep the process alive. */
export const systemClock = createSystemClock({
  monotonic: () => performance.now(),
  uptime: () => uptime() * 1000,
  after(ms, task) {
    const timer = setTimeout(task, ms).unref();
    return () => clearTimeout(timer);
  },
});

/** The clock of a database, shared by all processes that use the database. */
export interface DatabaseClock extends Clock {
  /** Sets the time that the database reported, in milliseconds since 1970. */
  set(nowMs: number): void;
}

/**
 * Continues the database's time between two reports. Before the first report it is the machine's
 * time.
 */
export function createDatabaseClock(own: Clock): DatabaseClock {
  let reported = { nowMs: own.now(), atMs: own.monotonic() };
  return {
    ...own,
    // The time is rounded down, so that it is never ahead of the database.
    now: () => Math.floor(reported.nowMs + own.monotonic() - reported.atMs),
    set(nowMs) {
      reported = { nowMs, atMs: own.monotonic() };
    },
  };
}
