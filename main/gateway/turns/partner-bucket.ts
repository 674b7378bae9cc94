import { randomUUID } from 'node:crypto';
import type { TokenBucketLimit } from '#shared/api/limits.ts';
import type { Bucket } from '#shared/api/routes.ts';
import type { Clock } from '#shared/lib/clock.ts';
import { createSharedBucket, type SharedLimits } from '../../front/limits/limits-in-database.ts';
import { TokenBucket } from '../../partner/pacing/token-bucket.ts';

/** One of the partner's buckets, with the tokens that the gateway takes from it. */
export interface PartnerBucket {
  /** Takes a token, or returns the time until one may be available. */
  take(): Promise<Taken>;
  /** The number of tokens that are available now. */
  left(): number | Promise<number>;
}

export interface Taken {
  /** The time in ms; 0 if the token was taken. */
  readonly waitMs: number;
  /** The caller must call it when the partner has answered, or will certainly not answer. */
  readonly answered: () => Promise<void>;
}

const partition = 'partner';
/**
 * The longest possible request. After this time, the request of a process that ended is removed.
 */
const longestRequestMs = 120_000;

/**
 * The partner's bucket. It is in memory, in the same model as in the desk's client, or shared by
 * the processes of a database.
 *
 * The partner takes a token when a request arrives, and a full bucket loses its refill until then.
 * So running requests are reserved: each finds its token, even if it arrives late. The capacity is
 * reduced by one more, because two processes may count at the same time. In memory the bucket
 * starts empty, because the level that the previous process left is unknown.
 */
export function createPartnerBucket(
  name: Bucket,
  published: TokenBucketLimit,
  clock: Clock,
  shared: SharedLimits | undefined,
): PartnerBucket {
  const limit = { ...published, capacity: published.capacity - 1 };
  return shared ? inDatabase(name, limit, shared) : inMemory(limit, clock);
}

function inMemory(limit: TokenBucketLimit, clock: Clock): PartnerBucket {
  const bucket = new TokenBucket(limit, 0, clock.monotonic());
  const refillMs = 60_000 / limit.refillPerMinute;
  return {
    take() {
      // An answer may free a token earlier.
      const waitMs = Math.min(bucket.waitMs(clock.monotonic()), refillMs);
      if (waitMs > 0) return Promise.resolve({ waitMs, answered: () => Promise.resolve() });
      bucket.reserve();
      const answered = () => {
        bucket.draw(clock.monotonic());
        return Promise.resolve();
      };
      return Promise.resolve({ waitMs, answered });
    },
    left: () => Math.max(0, bucket.available(clock.monotonic())),
  };
}

function inDatabase(name: Bucket, limit: TokenBucketLimit, shared: SharedLimits): PartnerBucket {
  const bucket = createSharedBucket(name, limit, shared);
  const onTheWay = requestsOnTheWay(name, shared);
  /** Counts the refill during the request before the request is removed. */
  async function settle(remove: () => Promise<unknown>): Promise<void> {
    try {
      await bucket.take(partition, await onTheWay.count(), 0);
      await remove();
    } catch {
      // The database failed. The request is removed when it is too old.
    }
  }
  return {
    async take() {
      const waitMs = await bucket.take(partition, await onTheWay.count());
      if (waitMs > 0) return { waitMs, answered: () => Promise.resolve() };
      const remove = await onTheWay.add();
      return { waitMs, answered: () => settle(remove) };
    },
    left: () => bucket.left(partition),
  };
}

/**
 * The running requests, with one row for each. If its process ended, the purge of the limits
 * deletes the row.
 */
function requestsOnTheWay(bucket: Bucket, { db, clock }: SharedLimits) {
  const prefix = `${bucket} on its way `;
  return {
    async count() {
      const { count } = await db
        .selectFrom('rate_limits')
        .select(({ fn }) => fn.countAll().as('count'))
        .where('name', 'like', `${prefix}%`)
        .where('idle_from', '>', clock.now())
        .executeTakeFirstOrThrow();
      return Number(count);
    },
    async add() {
      const name = prefix + randomUUID();
      const at = clock.now();
      const row = { name, level: 0, at, wait_ms: 0, idle_from: at + longestRequestMs };
      await db.insertInto('rate_limits').values(row).execute();
      return () => db.deleteFrom('rate_limits').where('name', '=', name).execute();
    },
  };
}
