import { randomBytes, randomUUID } from 'node:crypto';
import type { Clock } from '#shared/lib/clock.ts';
import type { Random } from '#shared/lib/random.ts';

/** `setTimeout` fires at once for a longer one. */
const longestTimerMs = 2 ** 31 - 1;

/** The machine's clock. A task that is waited for keeps the process alive. */
export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  after(ms, task) {
    let timer: NodeJS.Timeout;
    const wait = (leftMs: number) => {
      const nextMs = Math.min(leftMs, longestTimerMs);
      timer = setTimeout(() => (leftMs > nextMs ? wait(leftMs - nextMs) : task()), nextMs);
    };
    wait(ms);
    return () => clearTimeout(timer);
  },
};

/** The machine's randomness. */
export const systemRandom: Random = {
  uuid: () => randomUUID(),
  fraction: () => Math.random(),
  bytes: (length) => randomBytes(length),
};
