import {
  documentsBucket,
  standardBucket,
  tokenWindow,
  validateWindow,
} from '#shared/api/limits.ts';
import type { Bucket } from '#shared/api/routes.ts';
import type { Clock } from '#shared/lib/clock.ts';
import { Problem } from '../problem.ts';
import { createFixedWindow } from './fixed-window.ts';
import type { Limit } from './limit.ts';
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
 * Limits held in memory: a restart fills every bucket, which harms nobody. Several processes that
 * share one address need an implementation over the database.
 */
export function createLimiter(limits: Limits, clock: Clock): Limiter {
  if (limits === 'off') return { draw: () => Promise.resolve() };
  const factor = limits === 'on' ? 1 : limits;
  const kinds: Record<Bucket, Limit> = {
    standard: createTokenBucket(standardBucket, factor, clock),
    documents: createTokenBucket(documentsBucket, factor, clock),
    token: createFixedWindow(tokenWindow, factor, clock),
    validate: createFixedWindow(validateWindow, factor, clock),
  };
  return {
    draw(bucket, partition) {
      const limit = kinds[bucket];
      const name =
        'client' in partition ? `client:${partition.client}` : `address:${partition.address}`;
      const waitMs = limit.take(name);
      if (waitMs === 0) return Promise.resolve();
      return Promise.reject(
        new Problem('rate_limited', 'too many requests; wait as long as Retry-After says', {
          headers: {
            'Retry-After': String(Math.ceil(waitMs / 1000)),
            'X-RateLimit-Policy': `${bucket}; ${limit.policy}`,
          },
        }),
      );
    },
  };
}
