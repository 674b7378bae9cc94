import { sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import { createUsedJtis } from '../create-used-jtis.ts';

export const usedJtisAndUploads: Migration = { up };

async function up(db: Kysely<unknown>): Promise<void> {
  // Those of client assertions, which stay usable for longer than a machine takes to start again.
  await createUsedJtis(db);
  // Uploads on their way are few, and the documents among which they are looked for are many.
  await db.schema
    .createIndex('contents_on_their_way')
    .on('contents')
    .column('created_at')
    .where(sql.ref('kept'), '=', 0)
    .execute();
}
