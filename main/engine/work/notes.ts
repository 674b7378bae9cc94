import { foldText, searchWords, wordsFoundIn } from '#shared/lib/words.ts';
import type { Database } from '../database/sqlite.ts';

/** Private notes by case: on this laptop only, in its backups, and never sent. */
export class Notes {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /** Empty if there is none. */
  of(caseId: string): string {
    const text = this.#db
      .prepare<[string], string>('SELECT text FROM notes WHERE case_id = ?')
      .pluck()
      .get(caseId);
    return text ?? '';
  }

  /** An empty text removes the note. */
  set(caseId: string, text: string): void {
    if (text === '') this.#db.prepare('DELETE FROM notes WHERE case_id = ?').run(caseId);
    else
      this.#db
        .prepare('INSERT OR REPLACE INTO notes (case_id, text) VALUES (?, ?)')
        .run(caseId, text);
  }

  /** Cases whose note has all words of `q`, as the search of the list cuts them. */
  casesWith(q: string): string[] {
    const words = searchWords(q).map(foldText);
    if (words.length === 0) return [];
    const rows = this.#db
      .prepare<[], { id: string; text: string }>('SELECT case_id AS id, text FROM notes')
      .all();
    return rows
      .filter(({ text }) => wordsFoundIn(text, words).length === words.length)
      .map(({ id }) => id);
  }
}
