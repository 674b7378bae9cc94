/*
 * Pages of a list by number, whose cost does not grow with the list. A page after the one that was
 * read before starts where that page ended, and a page of the second half is counted from the end.
 */
import {
  sql,
  type Compilable,
  type Expression,
  type Kysely,
  type RawBuilder,
  type SelectQueryBuilder,
} from 'kysely';
import { LRUCache } from 'lru-cache';
import type { PageRequest } from '../request-schemas.ts';
import { runCompiled, slot, type SlotValues } from './compiled-queries.ts';
import type { SlowReads } from './store.ts';

/** The place where a page ended. It is valid while nothing changes. */
interface PageEnd {
  readonly page: number;
  readonly at: number;
  readonly id: string;
  readonly version: number;
  readonly total: number;
}

/** The ends of pages, by the caller and its filters. */
export type PageMemory = LRUCache<string, PageEnd>;

const walksAtOnce = 5000;

export const createPageMemory = (): PageMemory => new LRUCache({ max: walksAtOnce });

/** A row with the values that are needed to read the page after it. */
export interface ListRow {
  readonly id: string;
  /** The time by which the list is ordered. */
  readonly at: number;
  readonly total: number;
  readonly version: number;
}

interface ListOrder {
  readonly time: string;
  readonly id: string;
  readonly isDescending: boolean;
}

/** The queries of a list for `runCompiled`: their name, and the values of the slots in them. */
export interface ListQuery {
  /** The same for requests whose queries differ by nothing but values; undefined if they are rare. */
  readonly name: string | undefined;
  readonly values: SlotValues;
}

interface ListRequest<Row extends ListRow, Tables> {
  readonly db: Kysely<Tables>;
  readonly memory: PageMemory;
  readonly list: ListQuery;
  /** A key of the caller, its filters and the size of the page. */
  readonly key: string;
  readonly page: PageRequest;
  readonly order: ListOrder;
  /** Selects the total if it is stored; otherwise `count` does. */
  readonly counted: (() => RawBuilder<number>) | undefined;
  readonly count: () => RawBuilder<number>;
  /** Selects numbers in one statement. */
  readonly scalars: (total: RawBuilder<number>) => Compilable<Scalars>;
  /**
   * Selects the rows of a slice and the total in one statement. If a page showed a change but not
   * an earlier one, a partner whose cursor is the latest received change would miss the earlier one.
   */
  readonly read: (slice: Slice, total: RawBuilder<number>) => Compilable<Row>;
}

interface Scalars {
  readonly total: number;
  readonly version: number;
}

/** Orders a selection and selects the page from it. */
type Slice = <DB, TB extends keyof DB, O>(
  query: SelectQueryBuilder<DB, TB, O>,
) => SelectQueryBuilder<DB, TB, O>;

/** The number of attempts while the list changes. The last attempt counts from the start. */
const attempts = 3;
const notStored = () => sql<number>`0`;

export async function readListPage<Row extends ListRow, Tables>(
  request: ListRequest<Row, Tables>,
): Promise<{ readonly total: number; readonly rows: readonly Row[] }> {
  const { memory, key, page, counted } = request;
  const offset = (page.page - 1) * page.size;
  if (offset === 0) {
    // It starts at the same place in every list, so nothing has to be known before.
    const place = { end: undefined, isBackward: false, limit: page.size, offset };
    return pageOf(request, await readSlice(request, place));
  }
  for (let attempt = 1; ; attempt += 1) {
    const isLast = attempt === attempts;
    const now = await readScalars(request, counted ?? notStored, 'scalars');
    if (counted && now.total <= offset) return { total: now.total, rows: [] };
    const end = isLast ? undefined : endBefore(memory.get(key), page.page, now, counted);
    const isBackward = !end && !isLast && counted !== undefined && offset > now.total / 2;
    const limit = isBackward ? Math.min(page.size, now.total - offset) : page.size;
    const found = await readSlice(request, {
      end,
      isBackward,
      limit,
      offset: isBackward ? now.total - offset - limit : offset,
    });
    const [first] = found;
    if (!first) {
      const { total } = end ?? (await readScalars(request, counted ?? request.count));
      return { total, rows: [] };
    }
    const hasMoved = end ? first.version !== end.version : first.total !== now.total;
    if (hasMoved && (end !== undefined || isBackward)) continue;
    return pageOf(request, found);
  }
}

/** @param name the name of the query, or undefined if it is rare */
async function readScalars<Row extends ListRow, Tables>(
  { db, list, scalars }: ListRequest<Row, Tables>,
  total: () => RawBuilder<number>,
  name?: string,
): Promise<Scalars> {
  const [found] = await runCompiled(db, named(list, name), () => scalars(total()).compile());
  if (!found) throw new Error('a query without a table has no row');
  return found;
}

const named = ({ name, values }: ListQuery, part: string | undefined): ListQuery => ({
  name: name === undefined || part === undefined ? undefined : `${name} ${part}`,
  values,
});

/** The place of a page in its list. */
interface Place {
  /** The place where the page before ended, if it is known. */
  readonly end: PageEnd | undefined;
  /** Whether the page is counted from the end of the list. */
  readonly isBackward: boolean;
  readonly offset: number;
  readonly limit: number;
}

function readSlice<Row extends ListRow, Tables>(
  { db, list, order, counted, count, read }: ListRequest<Row, Tables>,
  { end, isBackward, offset, limit }: Place,
): Promise<Row[]> {
  const part = `${end ? 'after' : 'from'} ${isBackward ? 'the end' : 'the start'}`;
  const { name, values } = named(list, part);
  const all = { ...values, limit, offset, endAt: end?.at, endId: end?.id, endTotal: end?.total };
  return runCompiled(db, { name, values: all }, () => {
    const known = () => sql<number>`cast(${slot('endTotal')} as bigint)`;
    const total = counted ?? (end ? known : count);
    return read(sliceOf(order, end !== undefined, isBackward), total()).compile();
  });
}

/** Brings the rows of a page into their order, and notes where the page ends. */
function pageOf<Row extends ListRow, Tables>(
  { memory, key, page: { page }, order }: ListRequest<Row, Tables>,
  found: readonly Row[],
): { readonly total: number; readonly rows: readonly Row[] } {
  const rows = found.toSorted((one, other) => compare(order, one, other));
  const last = rows.at(-1);
  if (!last) return { total: 0, rows };
  const { at, id, version, total } = last;
  memory.set(key, { page, at, id, version, total });
  return { total, rows };
}

/** The most rows that are counted without a connection of their own. It takes a millisecond. */
const fewRows = 2000;

/**
 * The connection for a list: one of its own for a search, and for a total that is counted from many
 * rows.
 * @param isCounted whether the total is stored
 * @param matching selects the rows of the list from the usual connection
 */
export async function listReader<Tables>(
  { db, slow }: { readonly db: Kysely<Tables>; readonly slow: SlowReads<Tables> },
  {
    isSearch,
    isCounted,
    list,
  }: {
    readonly isSearch: boolean;
    readonly isCounted: boolean;
    readonly list: ListQuery;
  },
  matching: (limit: number) => Expression<unknown>,
): Promise<Kysely<Tables>> {
  if (isSearch) return slow.searches;
  if (isCounted || slow.counts === db) return db;
  const [found] = await runCompiled(db, named(list, 'few'), () =>
    sql<{ total: number }>`select count(*) as total
      from (${matching(fewRows)}) as found`.compile(db),
  );
  return (found?.total ?? 0) < fewRows ? db : slow.counts;
}

function endBefore(
  known: PageEnd | undefined,
  page: number,
  now: { readonly total: number; readonly version: number },
  counted: unknown,
): PageEnd | undefined {
  const isSame =
    known?.page === page - 1 &&
    known.version === now.version &&
    (counted === undefined || known.total === now.total);
  return isSame ? known : undefined;
}

function sliceOf(order: ListOrder, isAfter: boolean, isBackward: boolean): Slice {
  const [time, id] = [sql.ref(order.time), sql.ref(order.id)];
  const timeDirection = sql.raw(order.isDescending === isBackward ? 'asc' : 'desc');
  const idDirection = sql.raw(isBackward ? 'desc' : 'asc');
  return (query) => {
    const ordered = query
      .orderBy(sql`${time} ${timeDirection}`)
      .orderBy(sql`${id} ${idDirection}`)
      .limit(slot('limit'));
    if (!isAfter) return ordered.offset(slot('offset'));
    const beyond = sql.raw(order.isDescending ? '<' : '>');
    // The first condition lets an index find the place.
    return ordered.where(
      sql<boolean>`${time} ${beyond}= ${slot('endAt')}
        and (${time} ${beyond} ${slot('endAt')} or ${id} > ${slot('endId')})`,
    );
  };
}

function compare({ isDescending }: ListOrder, one: ListRow, other: ListRow): number {
  const byTime = isDescending ? other.at - one.at : one.at - other.at;
  return byTime || (one.id < other.id ? -1 : 1);
}
