import type { Kysely } from 'kysely';
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
import type { LimitTables } from '../store/tables.ts';
import { createFixedWindow } from './fixed-window.ts';
import type { Limit, SharedLimit } from './limit.ts';
import { createSharedBucket, createSharedWindow } from './shared-limits.ts';
import { createTokenBucket } from './token-bucket.ts';

/** Whom a request counts against: its client once the token is verified, else its address. */
export type Partition = { readonly client: string } | { readonly address: string };

/** `on`, `off`, or the factor by which every refill and burst is multiplied. */
export type Limits = 'on' | 'off' | number;

export interface Limiter {
  /**
   * Takes one request from a partition's limit.
   * @throws {Problem} rate_limited with Retry-After and X-RateLimit-Policy; nothing is taken then.
   */
  draw(bucket: Bucket, partition: Partition): Promise<void>;
}

/**
 * The published limits. In memory a restart fills every bucket, which harms nobody.
 * @param shared where the levels are, if several processes share them.
 */
export function createLimiter(limits: Limits, clock: Clock, shared?: Kysely<LimitTables>): Limiter {
  if (limits === 'off') return { draw: () => Promise.resolve() };
  const factor = limits === 'on' ? 1 : limits;
  const bucket = (name: Bucket, limit: TokenBucketLimit) =>
    shared
      ? createSharedBucket(name, limit, factor, { db: shared, clock })
      : createTokenBucket(limit, factor, clock);
  const window = (name: Bucket, limit: FixedWindowLimit) =>
    shared
      ? createSharedWindow(name, limit, factor, { db: shared, clock })
      : createFixedWindow(limit, factor, clock);
  const kinds: Record<Bucket, Limit | SharedLimit> = {
    standard: bucket('standard', standardBucket),
    documents: bucket('documents', documentsBucket),
    token: window('token', tokenWindow),
    validate: window('validate', validateWindow),
  };
  return {
    async draw(bucket, partition) {
      const limit = kinds[bucket];
      const name =
        'client' in partition ? `client:${partition.client}` : `address:${partition.address}`;
      const waitMs = await limit.take(name);
      if (waitMs === 0) return;
      throw new Problem('rate_limited', 'too many requests; wait as long as Retry-After says', {
        headers: {
          'Retry-After': String(retryAfterS(waitMs)),
          'X-RateLimit-Policy': `${bucket}; ${limit.policy}`,
        },
      });
    },
  };
}

/**
 * Whole seconds, rounded up (decisions, "Limits"). First to a millisecond, because 1000.0000000002,
 * as sums of refills come out, is not a second and a bit.
 */
function retryAfterS(waitMs: number): number {
  return Math.max(1, Math.ceil(Math.round(waitMs) / 1000));
}
