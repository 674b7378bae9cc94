import { randomUUID } from 'node:crypto';
import type { TokenBucketLimit } from '#shared/api/limits.ts';
import type { Bucket } from '#shared/api/routes.ts';
import type { Clock } from '#shared/lib/clock.ts';
import { createSharedBucket, type SharedLimits } from '../front/limits/limits-in-database.ts';
import { createTokenBucket, type TokenBucket } from '../front/limits/limits-in-memory.ts';

/** One of the partner's buckets, as the gateway draws on it. */
export interface PartnerBucket {
  /** A token, or how long until there may be one. */
  take(): Promise<Taken>;
  /** Tokens that are there now. */
  left(): number | Promise<number>;
}

export interface Taken {
  /** 0: the token was taken. */
  readonly waitMs: number;
  /** To be called once the partner has answered, or never will. */
  readonly answered: () => Promise<void>;
}

/** Requests that the partner has not answered yet. */
interface OnTheWay {
  count(): number | Promise<number>;
  /** @returns takes it away again */
  add(): Remove | Promise<Remove>;
}
type Remove = () => unknown;

const partition = 'partner';
/** No request is on its way for longer; one of a process that has died is forgotten then. */
const longestRequestMs = 120_000;

/**
 * The partner's bucket in memory, or shared by the processes of a database.
 *
 * The partner draws when a request arrives, and a full bucket loses what is refilled until then. So
 * as many tokens as requests are on their way are missing from the capacity: however late they
 * arrive, each finds its token. One more is missing, because two processes may count at once. In
 * memory it begins empty, because nobody knows what the process before has left.
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
  /** What was refilled while it was on its way is counted before it is taken away. */
  async function settle(remove: Remove): Promise<void> {
    try {
      await bucket.take(partition, await onTheWay.count(), 0);
      await remove();
    } catch {
      // The database is gone; the request is forgotten by its age.
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

/** A row of its own for each, which the purge of the limits takes away if its process has died. */
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
