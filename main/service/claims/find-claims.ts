import type { Kysely, SelectQueryBuilder } from 'kysely';
import type { Caller } from '../auth/caller.ts';
import { prepareQuery, type PreparedQuery } from '../store/prepare-query.ts';
import type { Search } from '../store/dialect-words.ts';
import type { Database } from '../store/tables.ts';
import { wordsOf } from '../store/words-of.ts';
import {
  claimConditions,
  otherColumn,
  ownerColumn,
  type ClaimCondition,
} from './claim-conditions.ts';
import type { ClaimFilters } from './list-queries.ts';
import { pageOffset } from './request-schemas.ts';
import { facetToken, searchWords, type Facet, type Owner } from './search-text.ts';

/** A record on a page, without its view. */
export interface FoundClaim {
  readonly number: number;
  /** With whom the caller shares it: an insurer's expert, an expert's insurer. */
  readonly other: string | null;
  readonly last_changed_at: number;
  readonly last_report_approved_at: number | null;
}

export interface FoundPage {
  readonly total: number;
  readonly claims: readonly FoundClaim[];
}

/** Finds the page of a list (decisions, "Lists"). */
export type ClaimFinder = (caller: Caller, filters: ClaimFilters) => Promise<FoundPage>;

/** No more than a page needs: each value that comes out of SQLite takes a microsecond or two. */
function pageColumns(other: Owner) {
  return ['number', `${other} as other`, 'last_changed_at', 'last_report_approved_at'] as const;
}

/** Hits that are few enough to be sorted for a page of them. */
const sortedHits = 1000;

export function createClaimFinder(db: Kysely<Database>): ClaimFinder {
  const byFilters = createFilterFinder(db);
  return (caller, filters) => {
    const words = searchWords(filters.q ?? '');
    const conditions = claimConditions(caller, filters);
    const other = otherColumn(caller);
    if (words.length === 0) return byFilters(conditions, filters, other);
    const ownedBy = ownerColumn(caller);
    const owner = facetToken(ownedBy, caller.organizationId);
    const others = conditions.filter(({ column }) => column !== ownedBy);
    return findByWords(db, { owner, words }, others, filters, other);
  };
}

type Claims<Row = object> = SelectQueryBuilder<Database, 'claims', Row>;

function withConditions(claims: Claims, conditions: readonly ClaimCondition[]): Claims {
  return conditions.reduce(
    (all, { column, comparison, value }) => all.where(column, comparison, value),
    claims,
  );
}

function countOf(claims: Claims): Claims<{ total: number }> {
  return claims.select((select) => select.fn.countAll<number>().as('total'));
}

/** The cursor's walk goes forward in change order; everything else shows the newest first. */
function pageOf(claims: Claims, filters: ClaimFilters, other: Owner): Claims<FoundClaim> {
  const ordered =
    filters.lastChangedSince === undefined
      ? claims.orderBy('created_at', 'desc')
      : claims.orderBy('last_changed_at');
  return ordered
    .orderBy('id')
    .select(pageColumns(other))
    .limit(filters.size)
    .offset(pageOffset(filters));
}

/** Without words: two queries for each set of filters, built when it is first asked for. */
function createFilterFinder(db: Kysely<Database>) {
  interface Queries {
    readonly count: PreparedQuery<{ total: number }>;
    readonly page: PreparedQuery<FoundClaim>;
  }
  const prepared = new Map<string, Queries>();

  function queriesFor(
    conditions: readonly ClaimCondition[],
    filters: ClaimFilters,
    other: Owner,
  ): Queries {
    const shape = conditions.map(({ column, comparison }) => column + comparison).join(' ');
    const known = prepared.get(shape);
    if (known) return known;
    const matching = withConditions(db.selectFrom('claims'), conditions);
    const queries = {
      count: prepareQuery(db, () => countOf(matching)),
      page: prepareQuery(db, () => pageOf(matching, filters, other)),
    };
    prepared.set(shape, queries);
    return queries;
  }

  return async (
    conditions: readonly ClaimCondition[],
    filters: ClaimFilters,
    other: Owner,
  ): Promise<FoundPage> => {
    const queries = queriesFor(conditions, filters, other);
    const values = conditions.map(({ value }) => value);
    const [count] = await queries.count(values);
    const claims = await queries.page([...values, filters.size, pageOffset(filters)]);
    return { total: count?.total ?? 0, claims };
  };
}

/**
 * With words. The index knows the owners, words and facets, so it counts alone, several times as
 * quickly as by looking each hit up. A page of many hits is the end of the index, because claims
 * get their numbers in the order of their creation; a page of few is sorted.
 */
async function findByWords(
  db: Kysely<Database>,
  asked: Pick<Search, 'owner' | 'words'>,
  conditions: readonly ClaimCondition[],
  filters: ClaimFilters,
  other: Owner,
): Promise<FoundPage> {
  const facets = conditions.flatMap(({ column, value }) =>
    isFacet(column) ? [facetToken(column, String(value))] : [],
  );
  const rest = conditions.filter(({ column }) => !isFacet(column));
  const search = { ...asked, facets };
  const hits = await wordsOf(db).hitsOf(db, search);
  const all = hits.numbers();
  const matching = withConditions(db.selectFrom('claims'), rest).where('number', 'in', all);
  const total =
    rest.length > 0
      ? (await countOf(matching).executeTakeFirstOrThrow()).total
      : await hits.count();
  if (rest.length > 0 || total <= sortedHits) {
    return { total, claims: await pageOf(matching, filters, other).execute() };
  }
  const newest = { limit: filters.size, offset: pageOffset(filters) };
  const claims = await db
    .selectFrom('claims')
    .select(pageColumns(other))
    .where('number', 'in', hits.numbers(newest))
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .execute();
  return { total, claims };
}

const facetColumns: ReadonlySet<string> = new Set<Facet>(['category', 'status', 'inspection_type']);

function isFacet(column: string): column is Facet {
  return facetColumns.has(column);
}
