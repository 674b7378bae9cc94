import type { SqlStep } from '../database/sqlite.ts';

const firstSchema = `
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
    superseded_by INTEGER REFERENCES outbox (id),
    -- weight of failures of the row alone: other requests got through at the time
    own_failures INTEGER NOT NULL DEFAULT 0,
    -- 1 once the act was compared with what the partner has
    is_compared INTEGER NOT NULL DEFAULT 0
  ) STRICT;
  CREATE INDEX outbox_open ON outbox (case_id, id)
    WHERE state IN ('waiting', 'sending', 'unknown', 'attention');
  CREATE INDEX outbox_overlay ON outbox (case_id, id) WHERE lays_over = 1;
  CREATE INDEX outbox_by_case ON outbox (case_id, id);
  CREATE INDEX outbox_uncompared ON outbox (case_id, id)
    WHERE state = 'delivered' AND is_compared = 0;

  CREATE TABLE drafts (
    id TEXT PRIMARY KEY,
    case_id TEXT NOT NULL,
    comment TEXT NOT NULL,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    queue_id INTEGER REFERENCES outbox (id),
    -- server time (ms) from which another laptop may hold the same report: it went into a
    -- package, or came out of one; null if it never left this laptop
    shared_since_ms INTEGER,
    -- submission at the partner whose documents were fetched into this draft: a copy to read,
    -- and to start a revision from; null for a draft of this laptop
    copy_of TEXT
  ) STRICT;
  CREATE INDEX drafts_by_case ON drafts (case_id);
  CREATE INDEX drafts_by_copy ON drafts (copy_of) WHERE copy_of IS NOT NULL;

  CREATE TABLE attachments (
    id TEXT PRIMARY KEY,
    draft_id TEXT NOT NULL REFERENCES drafts (id) ON DELETE CASCADE,
    position INTEGER NOT NULL,
    file_name TEXT NOT NULL,
    content_type TEXT NOT NULL,
    size_bytes INTEGER NOT NULL,
    sha256 TEXT NOT NULL,
    blob_id TEXT NOT NULL,
    is_salvage_sale INTEGER NOT NULL,
    -- JSON (attachment-rows.ts)
    details TEXT NOT NULL DEFAULT '{}'
  ) STRICT;
  CREATE INDEX attachments_by_draft ON attachments (draft_id, position);

  CREATE TABLE outbox_steps (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    row_id INTEGER NOT NULL REFERENCES outbox (id),
    position INTEGER NOT NULL,
    kind TEXT NOT NULL CHECK (
      kind IN ('amounts', 'comment', 'reopen', 'draft', 'document', 'submit')),
    -- the row's state follows from those of its steps (outbox-states.ts)
    state TEXT NOT NULL CHECK (
      state IN ('waiting', 'sending', 'resending', 'unknown', 'unsure', 'delivered',
        'attention', 'discarded')),
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
    -- of the proof: the laptop's clock, and when the partner was read and had it
    laptop_at TEXT,
    seen_at TEXT,
    UNIQUE (row_id, position)
  ) STRICT;
  CREATE INDEX outbox_steps_by_attachment ON outbox_steps (attachment_id);
  CREATE INDEX outbox_steps_by_server_id ON outbox_steps (server_id) WHERE kind = 'draft';

  -- why entries were sent or not: the last ones (decision-trace.ts), without anything of a case
  CREATE TABLE decisions (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    row_id INTEGER NOT NULL,
    -- JSON
    content TEXT NOT NULL
  ) STRICT;
  CREATE INDEX decisions_by_row ON decisions (row_id, id);

  CREATE TABLE saved_views (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    -- JSON: filter, order, columns
    content TEXT NOT NULL
  ) STRICT;

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

  CREATE TABLE batches (
    -- the draft that contains its files
    id TEXT PRIMARY KEY REFERENCES drafts (id) ON DELETE CASCADE,
    started_at TEXT NOT NULL,
    -- that the command line reads; null: dropped into a window
    folder TEXT,
    -- for every report whose files have no comment
    comment TEXT NOT NULL DEFAULT '',
    -- JSON: paths of files of the system that were dropped, too, and are left out
    left_out TEXT NOT NULL DEFAULT '[]',
    -- JSON: name, content and reading of a sheet with amounts and comments
    sheet TEXT,
    -- by the user; removed with its files at the next start
    is_discarded INTEGER NOT NULL DEFAULT 0,
    -- JSON: id, and whether its PDF is sent; null: none is filled
    template TEXT
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
    added_at TEXT NOT NULL,
    -- counts the files that the template had
    version INTEGER NOT NULL DEFAULT 1
  ) STRICT;
  -- the earlier files of templates
  CREATE TABLE template_versions (
    template_id TEXT NOT NULL REFERENCES templates (id) ON DELETE CASCADE,
    version INTEGER NOT NULL,
    file_name TEXT NOT NULL,
    size_bytes INTEGER NOT NULL,
    sha256 TEXT NOT NULL,
    blob_id TEXT NOT NULL,
    added_at TEXT NOT NULL,
    PRIMARY KEY (template_id, version)
  ) STRICT, WITHOUT ROWID;

  -- What the user stores on this laptop and never sends.
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

  CREATE TABLE notes (case_id TEXT PRIMARY KEY, text TEXT NOT NULL) STRICT;

  -- why the insurer returned a report, as the user noted it after asking
  CREATE TABLE return_notes (
    submission_id TEXT PRIMARY KEY,
    case_id TEXT NOT NULL,
    -- one of returnReasons, or the user's own words; null: only a text
    reason TEXT,
    text TEXT NOT NULL
  ) STRICT;

  -- JSON: the lines of estimates that the reports of a case print, see reportPositionsSchema
  CREATE TABLE report_positions (case_id TEXT PRIMARY KEY, positions TEXT NOT NULL) STRICT;

  -- who of the office has a case in hand
  CREATE TABLE handlers (case_id TEXT PRIMARY KEY, name TEXT NOT NULL) STRICT;

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

  -- of the watched folder, taken or left
  CREATE TABLE camera_photos (id TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;

  -- JSON: what retention removed, until it is in the log's file
  CREATE TABLE audit_lines (
    id INTEGER PRIMARY KEY AUTOINCREMENT, line TEXT NOT NULL) STRICT;
`;

/**
 * The user's work that the server has not confirmed, and the proofs of confirmed work. The first
 * step belongs to version 0.1.0. Until this version is released, changes are made in the step, and
 * the home of the tests is created again (test/support/released/make-home.ts). From then on, each
 * change is a further step.
 */
export const workMigrations: readonly SqlStep[] = [{ name: 'work', statements: firstSchema }];
