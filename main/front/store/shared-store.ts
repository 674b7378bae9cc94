import { Kysely } from 'kysely';
import { z } from 'zod';
import { StartError } from '../start-error.ts';
import { migrate } from './migrate.ts';
import { oneWriter } from './one-writer.ts';
import {
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

/** Connections of a process for reads, and for what every request writes beside them. */
const connections = { reads: 11, passing: 4 };

/**
 * Opens a store in PostgreSQL that several processes share, and migrates it.
 * @throws {StartError} if the server cannot be reached, refuses, or cannot migrate what it holds.
 */
export async function openSharedStore<Tables>(options: SharedStoreOptions): Promise<Store<Tables>> {
  const durable = (connections: number) =>
    postgresDialect({ ...options, connections, durability: 'full' });
  const db = new Kysely<Tables>({
    dialect: oneWriter(await durable(connections.reads), await durable(1)),
  });
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
    throw new StartError(`the database cannot be used: ${reasonOf(error)}`, { cause: error });
  }
  return store;
}

function reasonOf(error: unknown): string {
  const { message = '', code } = z
    .object({ message: z.string().optional(), code: z.string().optional() })
    .catch({})
    .parse(error);
  return message === '' ? (code ?? 'no reason given') : message;
}
