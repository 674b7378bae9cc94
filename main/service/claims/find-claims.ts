import { sql, type Kysely } from 'kysely';
import { comparisons, type FieldOf, isCounted } from '#shared/api/list-filters.ts';
import type { Caller } from '../../front/admit.ts';
import { Problem } from '../../front/problem.ts';
import { besideSearch } from '../../front/store/text-search.ts';
import { claimContains } from '../store/claim-search.ts';
import type { ServiceContext } from '../context.ts';
import type { Database, ClaimsTable } from '../store/tables.ts';
import { renderClaims } from './claim-view.ts';
import type { ClaimListRequest } from '../../front/request-schemas.ts';
import { countedTotal } from '../../front/store/list-counts.ts';
import {
  listReader,
  readListPage,
  type ListQuery,
  type PageMemory,
} from '../../front/store/list-page.ts';
import { slot } from '../../front/store/compiled-queries.ts';
import { searchTerms } from '../../front/search-text.ts';

/**
 * Reads one record (I4, X2).
 * @throws {Problem} not_found; forbidden if it belongs to another organization.
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

/** A page of the caller's records over the connection that suits it; see `listClaims`. */
export async function answerList(
  { db, slow, pageMemory }: Pick<ServiceContext, 'db' | 'slow' | 'pageMemory'>,
  caller: Caller,
  filters: ClaimListRequest,
): Promise<Buffer[]> {
  const kind = {
    isSearch: searchTerms(filters.q ?? '').length > 0,
    isCounted: isCounted(filters),
    list: listQuery(caller, filters),
  };
  const reader = await listReader({ db, slow }, kind, (limit) =>
    matchingClaims(db, caller, filters).select('claims.id').limit(limit),
  );
  return listClaims(reader, caller, filters, pageMemory);
}

/** A page of the caller's records (I1, X1; decisions, "Lists"). */
export async function listClaims(
  db: Kysely<Database>,
  caller: Caller,
  filters: ClaimListRequest,
  memory: PageMemory,
): Promise<Buffer[]> {
  const matching = () => matchingClaims(db, caller, filters);
  // With a cursor the oldest change comes first; without one the newest record does.
  const isNewestFirst = filters.lastChangedSince === undefined;
  const time = isNewestFirst ? 'claims.created_at' : 'claims.last_changed_at';
  const version = () =>
    db
      .selectFrom('claims')
      .select((select) => select.fn.coalesce(select.fn.max('last_changed_at'), sql.lit(0)).as('at'))
      .$asScalar()
      .$notNull()
      .as('version');
  const { total, rows } = await readListPage({
    db,
    memory,
    list: listQuery(caller, filters),
    key: JSON.stringify([caller.clientId, { ...filters, page: 0 }]),
    page: filters,
    order: { time, id: 'claims.id', isDescending: isNewestFirst },
    counted: isCounted(filters)
      ? () => countedTotal('claims_counts', slot('owner'), filters)
      : undefined,
    count: () =>
      sql<number>`(${matching().select((select) => select.fn.countAll<number>().as('total'))})`,
    scalars: (total) => db.selectNoFrom([total.as('total'), version()]),
    read: (slice, total) =>
      withPayload(db)
        .select([total.as('total'), version()])
        .select(`${time} as at`)
        .where('claims.id', 'in', slice(matching().select('claims.id'))),
  });
  const envelope = { Total: total, Page: filters.page, Size: filters.size };
  const items = await renderClaims(db, caller, rows);
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

const columns = {
  status: 'status',
  category: 'category',
  inspectionType: 'inspection_type',
  createdAt: 'created_at',
  completedAt: 'completed_at',
  lastChangedAt: 'last_changed_at',
  // The value is null without an approved report, and so matches no range.
  lastReportApprovedAt: 'last_report_approved_at',
} as const satisfies Record<FieldOf<'X1' | 'I1'>, keyof ClaimsTable>;

const listOf = ({ kind }: Caller) => (kind === 'expert' ? 'X1' : 'I1');

/** The queries of a list. Those of a search depend on its words. */
function listQuery(caller: Caller, filters: ClaimListRequest): ListQuery {
  const list = listOf(caller);
  const names = comparisons(list, columns, filters).map(({ name }) => name);
  const isSearch = searchTerms(filters.q ?? '').length > 0;
  return {
    name: isSearch ? undefined : [list, ...names].join(' '),
    values: { ...filters, owner: caller.organizationId },
  };
}

/** The claims of a list; the values of its filters are slots. */
function matchingClaims(db: Kysely<Database>, caller: Caller, filters: ClaimListRequest) {
  const owner = `${caller.kind}_organization_id` as const;
  const words = searchTerms(filters.q ?? '');
  const all = db.selectFrom('claims');
  let claims =
    words.length === 0
      ? all.where(owner, '=', slot('owner'))
      : all.where(sql<boolean>`${besideSearch(db, owner)} = ${slot('owner')}`);
  for (const { name, column, operator } of comparisons(listOf(caller), columns, filters)) {
    claims = claims.where(column, operator, slot(name));
  }
  return words.length === 0 ? claims : claims.where(claimContains(db, words));
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
 * @throws {Problem} not_found; forbidden if it belongs to another organization.
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
