import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { Database } from '../tables.ts';
import { wordsOf } from '../words-of.ts';
import { enterClaimsAgain } from './enter-claims-again.ts';

export const searchByOwner: Migration = { up };

/** SQLite's index has a row for each organization that sees a claim; until now it had one. */
async function up(db: Kysely<Database>): Promise<void> {
  await db.schema.dropTable('claims_search').execute();
  // A store that is new has it already, empty.
  await db.schema.dropTable('search_owners').ifExists().execute();
  await wordsOf(db).createSearchIndex(db);
  await enterClaimsAgain(db);
}
