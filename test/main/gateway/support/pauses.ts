import type { Clock } from '#shared/lib/clock.ts';
import { machineClock } from '../../service/support/fake-clock.ts';

/** Time limits are longer. */
const longestPauseMs = 10_000;

/** The machine's clock, which stands still for pauses from `stop` to `end`, and then skips them. */
export function createPauses() {
  let paused: { atMs: number; tasks: Map<() => void, number> } | null = null;
  let skippedMs = 0;
  const monotonic = () => machineClock.monotonic() + skippedMs;
  const clock: Clock = {
    ...machineClock,
    monotonic: () => paused?.atMs ?? monotonic(),
    after(ms, task) {
      if (!paused || ms > longestPauseMs) return machineClock.after(ms, task);
      const { tasks } = paused;
      tasks.set(task, ms);
      return () => void tasks.delete(task);
    },
  };
  return {
    clock,
    stop: () => (paused = { atMs: monotonic(), tasks: new Map<() => void, number>() }),
    end() {
      const tasks = paused?.tasks ?? new Map<() => void, number>();
      paused = null;
      skippedMs += Math.max(0, ...tasks.values());
      for (const task of tasks.keys()) task();
    },
  };
}
