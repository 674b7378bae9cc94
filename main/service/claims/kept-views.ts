import type { Kysely } from 'kysely';
import { BoundedCache } from '../bounded-cache.ts';
import { prepareQuery, type PreparedQuery } from '../store/prepare-query.ts';
import type { Database } from '../store/tables.ts';

/** A record at a moment: two changes of one never share it (decisions, "Lists"). */
export interface RecordMoment {
  readonly number: number;
  readonly last_changed_at: number;
}

/**
 * The ready bytes of records (see claim-view.ts), by their numbers. A record that has changed since
 * its moment has none: bytes of another moment would not go with its row.
 */
export type KeptViews = (records: readonly RecordMoment[]) => Promise<Map<number, Buffer>>;

/** Together 16 MB at most; records are a third as long, as a rule. */
const maxViews = 1000;
const viewMaxBytes = 16 * 1024;

interface View {
  readonly number: number;
  /** Of the record's row, in the snapshot in which the view was read. */
  readonly at: number;
  readonly json: Buffer;
}

/**
 * Keeps the views that were asked for last (decision 0053). One that is kept counts only for the
 * moment of which it is, so that it does not matter which process changed the record since.
 * @param db the store itself, not a transaction.
 */
export function createKeptViews(db: Kysely<Database>): KeptViews {
  const kept = new BoundedCache<number, { readonly at: number; readonly json: Buffer }>(maxViews);
  /** By how many are asked for. */
  const viewsByNumbers = new Map<number, PreparedQuery<View>>();

  function queryFor(numbers: readonly number[]): PreparedQuery<View> {
    const known = viewsByNumbers.get(numbers.length);
    if (known) return known;
    const query = prepareQuery(db, () =>
      db
        .selectFrom('claim_views')
        .innerJoin('claims', 'number', 'claim_number')
        .select(['claim_number as number', 'last_changed_at as at', 'json'])
        .where('claim_number', 'in', [...numbers]),
    );
    viewsByNumbers.set(numbers.length, query);
    return query;
  }

  return async (records) => {
    const views = new Map<number, Buffer>();
    const missing = new Map<number, number>();
    for (const { number, last_changed_at: at } of records) {
      const known = kept.get(number);
      if (known?.at === at) views.set(number, known.json);
      else missing.set(number, at);
    }
    if (missing.size === 0) return views;
    const numbers = [...missing.keys()];
    for (const { number, at, json } of await queryFor(numbers)(numbers)) {
      if (missing.get(number) === at) views.set(number, json);
      if (json.length <= viewMaxBytes) kept.set(number, { at, json });
    }
    return views;
  };
}
