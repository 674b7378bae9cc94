import { setTimeout } from 'node:timers/promises';
import { sql, type Kysely } from 'kysely';
import { keepAliveMs, serverChecks } from './shared-store.ts';

/** A channel between the processes that share a PostgreSQL database. */
export interface Notifications {
  /** Wakes every process. A lost notification only costs time, so no process depends on it. */
  notify(): void;
  subscribe(wake: () => void): void;
  close(): Promise<void>;
}

/**
 * The waits before a new connection, from `firstMs` to `mostMs`. They double after each failure,
 * and a random part prevents that all processes connect at the same time. The server must answer
 * within `answerMs`, which is shorter than the time in which a process must stop.
 */
const times = { firstMs: 500, mostMs: 30_000, answerMs: 4000 };
/** The timeout of closing. A server that does not answer must not delay the end of the process. */
const endTimeoutMs = 2000;

/**
 * Listens on a channel of PostgreSQL with a separate connection, and connects again if it breaks:
 * one connection at a time.
 * @param db a pool of the same database, for sending
 * @throws {Error} if the first connection fails
 */
export async function openNotifications<Tables>(
  url: string,
  channel: string,
  db: Kysely<Tables>,
  { firstMs, mostMs, answerMs } = times,
): Promise<Notifications> {
  // The driver is loaded lazily, because a server with files does not need it.
  const { Client, escapeIdentifier } = (await import('pg')).default;
  const wakes: (() => void)[] = [];
  const closing = new AbortController();

  /**
   * @returns the connection, with a promise that resolves at its end; a connection that fails has
   *   ended.
   */
  async function connect() {
    const client = new Client({
      connectionString: url,
      keepAlive: true,
      keepAliveInitialDelayMillis: keepAliveMs,
      options: serverChecks,
      connectionTimeoutMillis: answerMs,
      query_timeout: answerMs,
    });
    const ended = new Promise<void>((resolve) => client.once('end', () => resolve()));
    client.on('notification', () => {
      for (const wake of wakes) wake();
    });
    // A broken connection reports an error, and then its end.
    client.on('error', () => undefined);
    try {
      await client.connect();
      await client.query(`listen ${escapeIdentifier(channel)}`);
    } catch (error) {
      // The rest of the connection must not stay open at the server. The reason of its failure is
      // in `error`.
      await endSoon(client).catch(() => undefined);
      throw error;
    }
    return { client, ended };
  }

  const endSoon = (client: { end(): Promise<void> }) =>
    Promise.race([client.end(), setTimeout(endTimeoutMs, undefined, { ref: false })]);

  let current = await connect();

  async function stayConnected(): Promise<void> {
    for (let failures = 0; ;) {
      if (failures === 0) await current.ended;
      const waitMs = Math.min(mostMs, firstMs * 2 ** failures) * (0.5 + Math.random() / 2);
      await setTimeout(waitMs, undefined, { ref: false, signal: closing.signal });
      try {
        current = await connect();
        failures = 0;
      } catch {
        // The pool of the same database reports the outage. Until it is over, processes check after
        // a time.
        failures += 1;
      }
      if (closing.signal.aborted) return void endSoon(current.client).catch(() => undefined);
    }
  }
  // It rejects only if `close` ends a wait.
  void stayConnected().catch(() => undefined);

  return {
    notify() {
      // A lost notification only costs time.
      sql`select pg_notify(${channel}, '')`.execute(db).catch(() => undefined);
    },
    subscribe: (wake) => void wakes.push(wake),
    async close() {
      closing.abort();
      await endSoon(current.client);
    },
  };
}
