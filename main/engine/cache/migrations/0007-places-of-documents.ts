import type { Migration } from '../../database/migrate.ts';

/**
 * The place of its case beside each document, so that a search does not look 1,000 cases up by
 * their ids at each key: that took longer than finding the documents.
 */
export const placesOfDocuments: Migration = {
  name: 'places-of-documents',
  up(db) {
    db.exec(`
      ALTER TABLE document_texts ADD COLUMN case_place INTEGER;
      UPDATE document_texts SET case_place = (SELECT seq FROM cases WHERE id = case_id);
      CREATE TRIGGER case_moved AFTER UPDATE OF seq ON cases WHEN new.seq <> old.seq BEGIN
        UPDATE document_texts SET case_place = new.seq WHERE case_id = new.id;
      END;
    `);
  },
};
