import type { Compilable, CompiledQuery, Kysely } from 'kysely';
import type { Database } from './tables.ts';

/** A query that was built once; each run gives its parameters anew, in the query's order. */
export type PreparedQuery<Row> = (parameters: readonly unknown[]) => Promise<Row[]>;

/**
 * Builds and compiles a query once, when it is first run: both cost several times what SQLite
 * takes to answer.
 * @param build gives the query with any values for its parameters. Texts that people write are
 *   not for its parameters: what the dialect makes of them happens while a query is compiled.
 */
export function prepareQuery<Row>(
  db: Kysely<Database>,
  build: () => Compilable<Row>,
): PreparedQuery<Row> {
  let compiled: CompiledQuery | undefined;
  return async (parameters) => {
    compiled ??= build().compile();
    return (await db.executeQuery<Row>({ ...compiled, parameters })).rows;
  };
}
