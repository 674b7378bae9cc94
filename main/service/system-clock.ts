import { performance } from 'node:perf_hooks';
import type { Clock } from '#shared/lib/clock.ts';

/** The machine's clock. A task that is waited for does not keep the process alive. */
export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  after(ms, task) {
    const timer = setTimeout(task, ms).unref();
    return () => clearTimeout(timer);
  },
};
