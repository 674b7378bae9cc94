import type { Kysely } from 'kysely';
import type { Caller } from '../../front/admit.ts';
import { Problem } from '../../front/problem.ts';
import type { ClaimsTable, Database } from '../store/tables.ts';

type OwnedClaim = Pick<ClaimsTable, 'insurer_organization_id' | 'expert_organization_id'>;

/** @throws {Problem} not_found */
export async function loadClaim(db: Kysely<Database>, id: string): Promise<ClaimsTable> {
  const claim = await db.selectFrom('claims').selectAll().where('id', '=', id).executeTakeFirst();
  if (!claim) throw new Problem('not_found', 'There is no such case.');
  return claim;
}

/**
 * A record for its insurer or its expert.
 * @throws {Problem} not_found; forbidden if it is another organization's.
 */
export async function loadClaimFor(
  db: Kysely<Database>,
  caller: Caller,
  id: string,
): Promise<ClaimsTable> {
  const claim = await loadClaim(db, id);
  assertAccess(caller, claim);
  return claim;
}

/**
 * An insurer may see its own records, an expert those assigned to it.
 * @throws {Problem} forbidden
 */
export function assertAccess(caller: Caller, claim: OwnedClaim): void {
  const owner =
    caller.kind === 'insurer' ? claim.insurer_organization_id : claim.expert_organization_id;
  if (owner !== caller.organizationId) {
    throw new Problem('forbidden', 'The record belongs to another organization.');
  }
}
