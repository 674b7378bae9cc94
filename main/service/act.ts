import type { Kysely } from 'kysely';
import type { Clock } from '#shared/lib/clock.ts';
import type { Database } from './store/tables.ts';

/** Who does something to a record, and when. */
export interface Act {
  /** Milliseconds since 1970. */
  readonly at: number;
  /** The client id, or `backoffice`. */
  readonly by: string;
}

/**
 * Something that is done now. Its time is never before the last change of any record, which may be
 * ahead of the clock: by a millisecond for a record that changed twice in one, by hours where the
 * clock was set back. Partners ask for what changed since the latest change that they have seen, so
 * one with an earlier time would be missed for good (specification, "Sync").
 * @param db the transaction in which it is done; before it, another could still come between.
 * @param by the client id, or `backoffice`.
 */
export async function actNow(db: Kysely<Database>, clock: Clock, by: string): Promise<Act> {
  const { last } = await db
    .selectFrom('claims')
    .select(({ fn }) => fn.max<number | null>('last_changed_at').as('last'))
    .executeTakeFirstOrThrow();
  return { at: Math.max(clock.now(), last ?? 0), by };
}
