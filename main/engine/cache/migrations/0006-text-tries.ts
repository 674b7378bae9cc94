import type { Migration } from '../../database/migrate.ts';

/** How often the reading of a content was begun: one that ends the process is not begun for ever. */
export const textTries: Migration = {
  name: 'text-tries',
  up(db) {
    db.exec(`
      -- tried: the content that the tries are of
      ALTER TABLE document_texts ADD COLUMN tried TEXT;
      ALTER TABLE document_texts ADD COLUMN tries INTEGER NOT NULL DEFAULT 0;
    `);
  },
};
