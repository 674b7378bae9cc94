import type { CaseListInput } from '#shared/desk/cases.ts';
import type { Database } from '../database/sqlite.ts';
import { ensureOrder, orderBy, orderTable } from './case-orders.ts';
import type { CaseRecord } from './case-records.ts';
import type { Facet, Facets } from './facets.ts';
import type { FoundWords } from './found-words.ts';
import type { SearchIndex } from './search-index.ts';
import { indexOfPlace, together } from './sorted-places.ts';

export interface CaseListRecords {
  readonly items: CaseRecord[];
  readonly total: number;
  /**
   * False where counting stopped at `countMax`, or more documents have the words than a search looks
   * at: there are at least so many.
   */
  readonly totalIsExact: boolean;
  /** Rows by status under the same words, category and inspection type; empty where not counted. */
  readonly byStatus: Record<string, number>;
}

interface Page {
  readonly places: readonly number[];
  /** Null where counting stopped; then `total` is what was counted. */
  readonly byStatus: Record<string, number> | null;
  readonly total: number;
}

/** Up to so many hits are sorted after the search; above, the sort's index is walked instead. */
const sortAfterSearchMax = 5000;

/** Where the cases of a page stand, in its order, and how many there are. */
export interface CasePlaces extends Omit<CaseListRecords, 'items'> {
  readonly places: readonly number[];
}

/**
 * Finds a page of the list; never a scan of whole rows. Without words the totals come from the
 * counts and the page from an index that holds every filter; with words the search index leads.
 */
export function listPlaces(
  parts: ListParts,
  words: FoundWords | null,
  input: CaseListInput,
): CasePlaces {
  ensureOrder(parts.db, input.sort ?? 'lastChangedAt');
  if (words === null) return totals(browse(parts.db, input));
  const page = search(parts, words, input);
  return totals(words.isWhole ? page : { ...page, byStatus: null });
}

function totals({ places, byStatus, total }: Page): CasePlaces {
  return { places, total, totalIsExact: byStatus !== null, byStatus: byStatus ?? {} };
}

interface ListParts {
  readonly db: Database;
  readonly facets: Facets;
  readonly search: SearchIndex;
}

function totalOf(byStatus: Record<string, number>, { status }: CaseListInput): number {
  if (status !== undefined) return byStatus[status] ?? 0;
  return Object.values(byStatus).reduce((sum, count) => sum + count, 0);
}

function browse(db: Database, input: CaseListInput): Page {
  const { category, inspectionType } = input;
  const rows = db
    .prepare<
      [{ category: string | null; inspectionType: string | null }],
      { status: string; count: number }
    >(
      `SELECT status, sum(count) AS count FROM case_counts
       WHERE count > 0 AND (@category IS NULL OR category = @category)
         AND (@inspectionType IS NULL OR inspection_type = @inspectionType)
       GROUP BY status`,
    )
    .all({ category: category ?? null, inspectionType: inspectionType ?? null });
  const byStatus = Object.fromEntries(rows.map(({ status, count }) => [status, count]));
  const total = totalOf(byStatus, input);
  return { places: placesOf(db, browseQuery(input)), byStatus, total };
}

function search(parts: ListParts, match: FoundWords, input: CaseListInput): Page {
  const { sort = 'lastChangedAt', descending = true, countMax } = input;
  if (sort === 'lastChangedAt' && countMax !== undefined) {
    return searchInPlaceOrder(parts, match, { ...input, countMax });
  }
  const { found, byStatus } = countHits(parts, match, input);
  const total = found.length;
  if (sort !== 'lastChangedAt') {
    return { places: pageOfHits(parts.db, found, input), byStatus, total };
  }
  const { offset, limit } = windowOf(input);
  const first = descending ? Math.max(0, total - offset - limit) : offset;
  const places = [
    ...found.subarray(first, descending ? Math.max(0, total - offset) : offset + limit),
  ];
  return { places: descending ? places.reverse() : places, byStatus, total };
}

/**
 * Every hit under the filters, oldest first, and how many there are by status; null where that was
 * not asked for and would take as long as finding them.
 */
function countHits(
  { facets, search: index }: ListParts,
  { match, inDocuments }: FoundWords,
  input: CaseListInput,
): { found: Float64Array; byStatus: Record<string, number> | null } {
  const hits = together(index.places(match), inDocuments, false);
  const { offset, limit } = windowOf(input);
  const { countMax = Infinity } = input;
  if (!isFiltered(input) && hits.length > Math.max(countMax, offset + limit)) {
    return { found: hits, byStatus: null };
  }
  const tally = createTally(facets, input);
  let count = 0;
  for (const place of hits) {
    if (!tally.takes(place)) continue;
    hits[count] = place;
    count += 1;
  }
  return { found: hits.subarray(0, count), byStatus: tally.byStatus() };
}

/** Passes places under the filters and counts by status what passes the others. */
function createTally(facets: Facets, input: CaseListInput) {
  const { kinds, kindAt } = facets.look();
  const isCounted = kinds.map((facet) => isUnder(facet, input));
  const isStatus = kinds.map(({ status }) => input.status === undefined || input.status === status);
  const counts = new Uint32Array(kinds.length);
  return {
    takes(place: number): boolean {
      const kind = kindAt(place);
      if (!isCounted[kind]) return false;
      counts[kind] = (counts[kind] ?? 0) + 1;
      return isStatus[kind] ?? false;
    },
    byStatus(): Record<string, number> {
      const byStatus: Record<string, number> = {};
      for (const [kind, count] of counts.entries()) {
        const status = kinds[kind]?.status;
        if (status !== undefined && count > 0) byStatus[status] = (byStatus[status] ?? 0) + count;
      }
      return byStatus;
    },
  };
}

/**
 * In the index's own order the page is known as soon as it is full: what is asked for at each key
 * stops there, or where it has counted far enough. What a hit is (its facets) is looked at only
 * under a filter, and where these are all hits and their numbers by status are told.
 */
function searchInPlaceOrder(
  { facets, search: index }: ListParts,
  { match, inDocuments }: FoundWords,
  input: CaseListInput & { countMax: number },
): Page {
  const { descending = true, countMax } = input;
  const { offset, limit } = windowOf(input);
  const besides = descending ? inDocuments.toReversed() : inDocuments;
  const found: number[] = [];
  let tally: ReturnType<typeof createTally> | null = null;
  let from = descending ? Number.MAX_SAFE_INTEGER : -1;
  let passed = 0;
  for (let count = Math.max(countMax, offset + limit) + 1; ; count *= 4) {
    const hits = index.next(match, { from, count, descending });
    const isLast = hits.length < count;
    const to = isLast ? null : (hits.at(-1) ?? null);
    const beside = besides.filter((place) => isBetween(place, { from, to, descending }));
    const walked = together(hits, beside, descending);
    if (!isLast && !isFiltered(input)) {
      const places = [...walked.subarray(offset, offset + limit)];
      return { places, byStatus: null, total: walked.length };
    }
    tally ??= createTally(facets, input);
    for (const place of walked) {
      if (tally.takes(place)) found.push(place);
    }
    const places = found.slice(offset, offset + limit);
    if (isLast) return { places, byStatus: tally.byStatus(), total: found.length };
    passed += hits.length;
    if (found.length > offset + limit && passed > countMax) {
      return { places, byStatus: null, total: found.length };
    }
    from = hits.at(-1) ?? from;
  }
}

function isFiltered({ status, category, inspectionType }: CaseListInput): boolean {
  return (status ?? category ?? inspectionType) !== undefined;
}

/** Beyond `from` in the direction of the walk, and not beyond `to`; null: to its end. */
function isBetween(
  place: number,
  { from, to, descending }: { from: number; to: number | null; descending: boolean },
): boolean {
  if (descending) return place < from && (to === null || place >= to);
  return place > from && (to === null || place <= to);
}

function isUnder(facet: Facet, { category, inspectionType }: CaseListInput): boolean {
  return (
    (category === undefined || category === facet.category) &&
    (inspectionType === undefined || inspectionType === facet.inspectionType)
  );
}

interface Query {
  readonly sql: string;
  readonly params: Record<string, string | number>;
}

function placesOf(db: Database, { sql, params }: Query): number[] {
  return db
    .prepare<[Record<string, string | number>], { seq: number }>(sql)
    .all(params)
    .map(({ seq }) => seq);
}

/** A page without words; also for the test that reads its plan. */
export function browseQuery(input: CaseListInput): Query {
  const { where, params } = filtersOf(input);
  const sql = `
    SELECT c.seq FROM ${orderTable(input.sort ?? 'lastChangedAt')} c
    ${where.length > 0 ? `WHERE ${where.join(' AND ')}` : ''}
    ORDER BY ${orderBy(input)} LIMIT @limit OFFSET @offset`;
  return { sql, params: { ...params, ...windowOf(input) } };
}

/** A page of hits in another order than the search index's own. */
function pageOfHits(db: Database, found: Float64Array, input: CaseListInput): number[] {
  const table = orderTable(input.sort ?? 'lastChangedAt');
  if (found.length <= sortAfterSearchMax) {
    const sql = `
      SELECT c.seq FROM json_each(@found) hit CROSS JOIN ${table} c ON c.seq = hit.value
      ORDER BY ${orderBy(input)} LIMIT @limit OFFSET @offset`;
    return placesOf(db, { sql, params: { found: JSON.stringify([...found]), ...windowOf(input) } });
  }
  // So many hits that the page is soon full, and sorting them all would take longer.
  const { offset, limit } = windowOf(input);
  const places: number[] = [];
  let passed = 0;
  const walk = db
    .prepare<[], { seq: number }>(`SELECT c.seq FROM ${table} c ORDER BY ${orderBy(input)}`)
    .iterate();
  for (const { seq } of walk) {
    if (indexOfPlace(found, seq) < 0) continue;
    passed += 1;
    if (passed > offset) places.push(seq);
    if (places.length === limit) break;
  }
  return places;
}

function windowOf({ offset = 0, limit = 100 }: CaseListInput): { offset: number; limit: number } {
  return { offset, limit };
}

/**
 * With a sort of its own the index of that sort is walked, which holds every filter too; the plus
 * keeps SQLite from gathering all rows of a status and sorting them.
 */
function filtersOf(input: CaseListInput): { where: string[]; params: Record<string, string> } {
  const where: string[] = [];
  const params: Record<string, string> = {};
  const walksSort = input.sort !== undefined && input.sort !== 'lastChangedAt';
  for (const [name, column, value] of [
    ['status', 'c.status', input.status],
    ['category', 'c.category', input.category],
    ['inspectionType', 'c.inspection_type', input.inspectionType],
  ] as const) {
    if (value === undefined) continue;
    where.push(`${walksSort ? '+' : ''}${column} = @${name}`);
    params[name] = value;
  }
  return { where, params };
}
