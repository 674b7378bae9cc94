import type { Migration } from '../../database/migrate.ts';

/**
 * Two leaves of a full-text index to a page of the database. FTS5's own 4,050 bytes fill a page of
 * 4,096, but each page here keeps 64 of them for its cipher: every leaf went over into a second page.
 * Half as large, because the newest hits of a term cost the reading of the whole leaf that they are
 * in. What is there already stays as it is until it is merged (decision 0051).
 */
export const leavesThatFit: Migration = {
  name: 'leaves-that-fit',
  up(db) {
    db.exec(`
      INSERT INTO case_search (case_search, rank) VALUES ('pgsz', 1950);
      INSERT INTO document_search (document_search, rank) VALUES ('pgsz', 1950);
    `);
  },
};
