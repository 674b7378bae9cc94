import type { Kysely } from 'kysely';
import { Problem } from '../front/problem.ts';
import type { Database } from '../store/tables.ts';

/** @throws {Problem} not_found */
export async function loadOrganization(
  db: Kysely<Database>,
  organizationId: string,
): Promise<{ kind: 'insurer' | 'expert' }> {
  const organization = await db
    .selectFrom('organizations')
    .select('kind')
    .where('id', '=', organizationId)
    .executeTakeFirst();
  if (!organization) throw new Problem('not_found', 'There is no such organization.');
  return organization;
}
