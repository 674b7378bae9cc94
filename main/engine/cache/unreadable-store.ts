import type { Database } from '../database/sqlite.ts';

/** An item of one of the server's lists that does not match the schema. */
export interface UnreadableRecord {
  readonly id: string;
  /** The path of the first fault. */
  readonly place: string;
  /** The unchanged item; null if it is nested too deep to be written. */
  readonly json: string | null;
}

/**
 * The items of the server's lists that cannot be read. They are stored unchanged until they can.
 */
export class UnreadableStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /** Stores items of the list of cases; `CaseStore.upsert` removes those that can be read again. */
  saveCases(items: readonly UnreadableRecord[], at: string): void {
    this.#keep('cases', '', items, at);
  }

  /** Removes the cases that the list has not contained since a moment. */
  forgetCases(before: string): void {
    this.#db.prepare("DELETE FROM unreadable_records WHERE list = 'cases' AND at < ?").run(before);
  }

  /** Replaces the unreadable items of a case's list. */
  replace(
    list: 'documents' | 'reports',
    caseId: string,
    items: readonly UnreadableRecord[],
    at: string,
  ): void {
    this.#db.transaction(() => {
      this.#db
        .prepare('DELETE FROM unreadable_records WHERE list = ? AND case_id = ?')
        .run(list, caseId);
      this.#keep(list, caseId, items, at);
    })();
  }

  /** Whether a list of the case has unreadable items. */
  has(list: string, caseId: string): boolean {
    const found = this.#db
      .prepare('SELECT 1 FROM unreadable_records WHERE list = ? AND case_id = ?')
      .get(list, caseId);
    return found !== undefined;
  }

  /** The unreadable items of the list of cases. */
  cases(): Pick<UnreadableRecord, 'id' | 'place'>[] {
    return this.#db
      .prepare<[], Pick<UnreadableRecord, 'id' | 'place'>>(
        "SELECT id, place FROM unreadable_records WHERE list = 'cases' ORDER BY at, id",
      )
      .all();
  }

  /** All unreadable items, oldest first. */
  all(): Pick<UnreadableRecord, 'id' | 'place'>[] {
    return this.#db
      .prepare<[], Pick<UnreadableRecord, 'id' | 'place'>>(
        'SELECT id, place FROM unreadable_records ORDER BY at, id',
      )
      .all();
  }

  #keep(list: string, caseId: string, items: readonly UnreadableRecord[], at: string): void {
    const keep = this.#db.prepare(
      `INSERT INTO unreadable_records VALUES (@list, @caseId, @id, @place, @json, @at)
       ON CONFLICT DO UPDATE SET place = excluded.place, json = excluded.json, at = excluded.at`,
    );
    for (const { id, place, json } of items) keep.run({ list, caseId, id, place, json, at });
  }
}
