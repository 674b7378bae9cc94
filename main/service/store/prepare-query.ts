import type { Compilable, CompiledQuery, Kysely } from 'kysely';
import { wordsOf } from './words-of.ts';

/** A query that was built once; each run gives its parameters anew, in the query's order. */
export type PreparedQuery<Row> = (parameters: readonly unknown[]) => Promise<Row[]>;

/**
 * Builds and compiles a query once, when it is first run: both cost several times what SQLite
 * takes to answer. Where nothing has to be waited for, the rows are there at once.
 * @param build gives the query with any values for its parameters.
 */
export function prepareQuery<Row, Tables>(
  db: Kysely<Tables>,
  build: () => Compilable<Row>,
): PreparedQuery<Row> {
  const words = wordsOf(db);
  let compiled: CompiledQuery<Row> | undefined;
  return async (parameters) => {
    compiled ??= build().compile();
    const query = { ...compiled, parameters: parameters.map(withoutNul) };
    return words.rowsAtOnce<Row, Tables>(db, query) ?? (await db.executeQuery<Row>(query)).rows;
  };
}

/** Not every store can be asked for a NUL. Nothing that is stored has one. */
function withoutNul(parameter: unknown): unknown {
  return typeof parameter === 'string' ? parameter.replaceAll('\0', '\ufffd') : parameter;
}
