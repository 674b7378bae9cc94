import type { Migration } from '../../database/migrate.ts';

/** For which LastChangedAt of its case a list of reports was read: an open one is followed. */
export const reportsListedFor: Migration = {
  name: 'reports-listed-for',
  up(db) {
    db.exec(`
      ALTER TABLE cases ADD COLUMN reports_listed_for TEXT;
      CREATE INDEX reports_open ON reports (case_id) WHERE status = 'Submitted';
    `);
  },
};
