import {
  documentsBucket,
  standardBucket,
  tokenWindow,
  validateWindow,
  type FixedWindowLimit,
  type TokenBucketLimit,
} from '#shared/api/limits.ts';
import type { Bucket } from '#shared/api/routes.ts';
import type { Clock } from '#shared/lib/clock.ts';
import { Problem } from '../problem.ts';
import { createSharedBucket, createSharedWindow, type SharedLimits } from './limits-in-database.ts';
import { createFixedWindow, createTokenBucket, type Limit } from './limits-in-memory.ts';

/**
 * The partition whose limit a request uses: the client if the token is verified, else the address.
 */
export type Partition = { readonly client: string } | { readonly address: string };

/** Whether limits are on or off, or the factor by which every refill and burst is multiplied. */
export type Limits = 'on' | 'off' | number;

export type Limiter = ReturnType<typeof createLimiter>;

/**
 * The published limits. If they are in memory, a restart fills every bucket, which does no harm.
 * @param shared the database with the levels, if several processes share them.
 */
export function createLimiter(limits: Limits, clock: Clock, shared: SharedLimits | undefined) {
  const factor = typeof limits === 'number' ? limits : 1;
  const bucket = (name: Bucket, published: TokenBucketLimit) => {
    const limit = {
      capacity: published.capacity * factor,
      refillPerMinute: published.refillPerMinute * factor,
    };
    return {
      policy: `${name}; token-bucket; ${limit.refillPerMinute}/min; burst=${limit.capacity}`,
      limit: shared ? createSharedBucket(name, limit, shared) : createTokenBucket(limit, clock),
    };
  };
  const window = (name: Bucket, { requests, windowMs }: FixedWindowLimit) => {
    const limit = { requests: Math.max(1, Math.floor(requests * factor)), windowMs };
    return {
      policy: `${name}; fixed-window; ${(limit.requests * 60_000) / windowMs}/min`,
      limit: shared ? createSharedWindow(name, limit, shared) : createFixedWindow(limit, clock),
    };
  };
  const kinds: Record<Bucket, { readonly policy: string; readonly limit: Limit }> = {
    standard: bucket('standard', standardBucket),
    documents: bucket('documents', documentsBucket),
    token: window('token', tokenWindow),
    validate: window('validate', validateWindow),
  };

  /** The problem rate_limited with Retry-After and X-RateLimit-Policy. */
  function refusal(bucket: Bucket, waitMs: number): Problem {
    return new Problem('rate_limited', 'too many requests; wait as long as Retry-After says', {
      headers: {
        'Retry-After': String(retryAfterS(waitMs)),
        'X-RateLimit-Policy': kinds[bucket].policy,
      },
    });
  }

  return {
    refusal,
    /**
     * Takes one request from a partition's limit.
     * @throws {Problem} rate_limited; then nothing is taken.
     */
    async draw(bucket: Bucket, partition: Partition): Promise<void> {
      if (limits === 'off') return;
      const name =
        'client' in partition ? `client:${partition.client}` : `address:${partition.address}`;
      const waitMs = await kinds[bucket].limit.take(name);
      if (waitMs > 0) throw refusal(bucket, waitMs);
    },
  };
}

/**
 * The wait in whole seconds, rounded up (decisions, "Limits"). It is first rounded to a
 * millisecond, because a sum of refills may be 1000.0000000002, which means one second.
 */
function retryAfterS(waitMs: number): number {
  return Math.max(1, Math.ceil(Math.round(waitMs) / 1000));
}
