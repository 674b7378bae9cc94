import type { Kysely } from 'kysely';
import type { Clock } from '#shared/lib/clock.ts';
import { createStoreCheck } from '../front/status/store-check.ts';
import type { Database } from './store/tables.ts';

/** Creates the check of the service's store, which writes a row that counts the checks. */
export function createHealthCheck({
  db,
  clock,
}: {
  readonly db: Kysely<Database>;
  readonly clock: Clock;
}) {
  return createStoreCheck(clock, () =>
    db
      .insertInto('counters')
      .values({ name: 'health checks', value: 1 })
      .onConflict((conflict) =>
        conflict.column('name').doUpdateSet((set) => ({ value: set('counters.value', '+', 1) })),
      )
      .execute(),
  );
}
