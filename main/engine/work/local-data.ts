import { z } from 'zod';
import { everyCaseIsOwn, ownRuleSchema, type OwnRule } from '#shared/desk/own-cases.ts';
import type { Database } from '../database/sqlite.ts';

export interface LocalVisit {
  /** HH:MM in Zurich. */
  readonly time: string | null;
  readonly note: string;
}

const idsSchema = z.array(z.string());

/** What a person keeps on this laptop about their day and never sends. */
export class LocalData {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  visits(caseIds: readonly string[]): Map<string, LocalVisit> {
    const rows = this.#db
      .prepare<[string], LocalVisit & { id: string }>(
        `SELECT v.case_id AS id, v.time, v.note
         FROM json_each(?) wanted JOIN visits v ON v.case_id = wanted.value`,
      )
      .all(JSON.stringify(caseIds));
    return new Map(rows.map(({ id, time, note }) => [id, { time, note }]));
  }

  /** Without time and note there is no visit. */
  setVisit(caseId: string, { time, note }: LocalVisit): void {
    if (time === null && note === '') {
      this.#db.prepare('DELETE FROM visits WHERE case_id = ?').run(caseId);
      return;
    }
    this.#db
      .prepare(
        `INSERT INTO visits (case_id, time, note) VALUES (?, ?, ?)
         ON CONFLICT (case_id) DO UPDATE SET time = excluded.time, note = excluded.note`,
      )
      .run(caseId, time, note);
  }

  /** Case ids in the person's order; empty if they gave none. */
  plan(day: string): readonly string[] {
    const text = this.#db
      .prepare<[string], string>('SELECT case_ids FROM day_plans WHERE day = ?')
      .pluck()
      .get(day);
    return text === undefined ? [] : idsSchema.parse(JSON.parse(text));
  }

  setPlan(day: string, order: readonly string[] | null): void {
    if (order === null) this.#db.prepare('DELETE FROM day_plans WHERE day = ?').run(day);
    else {
      this.#db
        .prepare('INSERT OR REPLACE INTO day_plans (day, case_ids) VALUES (?, ?)')
        .run(day, JSON.stringify(order));
    }
  }

  /** By case id. */
  marks(): Map<string, boolean> {
    const rows = this.#db
      .prepare<[], { id: string; own: number }>('SELECT case_id AS id, own FROM own_marks')
      .all();
    return new Map(rows.map(({ id, own }) => [id, own === 1]));
  }

  mark(caseIds: readonly string[], own: boolean | null): void {
    const ids = JSON.stringify(caseIds);
    this.#db.transaction(() => {
      this.#db
        .prepare('DELETE FROM own_marks WHERE case_id IN (SELECT value FROM json_each(?))')
        .run(ids);
      if (own === null) return;
      this.#db
        .prepare('INSERT OR IGNORE INTO own_marks (case_id, own) SELECT value, ? FROM json_each(?)')
        .run(Number(own), ids);
    })();
  }

  ownRule(): OwnRule {
    const text = this.#db
      .prepare<[], string>(`SELECT value FROM local_values WHERE name = 'own-rule'`)
      .pluck()
      .get();
    return text === undefined ? everyCaseIsOwn : ownRuleSchema.parse(JSON.parse(text));
  }

  setOwnRule(rule: OwnRule): void {
    this.#db
      .prepare(`INSERT OR REPLACE INTO local_values (name, value) VALUES ('own-rule', ?)`)
      .run(JSON.stringify(rule));
  }
}

const tables = [
  'visits',
  'day_plans',
  'own_marks',
  'local_values',
  'notes',
  'text_blocks',
  'checklists',
  'checklist_ticks',
] as const;

/** Rows of these tables as they are, for a backup. */
export const packedLocalDataSchema = z.partialRecord(
  z.enum(tables),
  z.array(z.record(z.string(), z.union([z.string(), z.number(), z.null()]))),
);
export type PackedLocalData = z.infer<typeof packedLocalDataSchema>;

export function packLocalData(db: Database): PackedLocalData {
  return packedLocalDataSchema.parse(
    Object.fromEntries(
      tables.map((table) => [table, hasTable(db, table) ? readAll(db, table) : []]),
    ),
  );
}

const readAll = (db: Database, table: string) => db.prepare(`SELECT * FROM ${table}`).all();

/** A backup of an earlier version has fewer tables. */
function hasTable(db: Database, table: string): boolean {
  return (
    db.prepare(`SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?`).get(table) !==
    undefined
  );
}

/** What is here already stays as it is. */
export function unpackLocalData(db: Database, packed: PackedLocalData): void {
  for (const table of tables) {
    for (const row of packed[table] ?? []) {
      const known = db
        .prepare<[string], string>('SELECT name FROM pragma_table_info(?)')
        .pluck()
        .all(table);
      const columns = known.filter((name) => Object.hasOwn(row, name));
      if (columns.length === 0) continue;
      db.prepare(
        `INSERT OR IGNORE INTO ${table} (${columns.join()}) VALUES (${columns.map(() => '?').join()})`,
      ).run(columns.map((name) => row[name] ?? null));
    }
  }
}
