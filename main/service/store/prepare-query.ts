import type { Compilable, CompiledQuery, Kysely } from 'kysely';

/** A query that was built once; each run gives its parameters anew, in the query's order. */
export type PreparedQuery<Row> = (parameters: readonly unknown[]) => Promise<Row[]>;

/**
 * Builds and compiles a query once, when it is first run: both cost several times what SQLite
 * takes to answer.
 * @param build gives the query with any values for its parameters.
 */
export function prepareQuery<Row, Tables>(
  db: Kysely<Tables>,
  build: () => Compilable<Row>,
): PreparedQuery<Row> {
  let compiled: CompiledQuery | undefined;
  return async (parameters) => {
    compiled ??= build().compile();
    const storable = parameters.map(withoutNul);
    return (await db.executeQuery<Row>({ ...compiled, parameters: storable })).rows;
  };
}

/** Not every store can be asked for a NUL. Nothing that is stored has one. */
function withoutNul(parameter: unknown): unknown {
  return typeof parameter === 'string' ? parameter.replaceAll('\0', '\ufffd') : parameter;
}
