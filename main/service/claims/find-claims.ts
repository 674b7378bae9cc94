import type { Kysely, SelectQueryBuilder } from 'kysely';
import type { Caller } from '../front/auth/authenticate.ts';
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

/** A record on a page. */
export interface FoundClaim {
  readonly number: number;
  /** With whom the caller shares it: an insurer's expert, an expert's insurer. */
  readonly other: string | null;
  readonly last_changed_at: number;
  readonly last_report_approved_at: number | null;
  /** Its view (see claim-view.ts), of the same moment; only where views were asked for. */
  readonly json?: Buffer;
}

export interface FoundPage {
  readonly total: number;
  readonly claims: readonly FoundClaim[];
}

/**
 * Finds the page of a list (decisions, "Lists"). All of its records are of one moment. So is the
 * total, but for a search without times, whose index counts alone.
 * @param withViews whether the records' views are read in the same statement.
 */
export type ClaimFinder = (
  caller: Caller,
  filters: ClaimFilters,
  withViews?: boolean,
) => Promise<FoundPage>;

/** What a page shows. */
interface Shown {
  readonly other: Owner;
  readonly withViews: boolean;
}

/** No more than a page needs: each value that comes out of SQLite takes a microsecond or two. */
function pageColumns(other: Owner) {
  return ['number', `${other} as other`, 'last_changed_at', 'last_report_approved_at'] as const;
}

/** Hits that are few enough to be sorted for a page of them. */
const sortedHits = 1000;

export function createClaimFinder(db: Kysely<Database>): ClaimFinder {
  const byFilters = createFilterFinder(db);
  return (caller, filters, withViews = false) => {
    const words = searchWords(filters.q ?? '');
    const conditions = claimConditions(caller, filters);
    const shown = { other: otherColumn(caller), withViews };
    if (words.length === 0) return byFilters(conditions, filters, shown);
    const ownedBy = ownerColumn(caller);
    const owner = facetToken(ownedBy, caller.organizationId);
    const others = conditions.filter(({ column }) => column !== ownedBy);
    return findByWords(db, { owner, words }, others, filters, shown);
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
function inOrder<Row>(claims: Claims<Row>, filters: ClaimFilters) {
  const ordered =
    filters.lastChangedSince === undefined
      ? claims.orderBy('created_at', 'desc')
      : claims.orderBy('last_changed_at');
  return ordered.orderBy('id');
}

function shownOf<Row>(claims: Claims<Row>, { other, withViews }: Shown) {
  return claims
    .select(pageColumns(other))
    .$if(withViews, (page) =>
      page.innerJoin('claim_views', 'claim_number', 'number').select('json'),
    );
}

function pageOf<Row>(claims: Claims<Row>, filters: ClaimFilters, shown: Shown) {
  return shownOf(inOrder(claims, filters), shown).limit(filters.size).offset(pageOffset(filters));
}

/**
 * A page that also tells, in each row, how many match: counted by a statement of its own, a claim
 * that comes or goes meanwhile would make who reads by pages stop before the last one.
 */
function countedPageOf(matching: Claims, filters: ClaimFilters, shown: Shown) {
  return pageOf(matching.select(countOf(matching).as('total')), filters, shown);
}

/** Without words: two queries for each set of filters, built when it is first asked for. */
function createFilterFinder(db: Kysely<Database>) {
  interface Queries {
    readonly count: PreparedQuery<{ total: number }>;
    readonly page: PreparedQuery<FoundClaim & { total: number | null }>;
  }
  const prepared = new Map<string, Queries>();

  function queriesFor(
    conditions: readonly ClaimCondition[],
    filters: ClaimFilters,
    shown: Shown,
  ): Queries {
    const columns = conditions.map(({ column, comparison }) => column + comparison);
    const shape = [shown.withViews, ...columns].join(' ');
    const known = prepared.get(shape);
    if (known) return known;
    const matching = withConditions(db.selectFrom('claims'), conditions);
    const queries = {
      count: prepareQuery(db, () => countOf(matching)),
      page: prepareQuery(db, () => countedPageOf(matching, filters, shown)),
    };
    prepared.set(shape, queries);
    return queries;
  }

  return async (
    conditions: readonly ClaimCondition[],
    filters: ClaimFilters,
    shown: Shown,
  ): Promise<FoundPage> => {
    const queries = queriesFor(conditions, filters, shown);
    const values = conditions.map(({ value }) => value);
    const offset = pageOffset(filters);
    const claims = await queries.page([...values, ...values, filters.size, offset]);
    return { total: await totalOf(claims, offset, () => queries.count(values)), claims };
  };
}

/**
 * How many match, as the rows of a counted page tell. Past the last page there are none, and what
 * is counted then may be of a later moment; nobody's cursor gets on by a page without records.
 */
async function totalOf(
  [claim]: readonly { readonly total: number | null }[],
  offset: number,
  count: () => Promise<{ total: number }[]>,
): Promise<number> {
  if (claim || offset === 0) return claim?.total ?? 0;
  const [counted] = await count();
  return counted?.total ?? 0;
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
  shown: Shown,
): Promise<FoundPage> {
  const facets = conditions.flatMap(({ column, value }) =>
    isFacet(column) ? [facetToken(column, String(value))] : [],
  );
  const rest = conditions.filter(({ column }) => !isFacet(column));
  const search = { ...asked, facets };
  const hits = await wordsOf(db).hitsOf(db, search);
  const all = hits.numbers();
  const matching = withConditions(db.selectFrom('claims'), rest).where('number', 'in', all);
  if (rest.length > 0) {
    const claims = await countedPageOf(matching, filters, shown).execute();
    const count = () => countOf(matching).execute();
    return { total: await totalOf(claims, pageOffset(filters), count), claims };
  }
  const total = await hits.count();
  if (total <= sortedHits) {
    return { total, claims: await pageOf(matching, filters, shown).execute() };
  }
  const newest = { limit: filters.size, offset: pageOffset(filters) };
  const onPage = db.selectFrom('claims').where('number', 'in', hits.numbers(newest));
  const claims = await shownOf(inOrder(onPage, filters), shown).execute();
  return { total, claims };
}

const facetColumns: ReadonlySet<string> = new Set<Facet>(['category', 'status', 'inspection_type']);

function isFacet(column: string): column is Facet {
  return facetColumns.has(column);
}
