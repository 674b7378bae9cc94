import type { Migration } from '../../database/migrate.ts';

/** Views of the case list, see saved-views.ts. */
export const savedViews: Migration = {
  name: 'saved-views',
  up(db) {
    db.exec(`
      CREATE TABLE saved_views (
        id TEXT PRIMARY KEY,
        name TEXT NOT NULL,
        -- JSON: filter, order, columns
        content TEXT NOT NULL
      ) STRICT;
    `);
  },
};
