import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { Database } from '../tables.ts';
import { enterClaimsAgain } from './enter-claims-again.ts';

/** Of a store that several processes share; the index of the other has the form of 0007. */
export const searchFacets: Migration = { up };

/** Enters every claim into the index again, now with the facets that lists filter by. */
async function up(db: Kysely<Database>): Promise<void> {
  await enterClaimsAgain(db);
}
