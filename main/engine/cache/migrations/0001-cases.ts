import type { Migration } from '../../database/migrate.ts';

/**
 * What the server said. A case is three rows: `cases` (what a list shows), `case_payloads` (what
 * only its page shows) and `case_entries`, which is narrow and holds what lists sort and filter by.
 *
 * `seq` is the case's place by LastChangedAt (milliseconds times 1024, plus a tie-break) and the
 * rowid of the search index, so that "newest first" is the index's own order. A case that changes
 * gets a new one.
 */
export const cases: Migration = {
  name: 'cases',
  up(db) {
    db.exec(`
      CREATE TABLE cases (
        id TEXT PRIMARY KEY,
        seq INTEGER NOT NULL UNIQUE,
        external_key TEXT NOT NULL,
        category TEXT NOT NULL,
        status TEXT NOT NULL,
        created_at TEXT NOT NULL,
        updated_at TEXT NOT NULL,
        last_changed_at TEXT NOT NULL,
        expert_comment TEXT NOT NULL,
        archive_state INTEGER NOT NULL,
        hail_drive_in_accepted INTEGER NOT NULL,
        insurer_name TEXT NOT NULL,
        responsible_name TEXT NOT NULL,
        responsible_email TEXT NOT NULL,
        responsible_phone TEXT NOT NULL,
        cost_estimate_rappen INTEGER,
        approved_rappen INTEGER,
        policy_number TEXT NOT NULL,
        claim_type TEXT NOT NULL,
        inspection_type TEXT NOT NULL,
        inspection_date TEXT,
        incident_date TEXT,
        party_name TEXT NOT NULL,
        place TEXT NOT NULL,
        license_plate TEXT NOT NULL,
        subject TEXT NOT NULL,
        gone_reason TEXT,
        -- set while a list of this case was read: null means never
        documents_listed_at TEXT,
        documents_listed_for TEXT,
        reports_listed_at TEXT
      ) STRICT;
      CREATE INDEX cases_by_external_key ON cases (external_key);

      CREATE TABLE case_payloads (
        case_id TEXT PRIMARY KEY REFERENCES cases (id) ON DELETE CASCADE,
        payload_json TEXT NOT NULL
      ) STRICT;

      CREATE TABLE case_entries (
        seq INTEGER PRIMARY KEY,
        status TEXT NOT NULL,
        category TEXT NOT NULL,
        inspection_type TEXT NOT NULL,
        created_at TEXT NOT NULL,
        inspection_date TEXT,
        external_key TEXT NOT NULL
      ) STRICT;
      CREATE INDEX entries_by_status
        ON case_entries (status, seq, category, inspection_type);
      CREATE INDEX entries_by_created_at
        ON case_entries (created_at, seq, status, category, inspection_type);
      CREATE INDEX entries_by_inspection_date
        ON case_entries (inspection_date, seq, status, category, inspection_type);
      CREATE INDEX entries_by_external_key
        ON case_entries (external_key, seq, status, category, inspection_type);

      -- Totals and the numbers beside the filters, without counting.
      CREATE TABLE case_counts (
        status TEXT NOT NULL,
        category TEXT NOT NULL,
        inspection_type TEXT NOT NULL,
        count INTEGER NOT NULL,
        PRIMARY KEY (status, category, inspection_type)
      ) STRICT, WITHOUT ROWID;
      CREATE TRIGGER count_entry AFTER INSERT ON case_entries BEGIN
        INSERT INTO case_counts VALUES (new.status, new.category, new.inspection_type, 1)
          ON CONFLICT DO UPDATE SET count = count + 1;
      END;
      CREATE TRIGGER uncount_entry AFTER DELETE ON case_entries BEGIN
        UPDATE case_counts SET count = count - 1
          WHERE status = old.status AND category = old.category
            AND inspection_type = old.inspection_type;
      END;

      CREATE VIRTUAL TABLE case_search USING fts5 (
        text, content='', contentless_delete=1, prefix='1 2 3',
        tokenize='unicode61 remove_diacritics 2', detail='none'
      );

      CREATE TABLE documents (
        case_id TEXT NOT NULL REFERENCES cases (id) ON DELETE CASCADE,
        id TEXT NOT NULL,
        position INTEGER NOT NULL,
        file_name TEXT NOT NULL,
        content_type TEXT NOT NULL,
        size_bytes INTEGER NOT NULL,
        created_at TEXT NOT NULL,
        blob_id TEXT,
        PRIMARY KEY (case_id, id)
      ) STRICT;

      CREATE TABLE reports (
        case_id TEXT NOT NULL REFERENCES cases (id) ON DELETE CASCADE,
        id TEXT NOT NULL,
        sequence_no INTEGER NOT NULL,
        revision_no INTEGER NOT NULL,
        status TEXT NOT NULL,
        comment TEXT NOT NULL,
        submitted_at TEXT,
        created_at TEXT NOT NULL,
        updated_at TEXT NOT NULL,
        PRIMARY KEY (case_id, id)
      ) STRICT;

      -- The cases seen in the walk that is under way (sync/pull.ts).
      CREATE TABLE walk_seen (case_id TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;

      -- Small texts by name: the cursor, the walk, the client's memory.
      CREATE TABLE state (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
    `);
  },
};
