import type { SchemaStep } from '#shared/lib/schema-steps.ts';

/** What the user did and the server has not confirmed, and the proofs of what it confirmed. */
export const workMigrations: readonly SchemaStep[] = [
  {
    name: 'work',
    statements: `
      CREATE TABLE outbox (
        -- never reused: a person and a log know a row by it
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        case_id TEXT NOT NULL,
        external_key TEXT NOT NULL,
        kind TEXT NOT NULL CHECK (kind IN ('amounts', 'comment', 'reopen', 'report')),
        state TEXT NOT NULL CHECK (
          state IN ('waiting', 'sending', 'unknown', 'delivered', 'attention', 'discarded')),
        -- JSON: what the act sets
        act TEXT NOT NULL,
        created_at TEXT NOT NULL,
        -- JSON: why it is not delivered
        problem TEXT,
        -- failed attempts since the last success, and the moment before which none is made (ms)
        failures INTEGER NOT NULL DEFAULT 0,
        not_before_ms INTEGER,
        -- 1 while the cache does not show yet what the act did
        lays_over INTEGER NOT NULL,
        superseded_by INTEGER REFERENCES outbox (id)
      ) STRICT;
      CREATE INDEX outbox_open ON outbox (case_id, id)
        WHERE state IN ('waiting', 'sending', 'unknown', 'attention');
      CREATE INDEX outbox_overlay ON outbox (case_id, id) WHERE lays_over = 1;
      CREATE INDEX outbox_by_case ON outbox (case_id, id);

      CREATE TABLE drafts (
        id TEXT PRIMARY KEY,
        case_id TEXT NOT NULL,
        comment TEXT NOT NULL,
        created_at TEXT NOT NULL,
        updated_at TEXT NOT NULL,
        queue_id INTEGER REFERENCES outbox (id),
        -- server time (ms) from which another laptop may hold the same report: it went into a
        -- package, or came out of one; null if it never left this laptop
        shared_since_ms INTEGER
      ) STRICT;
      CREATE INDEX drafts_by_case ON drafts (case_id);

      CREATE TABLE attachments (
        id TEXT PRIMARY KEY,
        draft_id TEXT NOT NULL REFERENCES drafts (id) ON DELETE CASCADE,
        position INTEGER NOT NULL,
        file_name TEXT NOT NULL,
        content_type TEXT NOT NULL,
        size_bytes INTEGER NOT NULL,
        sha256 TEXT NOT NULL,
        blob_id TEXT NOT NULL,
        is_salvage_sale INTEGER NOT NULL
      ) STRICT;
      CREATE INDEX attachments_by_draft ON attachments (draft_id, position);

      CREATE TABLE outbox_steps (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        row_id INTEGER NOT NULL REFERENCES outbox (id),
        position INTEGER NOT NULL,
        kind TEXT NOT NULL CHECK (
          kind IN ('amounts', 'comment', 'reopen', 'draft', 'document', 'submit')),
        state TEXT NOT NULL CHECK (
          state IN ('waiting', 'sending', 'unknown', 'delivered', 'attention', 'discarded')),
        -- made when the person acted
        idempotency_key TEXT NOT NULL,
        attachment_id TEXT REFERENCES attachments (id) ON DELETE SET NULL,
        -- of the attachment when the person queued it: what the history shows
        file_name TEXT,
        file_size_bytes INTEGER,
        is_salvage_sale INTEGER NOT NULL DEFAULT 0,
        attempts INTEGER NOT NULL DEFAULT 0,
        first_attempt_at TEXT,
        -- server time of the first attempt under this key, milliseconds
        key_used_at_ms INTEGER,
        ever_unknown INTEGER NOT NULL DEFAULT 0,
        -- proof of delivery
        delivered_at TEXT,
        status INTEGER,
        correlation_id TEXT,
        server_id TEXT,
        size_bytes INTEGER,
        sha256 TEXT,
        UNIQUE (row_id, position)
      ) STRICT;
      CREATE INDEX outbox_steps_by_attachment ON outbox_steps (attachment_id);

      CREATE TABLE saved_views (
        id TEXT PRIMARY KEY,
        name TEXT NOT NULL,
        -- JSON: filter, order, columns
        content TEXT NOT NULL
      ) STRICT;
    `,
  },
  {
    name: 'edits',
    statements: `
      -- typed into a case and not queued
      CREATE TABLE edits (
        case_id TEXT NOT NULL,
        external_key TEXT NOT NULL,
        part TEXT NOT NULL CHECK (part IN ('estimate', 'approved', 'comment', 'reason')),
        text TEXT NOT NULL,
        -- JSON: what the case showed at the first letter
        seen TEXT NOT NULL,
        updated_at TEXT NOT NULL,
        PRIMARY KEY (case_id, part)
      ) STRICT, WITHOUT ROWID;
    `,
  },
  {
    name: 'report-copies',
    statements: `
      -- submission at the partner whose documents were fetched into this draft: a copy to read,
      -- and to start a revision from; null for a draft of this laptop
      ALTER TABLE drafts ADD COLUMN copy_of TEXT;
      CREATE INDEX drafts_by_copy ON drafts (copy_of) WHERE copy_of IS NOT NULL;
      CREATE INDEX outbox_steps_by_server_id ON outbox_steps (server_id) WHERE kind = 'draft';
    `,
  },
  {
    // What the user stores on this laptop and never sends.
    name: 'local data',
    statements: `
      CREATE TABLE visits (
        case_id TEXT PRIMARY KEY,
        -- HH:MM in Zurich
        time TEXT,
        note TEXT NOT NULL
      ) STRICT;
      -- a day's case ids in the person's own order, JSON
      CREATE TABLE day_plans (day TEXT PRIMARY KEY, case_ids TEXT NOT NULL) STRICT;
      CREATE TABLE own_marks (case_id TEXT PRIMARY KEY, own INTEGER NOT NULL) STRICT;
      CREATE TABLE local_values (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
    `,
  },
  {
    name: 'attachment-details',
    // JSON (attachment-rows.ts)
    statements: `ALTER TABLE attachments ADD COLUMN details TEXT NOT NULL DEFAULT '{}'`,
  },
  {
    name: 'notes',
    // The user's own data about a case; never sent.
    statements: `CREATE TABLE notes (case_id TEXT PRIMARY KEY, text TEXT NOT NULL) STRICT`,
  },
  {
    name: 'text blocks',
    statements: `
      -- texts for comments, with fields of the case in braces
      CREATE TABLE text_blocks (
        id TEXT PRIMARY KEY, name TEXT NOT NULL, text TEXT NOT NULL) STRICT;
      -- of a person's own; a category without a row has the one that the desk came with
      CREATE TABLE checklists (
        category TEXT PRIMARY KEY,
        -- JSON: id and text of each
        entries TEXT NOT NULL
      ) STRICT;
      CREATE TABLE checklist_ticks (
        case_id TEXT NOT NULL, entry TEXT NOT NULL, PRIMARY KEY (case_id, entry)
      ) STRICT, WITHOUT ROWID;
    `,
  },
  {
    name: 'camera photos',
    // Of the watched folder, taken or left.
    statements: 'CREATE TABLE camera_photos (id TEXT PRIMARY KEY) STRICT, WITHOUT ROWID',
  },
  {
    name: 'delivery evidence',
    statements: `
      -- failures of the row alone: other requests got through at the time
      ALTER TABLE outbox ADD COLUMN own_failures INTEGER NOT NULL DEFAULT 0;
      -- 1 once the act was compared with what the partner has
      ALTER TABLE outbox ADD COLUMN is_compared INTEGER NOT NULL DEFAULT 0;
      UPDATE outbox SET is_compared = 1 WHERE state IN ('delivered', 'discarded');
      CREATE INDEX outbox_uncompared ON outbox (case_id, id)
        WHERE state = 'delivered' AND is_compared = 0;
      -- of the proof: the laptop's clock, and when the partner was read and had it
      ALTER TABLE outbox_steps ADD COLUMN laptop_at TEXT;
      ALTER TABLE outbox_steps ADD COLUMN seen_at TEXT;
    `,
  },
  {
    name: 'amounts in Rappen',
    statements: `
      UPDATE saved_views SET content = replace(replace(replace(content,
        '"costEstimateAmount"', '"costEstimateRappen"'),
        '"approvedAmount"', '"approvedRappen"'),
        '"savingsAmount"', '"savingsRappen"');
      UPDATE outbox SET problem = json_set(problem,
          '$.params.field', replace(json_extract(problem, '$.params.field'), 'Amount', 'Rappen'),
          '$.params.seen', CAST(round(json_extract(problem, '$.params.seen') * 100) AS INTEGER),
          '$.params.found', CAST(round(json_extract(problem, '$.params.found') * 100) AS INTEGER),
          '$.params.mine', CAST(round(json_extract(problem, '$.params.mine') * 100) AS INTEGER))
        WHERE json_extract(problem, '$.code') = 'server_value_changed'
          AND json_extract(problem, '$.params.field') LIKE '%Amount';
    `,
  },
  {
    name: 'batches',
    statements: `
        CREATE TABLE batches (
          -- the draft that contains its files
          id TEXT PRIMARY KEY REFERENCES drafts (id) ON DELETE CASCADE,
          started_at TEXT NOT NULL,
          -- that the command line reads; null: dropped into a window
          folder TEXT,
          -- for every report whose files have no comment
          comment TEXT NOT NULL DEFAULT '',
          left_out INTEGER NOT NULL DEFAULT 0,
          -- JSON: name, content and reading of a sheet with amounts and comments
          sheet TEXT,
          -- by the user; removed with its files at the next start
          is_discarded INTEGER NOT NULL DEFAULT 0
        ) STRICT;
        CREATE TABLE batch_files (
          batch_id TEXT NOT NULL REFERENCES batches (id) ON DELETE CASCADE,
          path TEXT NOT NULL,
          position INTEGER NOT NULL,
          size_bytes INTEGER NOT NULL,
          -- null until the bytes are here
          attachment_id TEXT REFERENCES attachments (id) ON DELETE SET NULL,
          -- JSON: why the bytes were refused
          problem TEXT,
          -- JSON: what its name shows
          match TEXT NOT NULL,
          -- the case that the user sees, by its name or as corrected
          case_id TEXT,
          typed TEXT NOT NULL,
          is_corrected INTEGER NOT NULL DEFAULT 0,
          is_salvage_sale INTEGER NOT NULL,
          comment TEXT NOT NULL DEFAULT '',
          -- although the case has it already
          sends_again INTEGER NOT NULL DEFAULT 0,
          is_removed INTEGER NOT NULL DEFAULT 0,
          draft_id TEXT,
          queue_id INTEGER REFERENCES outbox (id),
          PRIMARY KEY (batch_id, path)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX batch_files_by_attachment ON batch_files (attachment_id);
    `,
  },
  {
    name: 'templates',
    statements: `
      -- of reports: the office's own documents, added by the user
      CREATE TABLE templates (
        id TEXT PRIMARY KEY,
        name TEXT NOT NULL,
        language TEXT NOT NULL,
        -- null: for cases of every category
        category TEXT,
        file_name TEXT NOT NULL,
        size_bytes INTEGER NOT NULL,
        sha256 TEXT NOT NULL,
        blob_id TEXT NOT NULL,
        added_at TEXT NOT NULL
      ) STRICT;
    `,
  },
  {
    name: 'handlers',
    // Who of the office has a case in hand; never sent.
    statements: 'CREATE TABLE handlers (case_id TEXT PRIMARY KEY, name TEXT NOT NULL) STRICT',
  },
  {
    name: 'template of a batch',
    // JSON: id, and whether its PDF is sent; null: none is filled
    statements: 'ALTER TABLE batches ADD COLUMN template TEXT',
  },
];
