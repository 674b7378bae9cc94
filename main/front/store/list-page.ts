/*
 * Pages of a list by number, whose cost does not grow with the list. A page after the one that was
 * read before starts where that page ended, and a page of the second half is counted from the end.
 */
import { sql, type Kysely, type RawBuilder, type SelectQueryBuilder } from 'kysely';
import { LRUCache } from 'lru-cache';
import type { PageRequest } from '../request-schemas.ts';
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

interface ListRequest<Row extends ListRow> {
  readonly memory: PageMemory;
  /** A key of the caller, its filters and the size of the page. */
  readonly key: string;
  readonly page: PageRequest;
  readonly order: ListOrder;
  /** The total if it is stored; otherwise it is counted. */
  readonly counted: RawBuilder<number> | undefined;
  readonly count: RawBuilder<number>;
  /** Reads numbers in one statement. */
  readonly scalars: (total: RawBuilder<number>) => Promise<{ total: number; version: number }>;
  /**
   * Reads the rows of a slice and the total in one statement. If a page showed a change but not an
   * earlier one, a partner whose cursor is the latest received change would miss the earlier one.
   */
  readonly read: (slice: Slice, total: RawBuilder<number>) => Promise<Row[]>;
}

/** Orders a selection and selects the page from it. */
type Slice = <DB, TB extends keyof DB, O>(
  query: SelectQueryBuilder<DB, TB, O>,
) => SelectQueryBuilder<DB, TB, O>;

/** The number of attempts while the list changes. The last attempt counts from the start. */
const attempts = 3;
const notStored = sql<number>`0`;

export async function readListPage<Row extends ListRow>(
  request: ListRequest<Row>,
): Promise<{ readonly total: number; readonly rows: readonly Row[] }> {
  const { memory, key, page, order, counted } = request;
  const offset = (page.page - 1) * page.size;
  for (let attempt = 1; ; attempt += 1) {
    const isLast = attempt === attempts;
    const now = await request.scalars(counted ?? notStored);
    if (counted && now.total <= offset) return { total: now.total, rows: [] };
    const end = isLast ? undefined : endBefore(memory.get(key), page.page, now, counted);
    const isBackward = !end && !isLast && counted !== undefined && offset > now.total / 2;
    const limit = isBackward ? Math.min(page.size, now.total - offset) : page.size;
    const slice = sliceOf(order, {
      end,
      isBackward,
      limit,
      offset: isBackward ? now.total - offset - limit : offset,
    });
    const total = counted ?? (end ? sql<number>`${sql.lit(end.total)}` : request.count);
    const found = await request.read(slice, total);
    const [first] = found;
    if (!first) {
      if (offset === 0) return { total: 0, rows: [] };
      const { total: counted } = await request.scalars(total);
      return { total: counted, rows: [] };
    }
    const hasMoved = end ? first.version !== end.version : first.total !== now.total;
    if (hasMoved && (end !== undefined || isBackward)) continue;
    const rows = found.toSorted((one, other) => compare(order, one, other));
    const { at, id } = rows.at(-1) ?? first;
    memory.set(key, { page: page.page, at, id, version: first.version, total: first.total });
    return { total: first.total, rows };
  }
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
  { isSearch, isCounted }: { readonly isSearch: boolean; readonly isCounted: boolean },
  matching: (limit: number) => RawBuilder<unknown>,
): Promise<Kysely<Tables>> {
  if (isSearch) return slow.searches;
  if (isCounted || slow.counts === db) return db;
  const { rows } = await sql<{ total: number }>`select count(*) as total
    from (${matching(fewRows)}) as found`.execute(db);
  return (rows[0]?.total ?? 0) < fewRows ? db : slow.counts;
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

function sliceOf(
  order: ListOrder,
  {
    end,
    isBackward,
    offset,
    limit,
  }: {
    readonly end: PageEnd | undefined;
    readonly isBackward: boolean;
    readonly offset: number;
    readonly limit: number;
  },
): Slice {
  const [time, id] = [sql.ref(order.time), sql.ref(order.id)];
  const timeDirection = sql.raw(order.isDescending === isBackward ? 'asc' : 'desc');
  const idDirection = sql.raw(isBackward ? 'desc' : 'asc');
  return (query) => {
    const ordered = query
      .orderBy(sql`${time} ${timeDirection}`)
      .orderBy(sql`${id} ${idDirection}`)
      .limit(limit);
    if (!end) return ordered.offset(offset);
    const beyond = sql.raw(order.isDescending ? '<' : '>');
    // The first condition lets an index find the place.
    return ordered.where(
      sql<boolean>`${time} ${beyond}= ${end.at}
        and (${time} ${beyond} ${end.at} or ${id} > ${end.id})`,
    );
  };
}

function compare({ isDescending }: ListOrder, one: ListRow, other: ListRow): number {
  const byTime = isDescending ? other.at - one.at : one.at - other.at;
  return byTime || (one.id < other.id ? -1 : 1);
}
