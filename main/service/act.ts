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
 * An act of now. Its time is not before the last change of any record, which may be ahead of the
 * clock, if a record changed twice in a millisecond or the clock was set back. Partners ask for
 * changes since the latest one received, so they would miss an earlier one for good
 * (specification, "Sync").
 * @param db the transaction of the act.
 * @param by the client id, or `backoffice`.
 */
export async function actNow(db: Kysely<Database>, clock: Clock, by: string): Promise<Act> {
  const { last } = await db
    .selectFrom('claims')
    .select(({ fn }) => fn.max<number | null>('last_changed_at').as('last'))
    .executeTakeFirstOrThrow();
  return { at: Math.max(clock.now(), last ?? 0), by };
}
