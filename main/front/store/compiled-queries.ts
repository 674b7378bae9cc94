/*
 * Queries that are built and compiled once and run for many requests, because both take longer than
 * most queries run. Such a query is built with slots in the place of its values.
 */
import type { CompiledQuery, Kysely } from 'kysely';
import { LRUCache } from 'lru-cache';
import { isPostgres } from './store.ts';

/** The place of a value in a compiled query. */
class Slot {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

/** The place of a value in a query, which the type check takes for a value of any type. */
export const slot = (name: string): never =>
  // The cast is safe because `runCompiled` replaces the slot before the query runs.
  new Slot(name) as never;

const queriesRemembered = 500;
const remembered = new LRUCache<string, CompiledQuery>({ max: queriesRemembered });

/** The values of a query by the names of its slots. */
export type SlotValues = Readonly<Record<string, unknown>>;

/**
 * Runs a query.
 * @param name the same for queries that differ by nothing but the values of their slots; undefined
 *   for a query that is not worth remembering
 */
export async function runCompiled<Row, Tables>(
  db: Kysely<Tables>,
  { name, values }: { readonly name: string | undefined; readonly values: SlotValues },
  compile: () => CompiledQuery<Row>,
): Promise<Row[]> {
  const key = name === undefined ? '' : `${isPostgres(db) ? 'postgres' : 'sqlite'} ${name}`;
  const query = remembered.get(key) ?? compile();
  if (key !== '') remembered.set(key, query);
  const parameters = query.parameters.map((each) =>
    each instanceof Slot ? valueOf(each, values) : each,
  );
  // The cast is safe because a name has one query, whose rows are those of `compile`.
  const { rows } = await db.executeQuery({ ...query, parameters });
  return rows as Row[];
}

function valueOf({ name }: Slot, values: SlotValues): unknown {
  const value = values[name];
  if (value === undefined) throw new TypeError(`the query has no value for ${name}`);
  return value;
}
