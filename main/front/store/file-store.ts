import { chmodSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { Kysely } from 'kysely';
import { migrate } from './migrate.ts';
import { replayMigrations } from './front-schema.ts';
import { sqliteDialect } from './sqlite-dialect.ts';
import type { Migrations, Store } from './store.ts';
import type { ReplayTables } from './tables.ts';

export interface FileStoreOptions {
  readonly directory: string;
  /** Name of the main file, without its ending. */
  readonly name: string;
  readonly migrations: Migrations;
  /** 64 hexadecimal digits that encrypt both files. */
  readonly key?: string | undefined;
}

/**
 * Opens the store in a folder and migrates it; creates the folder if it does not exist. The caller
 * must have locked the folder (`lockDirectory`).
 * @throws {Error} if the folder cannot be written, the key is wrong, or a migration fails.
 */
export async function openFileStore<Tables>({
  directory,
  name,
  migrations,
  key,
}: FileStoreOptions): Promise<Store<Tables>> {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const file = join(directory, `${name}.db`);
  const replayFile = join(directory, 'replay.db');
  const db = new Kysely<Tables>({ dialect: sqliteDialect(file, { key, durability: 'full' }) });
  const replay = new Kysely<ReplayTables>({
    dialect: sqliteDialect(replayFile, { key, durability: 'process' }),
  });
  await migrate(db, migrations);
  await migrate(replay, replayMigrations);
  chmodSync(file, 0o600);
  chmodSync(replayFile, 0o600);
  return {
    db,
    replay,
    limits: undefined,
    // The lock on the folder keeps every other process away.
    alone: (work) => work(),
    close: async () => {
      await db.destroy();
      await replay.destroy();
    },
  };
}
