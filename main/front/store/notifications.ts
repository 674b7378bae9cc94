import { sql, type Kysely } from 'kysely';

/** A channel between the processes that share a PostgreSQL. */
export interface Notifications {
  /** Wakes every process. A lost notification only costs time, so nothing waits for it. */
  notify(): void;
  subscribe(wake: () => void): void;
  close(): Promise<void>;
}

const reconnectAfterMs = 1000;

/**
 * Listens on a channel of PostgreSQL with a separate connection, and connects again if it breaks.
 * @param db a pool of the same database, for sending
 */
export async function openNotifications<Tables>(
  url: string,
  channel: string,
  db: Kysely<Tables>,
): Promise<Notifications> {
  // Lazily, because a server with files does not need the driver.
  const { Client, escapeIdentifier } = (await import('pg')).default;
  const wakes: (() => void)[] = [];
  const closing = new AbortController();
  let client = await connect();

  async function connect() {
    const next = new Client({ connectionString: url, keepAlive: true });
    next.on('notification', () => {
      for (const wake of wakes) wake();
    });
    // A broken connection reports an error, and then its end.
    next.on('error', () => undefined);
    next.once('end', reconnect);
    await next.connect();
    await next.query(`listen ${escapeIdentifier(channel)}`);
    return next;
  }

  function reconnect(): void {
    if (closing.signal.aborted) return;
    setTimeout(() => {
      if (closing.signal.aborted) return;
      connect().then((next) => {
        client = next;
        if (closing.signal.aborted) void next.end();
      }, reconnect);
    }, reconnectAfterMs).unref();
  }

  return {
    notify() {
      sql`select pg_notify(${channel}, '')`.execute(db).catch(() => undefined);
    },
    subscribe: (wake) => void wakes.push(wake),
    async close() {
      closing.abort();
      await client.end();
    },
  };
}
