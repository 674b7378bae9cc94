import { DeskError } from '#shared/desk/errors.ts';
import type { Database } from './sqlite.ts';

/** One step of a database's schema; its number is its place in the list, from 1. */
export interface Migration {
  readonly name: string;
  up(db: Database): void;
}

/**
 * Brings the schema up to date, each step in its own transaction with its number.
 * @throws {DeskError} home_newer if a later version of the desk wrote the file, which is not touched
 */
export function migrate(db: Database, migrations: readonly Migration[]): void {
  const found = Number(db.pragma('user_version', { simple: true }));
  if (found > migrations.length) {
    throw new DeskError('home_newer', { found, known: migrations.length });
  }
  migrations.slice(found).forEach((migration, index) => {
    db.transaction(() => {
      migration.up(db);
      db.pragma(`user_version = ${found + index + 1}`);
    })();
  });
}
