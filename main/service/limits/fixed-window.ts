import type { FixedWindowLimit } from '#shared/api/limits.ts';
import type { Clock } from '#shared/lib/clock.ts';
import { scaleWindow, type Limit } from './limit.ts';

/** So many requests in each clock minute, per partition (specification, "Limits"). */
export function createFixedWindow(limit: FixedWindowLimit, factor: number, clock: Clock): Limit {
  const { allowed, policy } = scaleWindow(limit, factor);
  const counts = new Map<string, number>();
  let windowStartMs = Number.NEGATIVE_INFINITY;

  return {
    policy,
    take(partition) {
      const nowMs = clock.now();
      const startMs = Math.floor(nowMs / limit.windowMs) * limit.windowMs;
      if (startMs !== windowStartMs) {
        counts.clear();
        windowStartMs = startMs;
      }
      const count = counts.get(partition) ?? 0;
      if (count >= allowed) return startMs + limit.windowMs - nowMs;
      counts.set(partition, count + 1);
      return 0;
    },
  };
}
