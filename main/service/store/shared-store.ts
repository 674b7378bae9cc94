import { Kysely } from 'kysely';
import { z } from 'zod';
import { inTurn } from './in-turn.ts';
import { migrate, sharedMigrations } from './migrate.ts';
import {
  connectionPatienceMs,
  postgresDialect,
  releaseStartLock,
  takeStartLock,
  type PostgresOptions,
} from './postgres-dialect.ts';
import type { LimitTables, ReplayTables } from './security-tables.ts';
import type { Store } from './store.ts';
import type { Database } from './tables.ts';

export type SharedStoreOptions = Pick<PostgresOptions, 'url' | 'onTime' | 'onError'>;

/** Connections of a process: for operations, and for what every request writes beside them. */
const connections = { operations: 12, passing: 4 };

/**
 * Opens a store in PostgreSQL that several processes share, and brings it up to date.
 * @throws {DatabaseUnusableError}
 */
export async function openSharedStore(options: SharedStoreOptions): Promise<Store> {
  const dialect = await postgresDialect({
    ...options,
    connections: connections.operations,
    durability: 'full',
  });
  const db = new Kysely<Database>({ dialect: inTurn(dialect, connectionPatienceMs) });
  const passing = new Kysely<ReplayTables & LimitTables>({
    dialect: await postgresDialect({
      url: options.url,
      onError: options.onError,
      connections: connections.passing,
      durability: 'process',
    }),
  });

  const store: Store = {
    db,
    replay: passing.$pickTables<'used_jtis'>(),
    limits: passing.$pickTables<'rate_limits'>(),
    alone: (work) =>
      db.connection().execute(async (session) => {
        await session.executeQuery(takeStartLock);
        try {
          return await work();
        } finally {
          await session.executeQuery(releaseStartLock);
        }
      }),
    close: async () => {
      await db.destroy();
      await passing.destroy();
    },
  };
  try {
    await store.alone(() => migrate(db, sharedMigrations));
  } catch (error) {
    await store.close();
    throw new DatabaseUnusableError(error);
  }
  return store;
}

/** The database server cannot be reached, refuses, or holds what cannot be brought up to date. */
export class DatabaseUnusableError extends Error {
  readonly code = 'database_unusable';

  constructor(cause: unknown) {
    const { message = '', code } = z
      .object({ message: z.string().optional(), code: z.string().optional() })
      .catch({})
      .parse(cause);
    super(
      `the database cannot be used: ${message === '' ? (code ?? 'no reason given') : message}`,
      {
        cause,
      },
    );
    this.name = 'DatabaseUnusableError';
  }
}
