import { chmodSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { Kysely } from 'kysely';
import { sqliteDialect } from './dialect.ts';
import { migrate, migrations, replayMigrations } from './migrate.ts';
import type { ReplayTables } from './security-tables.ts';
import type { Store } from './store.ts';
import type { Database } from './tables.ts';

export interface StoreOptions {
  readonly directory: string;
  /** 64 hexadecimal digits; encrypts both files. */
  readonly key?: string | undefined;
}

/**
 * Opens the store in a folder, made where it does not exist, and brings it up to date. The folder
 * must be locked by the caller (`lockDirectory`).
 * @throws where the folder cannot be written, the key is wrong, or a migration fails.
 */
export async function openStore({ directory, key }: StoreOptions): Promise<Store> {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const file = join(directory, 'service.db');
  const replayFile = join(directory, 'replay.db');
  const db = new Kysely<Database>({ dialect: sqliteDialect(file, { key, durability: 'full' }) });
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
    // Who has locked the folder is alone.
    alone: (work) => work(),
    close: async () => {
      await db.destroy();
      await replay.destroy();
    },
  };
}
