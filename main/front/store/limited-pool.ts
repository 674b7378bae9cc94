import type { PostgresPool, PostgresPoolClient } from 'kysely';
import type { Pool, PoolClient } from 'pg';
import { watchWait, type StoreWatch } from './store-watch.ts';

/**
 * A pool whose connections end if a query gets no answer in time. If a network breaks without a
 * sign, the system would report it after a quarter of an hour, and every request would wait for it.
 * @param limitMs undefined for queries that may wait for another process
 * @param watched takes the waits for a connection, under the pool's name
 */
export function limitQueries(
  pool: Pool,
  limitMs: number | undefined,
  watched: { readonly name: string; readonly watch: StoreWatch | undefined },
): PostgresPool {
  // Kysely knows a connection by its object.
  const known = new WeakMap<PoolClient, PostgresPoolClient>();
  return {
    options: pool.options,
    end: () => pool.end(),
    async connect() {
      const { name, watch } = watched;
      const client = await watchWait(watch, { wait: 'connection', pool: name }, () =>
        pool.connect(),
      );
      const limited = known.get(client) ?? limit(client, limitMs);
      known.set(client, limited);
      return limited;
    },
  };
}

/** PostgreSQL's text cannot contain NUL. No stored text has one, so a query for it finds nothing. */
const withoutNul = (value: unknown) =>
  typeof value === 'string' ? value.replaceAll('\0', '\ufffd') : value;

function limit(client: PoolClient, limitMs: number | undefined): PostgresPoolClient {
  async function query(text: string, parameters: readonly unknown[]): Promise<unknown> {
    // The end of the connection fails its query, and the pool opens another one.
    const late =
      limitMs === undefined
        ? undefined
        : setTimeout(() => void client.end().catch(() => undefined), limitMs);
    try {
      return await client.query(text, parameters.map(withoutNul));
    } finally {
      clearTimeout(late);
    }
  }
  return {
    // The casts leave out cursors, which no query of the servers uses.
    query: query as unknown as PostgresPoolClient['query'],
    release: (isLost) => client.release(isLost),
  };
}
