import { z } from 'zod';
import { caseNoteMaxLength } from '#shared/desk/cases/cases.ts';
import { visitNoteMaxLength } from '#shared/desk/cases/day.ts';
import { everyCaseIsOwn, ownRuleSchema, type OwnRule } from '#shared/desk/cases/own-cases.ts';
import { type ReportPositions, reportPositionsSchema } from '#shared/desk/reports/positions.ts';
import {
  checkBlock,
  type TextBlock,
  type Texts,
  type TextsChange,
  textsSchema,
} from '#shared/desk/reports/text-blocks.ts';
import { searchWords, wordsFilter } from '#shared/lib/words.ts';
import { type Database, insertKnown } from '../database/sqlite.ts';
import { jsonValue, StoredValues } from '../database/stored-values.ts';

export interface LocalVisit {
  /** The time as HH:MM in Zurich. */
  readonly time: string | null;
  readonly note: string;
}

const idsSchema = z.array(z.string());
const ownRuleValue = jsonValue('own-rule', ownRuleSchema);

/** An entry of the ledger that the user put off until a day in Zurich. */
const postponementSchema = z.object({ key: z.string(), until: z.string(), reason: z.string() });
type Postponement = z.infer<typeof postponementSchema>;
const postponedValue = jsonValue('postponed', z.array(postponementSchema));

/** The data about cases and days that the user stores on this laptop and that are never sent. */
export class LocalData {
  readonly #db: Database;
  readonly #values: StoredValues;

  constructor(db: Database) {
    this.#db = db;
    this.#values = new StoredValues(db, 'local_values');
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

  /**
   * Changes a visit. An absent field stays as it is. Without time and note the visit is removed.
   */
  setVisit(
    caseId: string,
    change: { [Part in keyof LocalVisit]?: LocalVisit[Part] | undefined },
  ): void {
    const before = this.visits([caseId]).get(caseId) ?? { time: null, note: '' };
    const { time = before.time, note = before.note } = change;
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

  /** The case ids in the user's order; empty if the user set none. */
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

  /** The marks by case id. */
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

  /** The persons who handle cases, by case id. */
  handlers(): Map<string, string> {
    const rows = this.#db
      .prepare<[], { id: string; name: string }>('SELECT case_id AS id, name FROM handlers')
      .all();
    return new Map(rows.map(({ id, name }) => [id, name]));
  }

  /** The persons who handle these cases. */
  handlersOf(caseIds: readonly string[]): Map<string, string> {
    const rows = this.#db
      .prepare<[string], { id: string; name: string }>(
        `SELECT h.case_id AS id, h.name
         FROM json_each(?) wanted JOIN handlers h ON h.case_id = wanted.value`,
      )
      .all(JSON.stringify(caseIds));
    return new Map(rows.map(({ id, name }) => [id, name]));
  }

  /** Sets the person. @param name an empty name means nobody */
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
    return this.#values.get(ownRuleValue) ?? everyCaseIsOwn;
  }

  setOwnRule(rule: OwnRule): void {
    this.#values.set(ownRuleValue, rule);
  }

  /** The postponements, by the key of their entry. */
  postponed(): Map<string, Omit<Postponement, 'key'>> {
    const found = this.#values.get(postponedValue) ?? [];
    return new Map(found.map(({ key, ...content }) => [key, content]));
  }

  /**
   * Postpones an entry, or takes a postponement back. @param day the present day; postponements
   * that ended before are removed
   */
  postpone(key: string, content: Omit<Postponement, 'key'> | null, day: string): void {
    const found = this.#values.get(postponedValue) ?? [];
    const others = found.filter((one) => one.key !== key && one.until > day);
    this.#values.set(postponedValue, [...others, ...(content ? [{ key, ...content }] : [])]);
  }

  /** The private note of a case; empty if there is none. */
  note(caseId: string): string {
    const text = this.#db
      .prepare<[string], string>('SELECT text FROM notes WHERE case_id = ?')
      .pluck()
      .get(caseId);
    return text ?? '';
  }

  /** Stores the note. An empty text removes it. */
  setNote(caseId: string, text: string): void {
    if (text === '') this.#db.prepare('DELETE FROM notes WHERE case_id = ?').run(caseId);
    else
      this.#db
        .prepare('INSERT OR REPLACE INTO notes (case_id, text) VALUES (?, ?)')
        .run(caseId, text);
  }

  /** The lines of documents that the user chose for the reports of a case. */
  reportPositions(caseId: string): ReportPositions | null {
    const text = this.#db
      .prepare<[string], string>('SELECT positions FROM report_positions WHERE case_id = ?')
      .pluck()
      .get(caseId);
    return text === undefined ? null : reportPositionsSchema.parse(JSON.parse(text));
  }

  /** Stores the choice. Null removes it. */
  setReportPositions(caseId: string, positions: ReportPositions | null): void {
    if (positions === null)
      this.#db.prepare('DELETE FROM report_positions WHERE case_id = ?').run(caseId);
    else
      this.#db
        .prepare('INSERT OR REPLACE INTO report_positions (case_id, positions) VALUES (?, ?)')
        .run(caseId, JSON.stringify(positions));
  }

  /**
   * The cases whose note has all words of `q`. The words are found as in the search of the list.
   */
  casesWithNote(q: string): string[] {
    if (searchWords(q).length === 0) return [];
    const isFound = wordsFilter(q);
    const rows = this.#db
      .prepare<[], { id: string; text: string }>('SELECT case_id AS id, text FROM notes')
      .all();
    return rows.filter(({ text }) => isFound(text)).map(({ id }) => id);
  }

  /**
   * Whether the user took or dismissed this photo of the watched folder, so that it is not offered
   * again.
   */
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

  /**
   * Notes a photo as taken, together with the act that takes it: a crash leaves both done or
   * neither.
   */
  takePhoto(id: string, act: () => void): void {
    this.#db.transaction(() => {
      // Another window may have taken the photo already.
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

/**
 * Text blocks, checklists and their ticks. They are on this laptop and in its backups, and are
 * never sent.
 */
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

  /** Saves all or nothing. @throws {DeskError} text_block_invalid */
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

/**
 * The value with which a store says whose it is. It is about this laptop's folder, so no backup has
 * it.
 */
export const workspaceValueName = 'workspace';

/**
 * The tables that a backup contains. The decisions about photos are not in it, because they concern
 * this laptop only.
 */
const tables = [
  'visits',
  'day_plans',
  'own_marks',
  'handlers',
  'local_values',
  'notes',
  'return_notes',
  'report_positions',
  'text_blocks',
  'checklists',
  'checklist_ticks',
] as const;

const packedRowSchema = z.record(z.string(), z.union([z.string(), z.number(), z.null()]));
type PackedRow = z.infer<typeof packedRowSchema>;
/** The unchanged rows of these tables, for a backup. */
export const packedLocalDataSchema = z.partialRecord(z.enum(tables), z.array(packedRowSchema));
export type PackedLocalData = z.infer<typeof packedLocalDataSchema>;

export function packLocalData(db: Database): PackedLocalData {
  const packed = packedLocalDataSchema.parse(
    Object.fromEntries(tables.map((table) => [table, readAll(db, table)])),
  );
  const values = (packed.local_values ?? []).filter(({ name }) => name !== workspaceValueName);
  return { ...packed, local_values: values };
}

const readAll = (db: Database, table: string) => db.prepare(`SELECT * FROM ${table}`).all();

/**
 * Adds the rows of a backup. Existing rows stay unchanged, except that a note of the backup is
 * appended to another note on the same case or visit.
 * @returns the number of notes on cases that were added or appended, and the ids of the cases with
 *   another note here, to which that of the backup could not be appended
 */
export function unpackLocalData(
  db: Database,
  packed: PackedLocalData,
): { notes: number; differing: string[] } {
  const notes = () => Number(db.prepare('SELECT count(*) FROM notes').pluck().get());
  const onCases = appendNotes(db, notesOnCases, packed.notes);
  const onVisits = appendNotes(db, notesOnVisits, packed.visits);
  const before = notes();
  for (const table of tables)
    for (const row of packed[table] ?? []) insertKnown(db, 'INSERT OR IGNORE', table, row);
  return {
    notes: onCases.appended + notes() - before,
    differing: [...onCases.tooLong, ...onVisits.tooLong],
  };
}

const notesOnCases = {
  column: 'text',
  find: 'SELECT text FROM notes WHERE case_id = ?',
  update: 'UPDATE notes SET text = ? WHERE case_id = ?',
  maxLength: caseNoteMaxLength,
};
const notesOnVisits = {
  column: 'note',
  find: 'SELECT note FROM visits WHERE case_id = ?',
  update: 'UPDATE visits SET note = ? WHERE case_id = ?',
  maxLength: visitNoteMaxLength,
};

/**
 * Appends packed notes to the notes on the same cases that do not contain them.
 * @returns the number of notes that became longer, and the ids of the cases whose note would become
 *   too long and stays as it is
 */
function appendNotes(
  db: Database,
  { column, maxLength, ...statements }: typeof notesOnCases,
  rows: readonly PackedRow[] = [],
): { appended: number; tooLong: string[] } {
  const find = db.prepare<[string], string>(statements.find).pluck();
  const update = db.prepare(statements.update);
  const tooLong: string[] = [];
  let appended = 0;
  for (const row of rows) {
    const caseId = String(row['case_id']);
    const text = String(row[column]);
    const here = find.get(caseId);
    if (here === undefined || here.includes(text)) continue;
    const both = here === '' ? text : `${here}\n\n${text}`;
    if (both.length > maxLength) {
      tooLong.push(caseId);
      continue;
    }
    update.run(both, caseId);
    appended += 1;
  }
  return { appended, tooLong };
}
