import type { Kysely } from 'kysely';
import type { Clock } from '#shared/lib/clock.ts';
import type { Database } from './store/tables.ts';

/** The author and the time of a change. */
export interface Act {
  /** Milliseconds since 1970. */
  readonly at: number;
  /** The client id, or `backoffice`. */
  readonly by: string;
}

/**
 * An act of this moment. Its time is never before the last change of any record, which is ahead of
 * the clock if that was set back: a partner's cursor would miss an earlier change for good
 * (specification, "Sync procedure").
 * @param db the transaction of the change, so that no other change comes between.
 * @param by the client id, or `backoffice`.
 */
export async function actNow(db: Kysely<Database>, clock: Clock, by: string): Promise<Act> {
  const { last } = await db
    .selectFrom('claims')
    .select(({ fn }) => fn.max<number | null>('last_changed_at').as('last'))
    .executeTakeFirstOrThrow();
  return { at: Math.max(clock.now(), last ?? 0), by };
}
