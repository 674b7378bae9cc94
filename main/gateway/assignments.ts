import type { Kysely } from 'kysely';
import type { Clock } from '#shared/lib/clock.ts';
import { nextChangeAt } from './store-cases.ts';
import type { GatewayTables } from './tables.ts';

/**
 * Assigns a case to a client, or takes it away. The case counts as changed, so that the client's next
 * poll brings it.
 * @returns false if there is no such case or client.
 */
export function assignCase(
  db: Kysely<GatewayTables>,
  clock: Clock,
  { caseId, clientId, isRemoved }: AssignmentChange,
): Promise<boolean> {
  return db.transaction().execute(async (transaction) => {
    const found = await transaction
      .selectFrom('cases')
      .innerJoin('clients', (join) => join.on('clients.client_id', '=', clientId))
      .select('cases.id')
      .where((where) =>
        where.or([where('cases.id', '=', caseId), where('external_key', '=', caseId)]),
      )
      .executeTakeFirst();
    if (!found) return false;
    if (isRemoved) {
      await transaction
        .deleteFrom('assignments')
        .where('case_id', '=', found.id)
        .where('client_id', '=', clientId)
        .execute();
      return true;
    }
    await transaction
      .insertInto('assignments')
      .values({ case_id: found.id, client_id: clientId })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    await transaction
      .updateTable('cases')
      .set({ changed_at: await nextChangeAt(transaction, clock) })
      .where('id', '=', found.id)
      .execute();
    return true;
  });
}

export interface AssignmentChange {
  /** Id or ExternalKey. */
  readonly caseId: string;
  readonly clientId: string;
  readonly isRemoved: boolean;
}
