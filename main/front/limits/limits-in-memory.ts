import type { FixedWindowLimit, TokenBucketLimit } from '#shared/api/limits.ts';
import type { Clock } from '#shared/lib/clock.ts';

/** One kind of limit with all of its partitions. */
export interface Limit {
  /**
   * Takes one request.
   * @returns 0 if it was taken; else the milliseconds until one can be taken.
   */
  take(partition: string): number | Promise<number>;
}

/** A limit that also reports the remaining tokens. A caller may reserve a part of its capacity. */
export interface TokenBucket extends Limit {
  /** @param tokens with 1 a token is taken; with 0 only the refill until now is added */
  take(partition: string, reserved?: number, tokens?: 0 | 1): number | Promise<number>;
  left(partition: string): number | Promise<number>;
}

/** A limit whose levels are in memory. */
interface MemoryLimit extends Limit {
  take(partition: string, reserved?: number, tokens?: 0 | 1): number;
}

/**
 * The tolerance for sums of refills, which are not exact in floating point. The token of a request
 * that is granted slightly early is still deducted.
 */
export const tolerance = 0.01;

const partitionsBeforePurge = 10_000;

/** A token bucket per partition, without a queue (specification, "Limits"). */
export function createTokenBucket(
  { capacity, refillPerMinute }: TokenBucketLimit,
  clock: Clock,
): MemoryLimit & TokenBucket {
  const perMs = refillPerMinute / 60_000;
  const buckets = new Map<string, { level: number; atMs: number }>();

  function levelOf(partition: string, nowMs: number): number {
    const { level, atMs } = buckets.get(partition) ?? { level: capacity, atMs: nowMs };
    return Math.min(capacity, level + (nowMs - atMs) * perMs);
  }

  function purge(nowMs: number): void {
    for (const [partition, { level, atMs }] of buckets) {
      if (level + (nowMs - atMs) * perMs >= capacity) buckets.delete(partition);
    }
  }

  return {
    take(partition, reserved = 0, tokens = 1) {
      const nowMs = clock.monotonic();
      const level = Math.min(levelOf(partition, nowMs), capacity - reserved);
      const waitMs = level + tolerance >= tokens ? 0 : (tokens - level) / perMs;
      if (buckets.size >= partitionsBeforePurge) purge(nowMs);
      buckets.set(partition, { level: waitMs === 0 ? level - tokens : level, atMs: nowMs });
      return waitMs;
    },
    left: (partition) => levelOf(partition, clock.monotonic()),
  };
}

/** A maximum of requests in each clock minute, per partition (specification, "Limits"). */
export function createFixedWindow(
  { requests, windowMs }: FixedWindowLimit,
  clock: Clock,
): MemoryLimit {
  const counts = new Map<string, number>();
  let windowStartMs = Number.NEGATIVE_INFINITY;

  return {
    take(partition) {
      const nowMs = clock.now();
      const startMs = Math.floor(nowMs / windowMs) * windowMs;
      if (startMs !== windowStartMs) {
        counts.clear();
        windowStartMs = startMs;
      }
      const count = counts.get(partition) ?? 0;
      if (count >= requests) return startMs + windowMs - nowMs;
      counts.set(partition, count + 1);
      return 0;
    },
  };
}
