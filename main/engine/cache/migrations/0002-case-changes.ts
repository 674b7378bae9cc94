import type { Migration } from '../../database/migrate.ts';

/** What changed in a case from one reading to the next. */
export const caseChanges: Migration = {
  name: 'case-changes',
  up(db) {
    db.exec(`
      CREATE TABLE case_changes (
        id INTEGER PRIMARY KEY,
        case_id TEXT NOT NULL REFERENCES cases (id) ON DELETE CASCADE,
        at TEXT NOT NULL,
        -- JSON: a list of field, before, after
        changes TEXT NOT NULL
      ) STRICT;
      CREATE INDEX case_changes_by_case ON case_changes (case_id, id);
    `);
  },
};
