import { sql, type Kysely } from 'kysely';
import type { FixedWindowLimit, TokenBucketLimit } from '#shared/api/limits.ts';
import type { Bucket } from '#shared/api/routes.ts';
import type { Clock } from '#shared/lib/clock.ts';
import type { LimitTables } from '../store/tables.ts';
import { tolerance, type Limit, type TokenBucket } from './limits-in-memory.ts';

/*
 * The limits that several processes share, in PostgreSQL. Each request is one statement that both
 * decides and takes, because the statement locks the row until its end.
 */

export interface SharedLimits {
  readonly db: Kysely<LimitTables>;
  /** The database's time, which is the same for all processes. */
  readonly clock: Clock;
}

/** A token bucket like `createTokenBucket`, with its levels in a database. */
export function createSharedBucket(
  bucket: Bucket,
  { capacity, refillPerMinute }: TokenBucketLimit,
  { db, clock }: SharedLimits,
): TokenBucket {
  const perMs = refillPerMinute / 60_000;
  const fullAfterMs = Math.ceil((capacity + 1) / perMs);

  return {
    async take(partition, reserved = 0, tokens = 1) {
      const now = clock.now();
      const room = capacity - reserved;
      const isTaken = room + tolerance >= tokens;
      const first = {
        level: isTaken ? room - tokens : room,
        waitMs: isTaken ? 0 : (tokens - room) / perMs,
      };
      const { rows } = await sql<{ wait_ms: number }>`
        insert into rate_limits as stored (name, level, at, wait_ms, idle_from)
        values (${`${bucket} ${partition}`}, ${first.level}, ${now}, ${first.waitMs},
          ${now + fullAfterMs})
        on conflict (name) do update set (level, at, wait_ms, idle_from) = (
          select
            case when level + ${tolerance} >= ${tokens} then level - ${tokens} else level end,
            greatest(stored.at, excluded.at),
            case when level + ${tolerance} >= ${tokens} then 0
              else (${tokens} - level) / ${perMs}::double precision end,
            greatest(stored.idle_from, excluded.idle_from)
          from (select least(${room}::double precision, stored.level
            + greatest(0, excluded.at - stored.at) * ${perMs}::double precision) as level) as refilled
        )
        returning wait_ms`.execute(db);
      return waitMsOf(rows);
    },
    async left(partition) {
      const row = await db
        .selectFrom('rate_limits')
        .select(['level', 'at'])
        .where('name', '=', `${bucket} ${partition}`)
        .executeTakeFirst();
      if (!row) return capacity;
      return Math.min(capacity, row.level + Math.max(0, clock.now() - row.at) * perMs);
    },
  };
}

/** A window like `createFixedWindow`, with its levels in a database. */
export function createSharedWindow(
  bucket: Bucket,
  { requests, windowMs }: FixedWindowLimit,
  { db, clock }: SharedLimits,
): Limit {
  return {
    async take(partition) {
      const now = clock.now();
      const start = Math.floor(now / windowMs) * windowMs;
      const end = start + windowMs;
      // The right side of each `=` sees the row as it was before.
      const { rows } = await sql<{ wait_ms: number }>`
        insert into rate_limits as stored (name, level, at, wait_ms, idle_from)
        values (${`${bucket} ${partition}`}, 1, ${start}, 0, ${end})
        on conflict (name) do update set
          level = case when excluded.at > stored.at then 1
            else least(stored.level + 1, ${requests}) end,
          at = greatest(stored.at, excluded.at),
          wait_ms = case when excluded.at > stored.at or stored.level < ${requests} then 0
            else greatest(1, stored.idle_from - ${now}) end,
          idle_from = greatest(stored.idle_from, excluded.idle_from)
        returning wait_ms`.execute(db);
      return waitMsOf(rows);
    },
  };
}

/** Deletes the rows of buckets that are full again. */
export async function purgeSharedLimits({ db, clock }: SharedLimits): Promise<void> {
  await db.deleteFrom('rate_limits').where('idle_from', '<=', clock.now()).execute();
}

function waitMsOf(rows: readonly { wait_ms: number }[]): number {
  const [row] = rows;
  if (!row) throw new Error('the limit was not counted');
  return row.wait_ms;
}
