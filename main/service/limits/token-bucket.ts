import type { TokenBucketLimit } from '#shared/api/limits.ts';
import type { Clock } from '#shared/lib/clock.ts';
import { scaleBucket, tolerance, type Limit } from './limit.ts';

const partitionsBeforeSweep = 10_000;

/** A token bucket per partition, without a queue (specification, "Limits"). */
export function createTokenBucket(limit: TokenBucketLimit, factor: number, clock: Clock): Limit {
  const { capacity, perMs, policy } = scaleBucket(limit, factor);
  const buckets = new Map<string, { level: number; atMs: number }>();

  function sweep(nowMs: number): void {
    for (const [partition, { level, atMs }] of buckets) {
      if (level + (nowMs - atMs) * perMs >= capacity) buckets.delete(partition);
    }
  }

  return {
    policy,
    take(partition) {
      const nowMs = clock.monotonic();
      const bucket = buckets.get(partition) ?? { level: capacity, atMs: nowMs };
      const level = Math.min(capacity, bucket.level + (nowMs - bucket.atMs) * perMs);
      const waitMs = level + tolerance >= 1 ? 0 : (1 - level) / perMs;
      if (buckets.size >= partitionsBeforeSweep) sweep(nowMs);
      buckets.set(partition, {
        level: waitMs === 0 ? level - 1 : level,
        atMs: nowMs,
      });
      return waitMs;
    },
  };
}
