import type { FixedWindowLimit, TokenBucketLimit } from '#shared/api/limits.ts';

/** One kind of limit, over all of its partitions. */
export interface Limit {
  /** As X-RateLimit-Policy says it, for example `token-bucket; 60/min; burst=20`. */
  readonly policy: string;
  /** Takes one request; the milliseconds until one could be taken, 0 where it was. */
  take(partition: string): number;
}

/** A limit whose levels several processes share. */
export interface SharedLimit {
  readonly policy: string;
  take(partition: string): Promise<number>;
}

/** A token bucket as `--limits` scales it. */
export function scaleBucket(limit: TokenBucketLimit, factor: number) {
  const capacity = limit.capacity * factor;
  const perMinute = limit.refillPerMinute * factor;
  return {
    capacity,
    perMs: perMinute / 60_000,
    policy: `token-bucket; ${perMinute}/min; burst=${capacity}`,
  };
}

/** A window as `--limits` scales it. */
export function scaleWindow(limit: FixedWindowLimit, factor: number) {
  const allowed = Math.max(1, Math.floor(limit.requests * factor));
  return { allowed, policy: `fixed-window; ${(allowed * 60_000) / limit.windowMs}/min` };
}

/** Sums of refills are not exact in floating point; what is given away here is owed. */
export const tolerance = 0.01;
