import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import {
  type Database,
  migrate,
  openDatabase,
  type SqlStep,
} from '#main/engine/database/sqlite.ts';
import { workMigrations } from '#main/engine/work/schema.ts';
import { openTestWork, testFolder } from '../support/test-engine.ts';

/**
 * What a store may contain right behind each step, by its name. A new step gets rows of what it
 * makes or changes.
 */
const rowsOf: Readonly<Record<string, string>> = {
  work: `
    INSERT INTO outbox (case_id, external_key, kind, state, act, created_at, problem, lays_over)
      VALUES ('case-1', 'K-1', 'amounts', 'attention',
        '{"kind":"amounts","costEstimateRappen":null,"approvedRappen":5,
          "seen":{"costEstimateRappen":null,"approvedRappen":null}}',
        '2026-03-01T08:00:00Z',
        '{"code":"server_value_changed",
          "params":{"field":"approvedRappen","seen":null,"found":29,"mine":1234560}}', 0);
    INSERT INTO outbox (case_id, external_key, kind, state, act, created_at, lays_over)
      VALUES ('case-1', 'K-1', 'report', 'delivered',
        '{"kind":"report","draftId":"6f1c1d5e-93f1-4a33-9d5a-2f4f4a3f8b10","comment":"All in"}',
        '2026-03-01T08:00:00Z', 0);
    INSERT INTO drafts VALUES ('6f1c1d5e-93f1-4a33-9d5a-2f4f4a3f8b10', 'case-1', 'All in',
      '2026-03-01T08:00:00Z', '2026-03-01T08:00:00Z', 2, NULL, NULL);
    INSERT INTO attachments VALUES ('0b8c2b9e-5c38-4d0a-8a75-0a3a7f3b2c11',
      '6f1c1d5e-93f1-4a33-9d5a-2f4f4a3f8b10', 0, 'a.pdf', 'application/pdf', 3, 'aa', 'blob', 1, '{"tag":"estimate"}');
    INSERT INTO outbox_steps (row_id, position, kind, state, idempotency_key, attachment_id)
      VALUES (1, 0, 'amounts', 'attention', 'key-1', NULL),
        (2, 0, 'document', 'delivered', 'key-2', '0b8c2b9e-5c38-4d0a-8a75-0a3a7f3b2c11');
    INSERT INTO saved_views VALUES ('9d0f5a52-7f0c-4f7e-8a3f-1a2b3c4d5e12', 'Highest',
      '{"filter":{},"sort":"approvedRappen","descending":true,"columns":["savingsRappen"]}');
    INSERT INTO edits VALUES ('3f0c5a52-7f0c-4f7e-8a3f-1a2b3c4d5e12', 'K-1', 'approved',
    '12.5', 'null', '2026-03-01T08:00:00Z');
    INSERT INTO drafts VALUES ('7f1c1d5e-93f1-4a33-9d5a-2f4f4a3f8b10', 'case-2', '',
    '2026-03-01T08:00:00Z', '2026-03-01T08:00:00Z', NULL, NULL, 'submission-1');
    INSERT INTO visits VALUES ('case-1', '08:30', 'Ring twice');
    INSERT INTO day_plans VALUES ('2026-03-02', '["case-1"]');
    INSERT INTO own_marks VALUES ('case-1', 1);
    INSERT INTO local_values VALUES ('a name', 'a value');
    INSERT INTO notes VALUES ('case-1', 'A note');
    INSERT INTO return_notes VALUES ('submission-1', 'case-1', 'photographs', 'Blurred');
    INSERT INTO text_blocks VALUES ('b', 'Block', 'Text');
    INSERT INTO checklists VALUES ('vehicle', '[{"id":"e","text":"Entry"}]');
    INSERT INTO checklist_ticks VALUES ('case-1', 'e');
    INSERT INTO camera_photos VALUES ('photo-1');
    UPDATE outbox SET own_failures = 2 WHERE id = 1;
    INSERT INTO drafts VALUES ('8f1c1d5e-93f1-4a33-9d5a-2f4f4a3f8b10', '', '',
      '2026-03-01T08:00:00Z', '2026-03-01T08:00:00Z', NULL, NULL, NULL);
    INSERT INTO batches (id, started_at)
      VALUES ('8f1c1d5e-93f1-4a33-9d5a-2f4f4a3f8b10', '2026-03-01T08:00:00Z');
    INSERT INTO batch_files (batch_id, path, position, size_bytes, match, typed, is_salvage_sale)
      VALUES ('8f1c1d5e-93f1-4a33-9d5a-2f4f4a3f8b10', 'K-1/a.pdf', 0, 3,
        '{"kind":"none","reason":"nothing"}', '', 0);
    INSERT INTO templates VALUES ('t', 'Template', 'de', 'vehicle', 't.docx', 3, 'aa',
    'blob', '2026-03-01T08:00:00Z', 1);
    INSERT INTO handlers VALUES ('case-1', 'Anna');
    UPDATE batches SET template = '{"templateId":"t","asPdf":true}';
    INSERT INTO audit_lines (line) VALUES ('{"at":"2026-03-01T08:00:00.000Z",
    "event":"cases-removed","workspace":"w","days":30,"cases":1,"documents":0,"sentFiles":0}');
    UPDATE outbox_steps SET state = 'unsure' WHERE row_id = 1;
    INSERT INTO decisions (row_id, content) VALUES (1, '{"action":"send"}');`,
};

const keyHex = 'cd'.repeat(32);
let dir: string;
beforeEach(() => (dir = testFolder()));
const openFile = () => openDatabase({ file: join(dir, 'work.db'), keyHex, durability: 'full' });
const open = () => openTestWork({ dir, keyHex, now: () => Date.parse('2026-03-02T08:00:00Z') });

/** A store of the first steps, in which each has left its rows. */
function makeStore(steps: readonly SqlStep[]): Record<string, number> {
  const db = openFile();
  steps.forEach(({ name }, at) => {
    migrate(db, steps.slice(0, at + 1));
    db.exec(rowsOf[name] ?? '');
  });
  const counts = countsOf(db);
  db.close();
  return counts;
}

function countsOf(db: Database): Record<string, number> {
  const tables = db
    .prepare<[], string>(
      `SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'
       AND name != 'schema_steps' ORDER BY name`,
    )
    .pluck()
    .all();
  const count = (table: string) =>
    Number(db.prepare(`SELECT count(*) FROM ${table}`).pluck().get());
  return Object.fromEntries(tables.map((table) => [table, count(table)]));
}

describe('a work store of an earlier version', () => {
  it('has rows of every step in this test', () => {
    expect(Object.keys(rowsOf)).toEqual(workMigrations.map(({ name }) => name));
  });

  it.each(workMigrations.map(({ name }, at) => [name, at + 1] as const))(
    'that ends with the step “%s” opens with all its rows',
    (_, steps) => {
      const before = makeStore(workMigrations.slice(0, steps));
      const work = open();
      expect(work.outbox.rows.get(1)).toMatchObject({ kind: 'amounts', state: 'attention' });
      expect(work.outbox.rows.get(2)).toMatchObject({ kind: 'report', state: 'delivered' });
      work.close();
      const db = openFile();
      expect(countsOf(db)).toMatchObject(before);
      db.close();
    },
  );

  it.each([
    ['that has not recorded its steps', 'DROP TABLE schema_steps'],
    ['of another first step', `UPDATE schema_steps SET statements = '[""]' WHERE number = 1`],
  ])('%s is refused and not touched', (_, change) => {
    makeStore(workMigrations);
    const db = openFile();
    db.exec(change);
    db.close();
    const before = readFileSync(join(dir, 'work.db'));
    expect(open).toThrow(expect.objectContaining({ code: 'home_unknown' }));
    expect(readFileSync(join(dir, 'work.db')).equals(before)).toBe(true);
  });
});
