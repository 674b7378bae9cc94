import { randomUUID } from 'node:crypto';
import type { TokenBucketLimit } from '#shared/api/limits.ts';
import type { Bucket } from '#shared/api/routes.ts';
import type { Clock } from '#shared/lib/clock.ts';
import { createSharedBucket, type SharedLimits } from '../front/limits/limits-in-database.ts';
import { createTokenBucket, type TokenBucket } from '../front/limits/limits-in-memory.ts';

/** One of the partner's buckets, as the gateway draws on it. */
export interface PartnerBucket {
  /** Takes a token, or returns how long until one may be available. */
  take(): Promise<Taken>;
  /** Tokens that are available now. */
  left(): number | Promise<number>;
}

export interface Taken {
  /** 0 if the token was taken. */
  readonly waitMs: number;
  /** The caller calls it when the partner has answered, or certainly will not. */
  readonly answered: () => Promise<void>;
}

/** Requests that the partner has not answered yet. */
interface OnTheWay {
  count(): number | Promise<number>;
  /** @returns the function that removes it */
  add(): Remove | Promise<Remove>;
}
type Remove = () => unknown;

const partition = 'partner';
/** The longest possible request. After this time a request of a dead process is removed. */
const longestRequestMs = 120_000;

/**
 * The partner's bucket in memory, or shared by the processes of a database.
 *
 * The partner takes a token when a request arrives, and a full bucket loses its refill until then.
 * So the capacity is reduced by the number of requests on their way: each finds its token, even if
 * it arrives late. It is reduced by one more, because two processes may count at the same time. In
 * memory the bucket starts empty, because the level that the previous process left is unknown.
 */
export function createPartnerBucket(
  name: Bucket,
  published: TokenBucketLimit,
  clock: Clock,
  shared: SharedLimits | undefined,
): PartnerBucket {
  const limit = { ...published, capacity: published.capacity - 1 };
  const bucket = shared ? createSharedBucket(name, limit, shared) : emptyBucket(limit, clock);
  const onTheWay = shared ? inDatabase(name, shared) : inMemory();
  /** Counts the refill during the request before the request is removed. */
  async function settle(remove: Remove): Promise<void> {
    try {
      await bucket.take(partition, await onTheWay.count(), 0);
      await remove();
    } catch {
      // The database failed; the request is removed when it is too old.
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

function emptyBucket(limit: TokenBucketLimit, clock: Clock): TokenBucket {
  const bucket = createTokenBucket(limit, clock);
  while (bucket.take(partition) === 0);
  return bucket;
}

function inMemory(): OnTheWay {
  let count = 0;
  return {
    count: () => count,
    add() {
      count += 1;
      return () => (count -= 1);
    },
  };
}

/** One row for each request. The purge of the limits deletes the row if its process died. */
function inDatabase(bucket: Bucket, { db, clock }: SharedLimits): OnTheWay {
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
