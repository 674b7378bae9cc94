import type { Migration } from '../../database/migrate.ts';

/** Since when another laptop may hold the same report: it went into a package, or came out of one. */
export const sharedDrafts: Migration = {
  name: 'shared-drafts',
  up(db) {
    db.exec(`
      -- server time, milliseconds; null where the draft never left this laptop
      ALTER TABLE drafts ADD COLUMN shared_since_ms INTEGER;
      -- A key that counts as used although nothing was sent came out of a package.
      UPDATE drafts SET shared_since_ms = (
        SELECT min(s.key_used_at_ms) FROM outbox_steps s WHERE s.row_id = drafts.queue_id
      ) WHERE EXISTS (
        SELECT 1 FROM outbox_steps s
        WHERE s.row_id = drafts.queue_id AND s.attempts = 0 AND s.key_used_at_ms IS NOT NULL
      );
    `);
  },
};
