import { z } from 'zod';
import { everyCaseIsOwn, ownRuleSchema, type OwnRule } from '#shared/desk/own-cases.ts';
import {
  checkBlock,
  type TextBlock,
  type Texts,
  type TextsChange,
  textsSchema,
} from '#shared/desk/text-blocks.ts';
import { searchWords, wordsFilter } from '#shared/lib/words.ts';
import { type Database, insertKnown } from '../database/sqlite.ts';

export interface LocalVisit {
  /** HH:MM in Zurich. */
  readonly time: string | null;
  readonly note: string;
}

const idsSchema = z.array(z.string());

/** What the user stores on this laptop about their cases and days, and never sends. */
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

  /** Case ids in the user's order; empty without one. */
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

  /** Who has a case in hand, by case id. */
  handlers(): Map<string, string> {
    const rows = this.#db
      .prepare<[], { id: string; name: string }>('SELECT case_id AS id, name FROM handlers')
      .all();
    return new Map(rows.map(({ id, name }) => [id, name]));
  }

  /** The same of these cases. */
  handlersOf(caseIds: readonly string[]): Map<string, string> {
    const rows = this.#db
      .prepare<[string], { id: string; name: string }>(
        `SELECT h.case_id AS id, h.name
         FROM json_each(?) wanted JOIN handlers h ON h.case_id = wanted.value`,
      )
      .all(JSON.stringify(caseIds));
    return new Map(rows.map(({ id, name }) => [id, name]));
  }

  /** @param name empty: nobody */
  setHandler(caseIds: readonly string[], name: string): void {
    const ids = JSON.stringify(caseIds);
    this.#db.transaction(() => {
      this.#db
        .prepare('DELETE FROM handlers WHERE case_id IN (SELECT value FROM json_each(?))')
        .run(ids);
      if (name === '') return;
      this.#db
        .prepare('INSERT OR IGNORE INTO handlers (case_id, name) SELECT value, ? FROM json_each(?)')
        .run(name, ids);
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

  /** The private note of a case; empty without one. */
  note(caseId: string): string {
    const text = this.#db
      .prepare<[string], string>('SELECT text FROM notes WHERE case_id = ?')
      .pluck()
      .get(caseId);
    return text ?? '';
  }

  /** An empty text removes the note. */
  setNote(caseId: string, text: string): void {
    if (text === '') this.#db.prepare('DELETE FROM notes WHERE case_id = ?').run(caseId);
    else
      this.#db
        .prepare('INSERT OR REPLACE INTO notes (case_id, text) VALUES (?, ?)')
        .run(caseId, text);
  }

  /** Cases whose note has all words of `q`, as the search of the list cuts them. */
  casesWithNote(q: string): string[] {
    if (searchWords(q).length === 0) return [];
    const isFound = wordsFilter(q);
    const rows = this.#db
      .prepare<[], { id: string; text: string }>('SELECT case_id AS id, text FROM notes')
      .all();
    return rows.filter(({ text }) => isFound(text)).map(({ id }) => id);
  }

  /** Whether the user took or left this photo of the watched folder: it is not offered again. */
  isPhotoDecided(id: string): boolean {
    return (
      this.#db.prepare('SELECT 1 FROM camera_photos WHERE id = ?').pluck().get(id) !== undefined
    );
  }

  leavePhotos(ids: readonly string[]): void {
    this.#db.transaction(() => {
      for (const id of ids) this.#decidePhoto(id);
    })();
  }

  /** Notes a photo as taken with what takes it: after a crash both are done, or neither. */
  takePhoto(id: string, act: () => void): void {
    this.#db.transaction(() => {
      // Another window may have been quicker.
      if (this.#decidePhoto(id)) act();
    })();
  }

  #decidePhoto(id: string): boolean {
    return (
      this.#db.prepare('INSERT OR IGNORE INTO camera_photos (id) VALUES (?)').run(id).changes === 1
    );
  }
}

const storedListSchema = z.array(z.object({ category: z.string(), entries: z.string() }));

/** Text blocks, checklists and their ticks: on this laptop only, in its backups, never sent. */
export class TextBlocks {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  all(): Texts {
    const blocks = this.#db
      .prepare<[], TextBlock>(
        'SELECT id, name, text FROM text_blocks ORDER BY name COLLATE NOCASE, id',
      )
      .all();
    const lists = storedListSchema.parse(
      this.#db.prepare('SELECT category, entries FROM checklists').all(),
    );
    const checklists = Object.fromEntries(
      lists.map(({ category, entries }): [string, unknown] => [category, JSON.parse(entries)]),
    );
    return textsSchema.parse({ blocks, checklists });
  }

  /** @throws {DeskError} text_block_invalid; nothing is stored then */
  save({ blocks = [], checklists = {} }: TextsChange): void {
    for (const block of blocks) checkBlock(block);
    this.#db.transaction(() => {
      for (const { id, name, text } of blocks)
        this.#db
          .prepare('INSERT OR REPLACE INTO text_blocks (id, name, text) VALUES (?, ?, ?)')
          .run(id, name, text);
      for (const [category, entries] of Object.entries(checklists)) {
        if (entries === null)
          this.#db.prepare('DELETE FROM checklists WHERE category = ?').run(category);
        else
          this.#db
            .prepare('INSERT OR REPLACE INTO checklists (category, entries) VALUES (?, ?)')
            .run(category, JSON.stringify(entries));
      }
    })();
  }

  /** Removing one that is missing is not an error. */
  remove(id: string): void {
    this.#db.prepare('DELETE FROM text_blocks WHERE id = ?').run(id);
  }

  ticks(caseId: string): string[] {
    return this.#db
      .prepare<[string], string>('SELECT entry FROM checklist_ticks WHERE case_id = ?')
      .pluck()
      .all(caseId);
  }

  tick(caseId: string, entry: string, isDone: boolean): void {
    this.#db
      .prepare(
        isDone
          ? 'INSERT OR IGNORE INTO checklist_ticks (case_id, entry) VALUES (?, ?)'
          : 'DELETE FROM checklist_ticks WHERE case_id = ? AND entry = ?',
      )
      .run(caseId, entry);
  }
}

/** What travels in a backup; the decisions on photos are for this laptop alone. */
const tables = [
  'visits',
  'day_plans',
  'own_marks',
  'handlers',
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

/** What is here already stays unchanged. @returns how many notes are new */
export function unpackLocalData(db: Database, packed: PackedLocalData): number {
  const notes = () => Number(db.prepare('SELECT count(*) FROM notes').pluck().get());
  const before = notes();
  for (const table of tables)
    for (const row of packed[table] ?? []) insertKnown(db, 'INSERT OR IGNORE', table, row);
  return notes() - before;
}
