import type { Clock } from '#shared/lib/clock.ts';

interface Task {
  readonly atMs: number;
  readonly delayMs: number;
  readonly run: () => void;
}

/**
 * A clock that moves only when a test moves it, and reports when a caller starts to wait for it.
 */
export interface SteppedClock extends Clock {
  /** Lets time pass. Due tasks run in order, each with the promises that follow it. */
  advance(ms: number): Promise<void>;
  /** Sets only the wall clock, as the user or a time server does. */
  setWall(ms: number): void;
  /** Lets the machine sleep: timers stop, and the wall clock continues. */
  sleep(ms: number): void;
  /** Resolves when a task waits for a delay that `fits` accepts. */
  waitsFor(fits: (delayMs: number) => boolean): Promise<void>;
}

/** Runs everything that is ready: promises, and events that the event loop has received. */
const settle = () => new Promise((resolve) => setImmediate(resolve));

export function createSteppedClock(startMs = Date.now()): SteppedClock {
  let elapsedMs = 0;
  let wallOffset = startMs;
  let sleptMs = 0;
  let tasks: Task[] = [];
  /** The number of tasks that wait only for their turn and for no time. */
  let ready = 0;
  const watchers: { fits: (delayMs: number) => boolean; seen: () => void }[] = [];
  return {
    now: () => wallOffset + elapsedMs,
    monotonic: () => elapsedMs,
    uptime: () => elapsedMs + sleptMs,
    after(ms, run) {
      // The task is due without any passing of time.
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
    sleep(ms) {
      wallOffset += ms;
      sleptMs += ms;
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
 * Creates a clock that serves each waiting caller at once, because time jumps to the requested
 * moment.
 */
export function createEagerClock(startMs = Date.parse('2026-03-02T08:00:00Z')): EagerClock {
  let elapsedMs = 0;
  return {
    now: () => startMs + elapsedMs,
    monotonic: () => elapsedMs,
    uptime: () => elapsedMs,
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
