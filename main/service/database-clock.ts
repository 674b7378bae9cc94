import type { Clock } from '#shared/lib/clock.ts';

/** The clock of a database, so that all processes that share it go by one. */
export interface DatabaseClock extends Clock {
  /** Takes the time that the database says it is, milliseconds since 1970. */
  set(nowMs: number): void;
}

/**
 * Carries the database's time on between two moments at which it was told. Until the first of them
 * it is the machine's own time.
 */
export function createDatabaseClock(own: Clock): DatabaseClock {
  let told = { nowMs: own.now(), atMs: own.monotonic() };
  return {
    ...own,
    // Rounded down, so that it is never ahead of the database.
    now: () => Math.floor(told.nowMs + own.monotonic() - told.atMs),
    set(nowMs) {
      told = { nowMs, atMs: own.monotonic() };
    },
  };
}
