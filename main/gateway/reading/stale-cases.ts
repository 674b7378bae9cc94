import { sql, type Kysely } from 'kysely';
import { endedStatuses } from '#shared/api/states.ts';
import type { GatewayTables } from '../tables.ts';

/**
 * The value is 1 if a case must be read ahead, because its documents or reports are older than the
 * case.
 */
export const staleExpression = sql<number>`case when delisted = 0 and unsure_since is null
  and status not in (${sql.join(endedStatuses.map((status) => sql.lit(status)))})
  and (documents_as_of is null or documents_as_of <> partner_changed_at
    or reports_as_of is null or reports_as_of <> partner_changed_at) then 1 else 0 end`;

/** Selects the stale cases, the latest change first. @param except cases that cannot be read */
export function findStaleCases(
  db: Kysely<GatewayTables>,
  { limit, except }: { readonly limit: number; readonly except: ReadonlySet<string> },
) {
  return db
    .selectFrom('cases')
    .selectAll()
    .where('stale', '=', sql.lit(1))
    .where('id', 'not in', [...except, ''])
    .orderBy('changed_at', 'desc')
    .limit(limit);
}
