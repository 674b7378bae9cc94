import { PostgresAdapter, type Kysely } from 'kysely';
import type { DialectWords } from './dialect-words.ts';
import { sqliteWords } from './dialect.ts';
import { postgresWords } from './postgres-dialect.ts';

/** The words of the database that `db` is connected to. */
export function wordsOf<Tables>(db: Kysely<Tables>): DialectWords {
  return db.getExecutor().adapter instanceof PostgresAdapter ? postgresWords : sqliteWords;
}
