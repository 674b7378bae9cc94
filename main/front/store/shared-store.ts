import { Kysely } from 'kysely';
import { z } from 'zod';
import { inTurn } from './in-turn.ts';
import { migrate } from './migrate.ts';
import {
  connectionTimeoutMs,
  postgresDialect,
  releaseStartLock,
  takeStartLock,
  type PostgresOptions,
} from './postgres-dialect.ts';
import type { Migrations, Store } from './store.ts';
import type { LimitTables, ReplayTables } from './tables.ts';

export interface SharedStoreOptions extends Pick<PostgresOptions, 'url' | 'onTime' | 'onError'> {
  readonly migrations: Migrations;
}

/** Connections of a process: for operations, and for what every request writes beside them. */
const connections = { operations: 12, passing: 4 };

/**
 * Opens a store in PostgreSQL that several processes share, and migrates it.
 * @throws {DatabaseUnusableError}
 */
export async function openSharedStore<Tables>(options: SharedStoreOptions): Promise<Store<Tables>> {
  const dialect = await postgresDialect({
    ...options,
    connections: connections.operations,
    durability: 'full',
  });
  const db = new Kysely<Tables>({ dialect: inTurn(dialect, connectionTimeoutMs) });
  const passing = new Kysely<ReplayTables & LimitTables>({
    dialect: await postgresDialect({
      url: options.url,
      onError: options.onError,
      connections: connections.passing,
      durability: 'process',
    }),
  });

  const store: Store<Tables> = {
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
    await store.alone(() => migrate(db, options.migrations));
  } catch (error) {
    await store.close();
    throw new DatabaseUnusableError(error);
  }
  return store;
}

/** The database server cannot be reached, refuses, or holds a store that cannot be migrated. */
export class DatabaseUnusableError extends Error {
  readonly code = 'database_unusable';

  constructor(cause: unknown) {
    const { message = '', code } = z
      .object({ message: z.string().optional(), code: z.string().optional() })
      .catch({})
      .parse(cause);
    const reason = message === '' ? (code ?? 'no reason given') : message;
    super(`the database cannot be used: ${reason}`, { cause });
    this.name = 'DatabaseUnusableError';
  }
}
