import type { Kysely } from 'kysely';
import { BoundedCache } from '../bounded-cache.ts';
import type { Search } from './dialect-words.ts';
import { createSearchChanges, type SearchChanges } from './search-changes.ts';

/** Fewer hits are counted as quickly as it is found out what has changed. */
const leastKept = 1000;
const maxTotals = 1000;
/** Hits that are walked through in the time in which one claim is looked up, about. */
const hitsPerLookup = 1000;

/**
 * Counts the hits of a search, or of those among the claims with these numbers.
 * @param db the store's one connection.
 */
export type CountHits<Tables> = (
  db: Kysely<Tables>,
  search: Search,
  among?: readonly number[],
) => Promise<number>;

/** Totals of searches, and what was changed since each was counted (decision 0044). */
export interface KeptTotals {
  readonly changes: SearchChanges;
  /** @param db not a transaction. */
  total<Tables>(db: Kysely<Tables>, search: Search, count: CountHits<Tables>): Promise<number>;
}

/** By the adapter, which a database and its transactions have in common. */
const totalsByAdapter = new WeakMap<object, KeptTotals>();

/** The totals of the database that `db` is, or is a transaction of; it must be this process's. */
export function keptTotalsOf<Tables>(db: Kysely<Tables>): KeptTotals {
  const { adapter } = db.getExecutor();
  const known = totalsByAdapter.get(adapter);
  if (known) return known;
  const totals = createKeptTotals();
  totalsByAdapter.set(adapter, totals);
  return totals;
}

function createKeptTotals(): KeptTotals {
  const changes = createSearchChanges();
  const kept = new BoundedCache<string, { readonly total: number; readonly position: number }>(
    maxTotals,
  );

  async function currentTotal<Tables>(
    db: Kysely<Tables>,
    search: Search,
    key: string,
    count: CountHits<Tables>,
  ): Promise<number> {
    const former = kept.get(key);
    const touched = former && changes.since(search.owner, former.position, search.facets);
    if (!touched || touched.numbers.length * hitsPerLookup > former.total) return count(db, search);
    const now = await count(db, search, touched.numbers);
    // Words are what they were, and whose the claims are: only their facets may have been others.
    const before = await count(db, { ...search, facets: [] }, touched.before);
    return former.total + now - before;
  }

  return {
    changes,
    total: (db, search, count) =>
      // While the one connection is held, no transaction is open: what is counted and the position
      // are of the same moment, so that no change is told twice, or not at all.
      db.connection().execute(async (connection) => {
        const key = JSON.stringify(search);
        const position = changes.position(search.owner);
        const total = await currentTotal(connection, search, key, count);
        if (total > leastKept) kept.set(key, { total, position });
        else kept.delete(key);
        return total;
      }),
  };
}
