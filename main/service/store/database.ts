import { chmod, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Kysely } from 'kysely';
import { Migrator, type Migration } from 'kysely/migration';
import { sqliteDialect } from './dialect.ts';
import { organizationsAndSecurity } from './migrations/0001-organizations-and-security.ts';
import { claims } from './migrations/0002-claims.ts';
import { usedJtis } from './replay-migrations/0001-used-jtis.ts';
import type { Database } from './tables.ts';

/** In the order in which they run; a number is never used twice, a file never changed. */
const migrations: Record<string, Migration> = {
  '0001-organizations-and-security': organizationsAndSecurity,
  '0002-claims': claims,
};

const replayMigrations: Record<string, Migration> = {
  '0001-used-jtis': usedJtis,
};

export interface ReplayDatabase {
  /** A jti that was used, by its owner: a DPoP key's thumbprint or a client id. */
  used_jtis: { owner: string; jti: string; expires_at: number };
}

/**
 * The service's store. `db` holds everything that was answered for. `replay` is a file of its own,
 * because every request writes one row into it, and such a row need not survive a power cut: by
 * the time the machine is up again, its proof is too old.
 */
export interface Store {
  readonly db: Kysely<Database>;
  readonly replay: Kysely<ReplayDatabase>;
  close(): Promise<void>;
}

export interface StoreOptions {
  readonly directory: string;
  /** 64 hexadecimal digits; encrypts both files. */
  readonly key?: string | undefined;
}

/**
 * Opens the store in a folder, made where it does not exist, and brings it up to date.
 * @throws where the folder cannot be written, the key is wrong, or a migration fails.
 */
export async function openStore({ directory, key }: StoreOptions): Promise<Store> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const file = join(directory, 'service.db');
  const replayFile = join(directory, 'replay.db');
  const db = new Kysely<Database>({ dialect: sqliteDialect(file, { key, durability: 'full' }) });
  const replay = new Kysely<ReplayDatabase>({
    dialect: sqliteDialect(replayFile, { key, durability: 'process' }),
  });
  await migrate(db, migrations);
  await migrate(replay, replayMigrations);
  await Promise.all([chmod(file, 0o600), chmod(replayFile, 0o600)]);
  return {
    db,
    replay,
    close: async () => {
      await db.destroy();
      await replay.destroy();
    },
  };
}

async function migrate<Tables>(
  db: Kysely<Tables>,
  list: Readonly<Record<string, Migration>>,
): Promise<void> {
  const migrator = new Migrator({ db, provider: { getMigrations: () => Promise.resolve(list) } });
  const { error } = await migrator.migrateToLatest();
  if (error !== undefined) throw new Error('the store could not be migrated', { cause: error });
}
