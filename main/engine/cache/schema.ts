import { countedColumns } from '#shared/api/list-filters.ts';
import { digestFields, sentFields } from '#shared/desk/cases/case-fields.ts';
import type { SqlStep } from '../database/sqlite.ts';
import { sortKeys } from './case-records.ts';

/**
 * The data that the server returned. `cases.seq` numbers the cases by LastChangedAt (milliseconds
 * times 1024, plus a tie-break). It is the rowid of the search index, so "newest first" needs no
 * sorting. A case that changes gets a new number.
 */
const types = {
  text: 'TEXT NOT NULL',
  flag: 'INTEGER NOT NULL',
  amount: 'INTEGER',
  day: 'TEXT',
};
const columnsOf = (
  fields: Readonly<Record<string, { column: string; kind: keyof typeof types }>>,
) =>
  Object.values(fields)
    .map(({ column, kind }) => `${column} ${types[kind]},`)
    .join('\n    ');

const byOthers = countedColumns.filter((column) => column !== 'status');

const cacheSchema = `
  -- raised if the same columns get other content
  PRAGMA application_id = 1;

  CREATE TABLE cases (
    id TEXT PRIMARY KEY,
    seq INTEGER NOT NULL,
    -- as the server sent them
    ${columnsOf(sentFields)}
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    last_changed_at TEXT NOT NULL,
    insurer_name TEXT NOT NULL,
    responsible_name TEXT NOT NULL,
    responsible_email TEXT NOT NULL,
    responsible_phone TEXT NOT NULL,
    -- from the payload
    ${columnsOf(digestFields)}
    -- texts as they are sorted; null if there is none
    ${sortKeys.map(([, key]) => `${key} TEXT,`).join('\n    ')}
    insurer_key TEXT,
    responsible_key TEXT,
    -- about the copy on this laptop; null means never, or not gone
    gone_reason TEXT,
    -- when that was first seen (ms since 1970)
    gone_at INTEGER,
    documents_listed_at TEXT,
    documents_listed_for TEXT,
    reports_listed_at TEXT,
    reports_listed_for TEXT
  ) STRICT;
  -- hold what most lists filter by: newest first and among hits, and by status, as all are counted
  CREATE INDEX cases_by_seq ON cases (seq, ${countedColumns.join(', ')});
  CREATE INDEX cases_by_status ON cases (status, seq, ${byOthers.join(', ')});
  CREATE INDEX cases_by_external_key ON cases (external_key);
  CREATE INDEX cases_by_inspection_date ON cases (inspection_date);

  CREATE TABLE case_payloads (
    case_id TEXT PRIMARY KEY REFERENCES cases (id),
    payload_json TEXT NOT NULL
  ) STRICT;

  -- Items of the server's lists that are not as agreed.
  CREATE TABLE unreadable_records (
    -- cases, or documents or reports of a case
    list TEXT NOT NULL,
    case_id TEXT NOT NULL,
    id TEXT NOT NULL,
    -- of the first fault
    place TEXT NOT NULL,
    -- as it came
    json TEXT,
    -- last listed
    at TEXT NOT NULL,
    PRIMARY KEY (list, case_id, id)
  ) STRICT;

  CREATE TABLE case_changes (
    id INTEGER PRIMARY KEY,
    case_id TEXT NOT NULL REFERENCES cases (id),
    at TEXT NOT NULL,
    -- JSON: a list of field, before, after
    changes TEXT NOT NULL
  ) STRICT;
  CREATE INDEX case_changes_by_case ON case_changes (case_id, id);

  CREATE VIRTUAL TABLE case_search USING fts5 (
    text, content='', contentless_delete=1, prefix='1 2 3',
    tokenize='unicode61 remove_diacritics 2', detail='none'
  );

  CREATE TABLE documents (
    -- the rowid in document_search
    number INTEGER PRIMARY KEY,
    case_id TEXT NOT NULL REFERENCES cases (id),
    id TEXT NOT NULL,
    position INTEGER NOT NULL,
    file_name TEXT NOT NULL,
    content_type TEXT NOT NULL,
    size_bytes INTEGER NOT NULL,
    created_at TEXT NOT NULL,
    -- the content on this laptop
    blob_id TEXT,
    -- the content whose text is in document_search; null if only the name is
    indexed_blob_id TEXT,
    -- the content that was tried to be read, and how often
    tried_blob_id TEXT,
    tries INTEGER NOT NULL DEFAULT 0,
    -- the text of the content, without that of its scanned pages; null if it was not read
    layer_text TEXT,
    UNIQUE (case_id, id)
  ) STRICT;
  CREATE INDEX documents_on_laptop ON documents (case_id) WHERE blob_id IS NOT NULL;
  CREATE INDEX documents_by_content ON documents (blob_id) WHERE blob_id IS NOT NULL;

  -- Apart from case_search: a case that changes is indexed again, its documents are not.
  CREATE VIRTUAL TABLE document_search USING fts5 (
    text, content='', contentless_delete=1, prefix='1 2 3',
    tokenize='unicode61 remove_diacritics 2', detail='none'
  );

  -- Pages that the window looks at, of the content whose text is in document_search: those without
  -- text, and those with the text of a QR-bill, whose code is read.
  CREATE TABLE scanned_pages (
    number INTEGER NOT NULL REFERENCES documents (number) ON DELETE CASCADE,
    page INTEGER NOT NULL,
    has_text INTEGER NOT NULL DEFAULT 0,
    -- null until it is recognized; empty then if the page has text
    text TEXT,
    tries INTEGER NOT NULL DEFAULT 0,
    -- why it is never recognized
    fault TEXT,
    PRIMARY KEY (number, page)
  ) STRICT, WITHOUT ROWID;

  -- Totals that stand in the texts of documents and in their QR-bills, for a person to take.
  CREATE TABLE document_totals (
    number INTEGER NOT NULL REFERENCES documents (number) ON DELETE CASCADE,
    page INTEGER NOT NULL,
    -- hundredths of the currency
    rappen INTEGER NOT NULL,
    currency TEXT NOT NULL,
    -- the words before the amount; of a QR-bill, the creditor
    label TEXT NOT NULL,
    rank INTEGER NOT NULL,
    -- JSON: the place in the page
    box TEXT NOT NULL,
    is_bill INTEGER NOT NULL,
    -- of a QR-bill
    reference TEXT NOT NULL,
    PRIMARY KEY (number, page, is_bill, currency, rappen, reference)
  ) STRICT, WITHOUT ROWID;

  -- The lines of estimates and invoices, where their sum is the total of the document.
  CREATE TABLE document_estimates (
    number INTEGER PRIMARY KEY REFERENCES documents (number) ON DELETE CASCADE,
    -- JSON: see estimateSchema
    estimate TEXT NOT NULL
  ) STRICT;

  CREATE TABLE reports (
    case_id TEXT NOT NULL REFERENCES cases (id),
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
  CREATE INDEX reports_open ON reports (case_id) WHERE status = 'Submitted';

  -- The cases that the pull under way has read.
  CREATE TABLE pull_seen (case_id TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;

  -- Cases that the partner gave in an older state than ours; is_taken: it replaced ours.
  CREATE TABLE older_readings (
    case_id TEXT PRIMARY KEY,
    last_changed_at TEXT NOT NULL,
    noted_ms INTEGER NOT NULL,
    is_taken INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;

  -- Small texts by name: cursors, the client's memory.
  CREATE TABLE state (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
`;

/** The only step, because a cache of another schema is deleted and filled again by a sync. */
export const cacheSteps: readonly SqlStep[] = [{ name: 'cache', statements: cacheSchema }];
