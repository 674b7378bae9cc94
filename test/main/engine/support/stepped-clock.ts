import type { Clock } from '#shared/lib/clock.ts';

interface Task {
  readonly atMs: number;
  readonly delayMs: number;
  readonly run: () => void;
}

/** A clock that stands still until it is moved, and reports when a caller begins to wait for it. */
export interface SteppedClock extends Clock {
  /** Lets time pass; what falls due runs in its order, each with the promises that follow it. */
  advance(ms: number): Promise<void>;
  /** The wall clock alone is set, as the user or a time server does. */
  setWall(ms: number): void;
  /** Resolves when a task waits whose delay fits. */
  waitsFor(fits: (delayMs: number) => boolean): Promise<void>;
}

/** Lets everything that is ready run: promises, and what the event loop has taken in. */
const settle = () => new Promise((resolve) => setImmediate(resolve));

export function createSteppedClock(startMs = Date.now()): SteppedClock {
  let elapsedMs = 0;
  let wallOffset = startMs;
  let tasks: Task[] = [];
  /** Tasks that wait for no time, only for their turn. */
  let ready = 0;
  const watchers: { fits: (delayMs: number) => boolean; seen: () => void }[] = [];
  return {
    now: () => wallOffset + elapsedMs,
    monotonic: () => elapsedMs,
    after(ms, run) {
      // No time has to pass for it.
      if (ms <= 0) {
        ready++;
        let isPending = true;
        const begin = () => {
          if (!isPending) return false;
          isPending = false;
          ready--;
          return true;
        };
        setImmediate(() => {
          if (begin()) run();
        });
        return begin;
      }
      const task = { atMs: elapsedMs + ms, delayMs: ms, run };
      tasks.push(task);
      for (const watcher of watchers) if (watcher.fits(ms)) watcher.seen();
      return () => {
        tasks = tasks.filter((other) => other !== task);
      };
    },
    async advance(ms) {
      const untilMs = elapsedMs + ms;
      for (;;) {
        await settle();
        if (ready > 0) continue;
        const next = tasks.filter(({ atMs }) => atMs <= untilMs).sort((a, b) => a.atMs - b.atMs)[0];
        if (!next) break;
        tasks = tasks.filter((task) => task !== next);
        elapsedMs = Math.max(elapsedMs, next.atMs);
        next.run();
      }
      elapsedMs = untilMs;
    },
    setWall(ms) {
      wallOffset = ms - elapsedMs;
    },
    waitsFor(fits) {
      if (tasks.some(({ delayMs }) => fits(delayMs))) return Promise.resolve();
      return new Promise((resolve) => {
        watchers.push({ fits, seen: resolve });
      });
    },
  };
}

export interface EagerClock extends Clock {
  /** Lets time pass without running anything. */
  skip(ms: number): void;
}

/**
 * A clock on which each caller that waits is served at once: time jumps to the moment waited for.
 */
export function createEagerClock(startMs = Date.parse('2026-03-02T08:00:00Z')): EagerClock {
  let elapsedMs = 0;
  return {
    now: () => startMs + elapsedMs,
    monotonic: () => elapsedMs,
    after(ms, task) {
      const atMs = elapsedMs + ms;
      const immediate = setImmediate(() => {
        elapsedMs = Math.max(elapsedMs, atMs);
        task();
      });
      return () => clearImmediate(immediate);
    },
    skip(ms) {
      elapsedMs += ms;
    },
  };
}
