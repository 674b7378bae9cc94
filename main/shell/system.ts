import { randomBytes, randomUUID } from 'node:crypto';
import { uptime } from 'node:os';
import { createSystemClock } from '#shared/lib/clock.ts';
import type { Random } from '#shared/lib/random.ts';

/** The machine's clock. A pending task keeps the process alive. */
export const systemClock = createSystemClock({
  monotonic: () => performance.now(),
  uptime: () => uptime() * 1000,
  after(ms, task) {
    const timer = setTimeout(task, ms);
    return () => clearTimeout(timer);
  },
});

/** The machine's source of random values. */
export const systemRandom: Random = {
  uuid: () => randomUUID(),
  fraction: () => Math.random(),
  bytes: (length) => randomBytes(length),
};
