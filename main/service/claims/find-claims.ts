import type { Kysely } from 'kysely';
import type { Caller } from '../../front/admit.ts';
import { Problem } from '../../front/problem.ts';
import { containsWords } from '../store/claim-search.ts';
import type { Database, ClaimsTable } from '../store/tables.ts';
import { renderClaims } from './claim-view.ts';
import { pageOffset, type ClaimFilters } from '../../front/request-schemas.ts';
import { searchTerms } from '../../front/search-text.ts';

/**
 * One record (I4, X2).
 * @throws {Problem} not_found; forbidden if it is another organization's.
 */
export async function readClaim(
  db: Kysely<Database>,
  caller: Caller,
  id: string,
): Promise<Buffer[]> {
  const claim = await withPayload(db).where('claims.id', '=', id).executeTakeFirst();
  if (!claim) throw new Problem('not_found', 'There is no such case.');
  assertAccess(caller, claim);
  return (await renderClaims(db, caller, [claim])).flat();
}

/**
 * A page of the caller's records (I1, X1; decisions, "Lists"). One statement reads the total and
 * the records: if a page showed a change without an earlier change, a partner whose cursor is the
 * latest change received would miss the earlier one for good (specification, "Sync procedure").
 */
export async function listClaims(
  db: Kysely<Database>,
  caller: Caller,
  filters: ClaimFilters,
): Promise<Buffer[]> {
  const matching = matchingClaims(db, caller, filters);
  const total = matching.select((select) => select.fn.countAll<number>().as('total'));
  // With a cursor the oldest change comes first, without one the newest record.
  const [column, direction] =
    filters.lastChangedSince === undefined
      ? (['claims.created_at', 'desc'] as const)
      : (['claims.last_changed_at', 'asc'] as const);
  const numbers = matching
    .select('number')
    .orderBy(column, direction)
    .orderBy('claims.id')
    .limit(filters.size)
    .offset(pageOffset(filters));
  const claims = await withPayload(db)
    .select(total.as('total'))
    .where('claims.number', 'in', numbers)
    .orderBy(column, direction)
    .orderBy('claims.id')
    .execute();
  const [first] = claims;
  // A page beyond the last has no row with the total.
  const counted = first ? first.total : (await total.executeTakeFirst())?.total;
  const envelope = { Total: counted ?? 0, Page: filters.page, Size: filters.size };
  const items = await renderClaims(db, caller, claims);
  return [
    Buffer.from(`${JSON.stringify(envelope).slice(0, -1)},"Items":[`),
    ...items.flatMap((item, index) => (index === 0 ? item : [comma, ...item])),
    Buffer.from(']}'),
  ];
}

const comma = Buffer.from(',');

function withPayload(db: Kysely<Database>) {
  return db
    .selectFrom('claims')
    .innerJoin('claim_payloads', 'claim_payloads.claim_number', 'claims.number')
    .selectAll('claims')
    .select('claim_payloads.payload_literal');
}

function matchingClaims(db: Kysely<Database>, caller: Caller, filters: ClaimFilters) {
  const owner = `${caller.kind}_organization_id` as const;
  const conditions = [
    ['status', '=', filters.status],
    ['category', '=', filters.category],
    ['inspection_type', '=', filters.inspectionType],
    ['created_at', '>=', filters.createdFrom],
    ['created_at', '<=', filters.createdTo],
    ['completed_at', '>=', filters.completedFrom],
    ['completed_at', '<=', filters.completedTo],
    ['last_changed_at', '>=', filters.lastChangedSince],
    // Null without an approved report, hence in no range.
    ['last_report_approved_at', '>=', filters.lastReportApprovedSince],
  ] as const;
  let claims = db.selectFrom('claims').where(owner, '=', caller.organizationId);
  for (const [column, comparison, value] of conditions) {
    if (value !== undefined) claims = claims.where(column, comparison, value);
  }
  const words = searchTerms(filters.q ?? '');
  return words.length === 0 ? claims : claims.where(containsWords(db, words));
}

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
