import type { Migration } from '../../database/migrate.ts';

/** When a full-text index is tidied, two parts of about the same size are enough to make one. */
export const mergeInPairs: Migration = {
  name: 'merge-in-pairs',
  up(db) {
    db.exec(`
      INSERT INTO case_search (case_search, rank) VALUES ('usermerge', 2);
      INSERT INTO document_search (document_search, rank) VALUES ('usermerge', 2);
    `);
  },
};
