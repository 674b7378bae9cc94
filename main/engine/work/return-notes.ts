import type { ReturnNote } from '#shared/desk/reports/returns.ts';
import type { Database } from '../database/sqlite.ts';

/** A submitted report that this device knows without the partner's list. */
interface KnownReport {
  readonly id: string;
  readonly caseId: string;
  /** Whether the user noted that it came back. */
  readonly isReturned: boolean;
  readonly reason: string | null;
}

/** Why reports came back, as the user noted it. Notes are on this device only, and in its backups. */
export class ReturnNotes {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /** The notes of a case, by submission. */
  of(caseId: string): Map<string, ReturnNote> {
    const rows = this.#db
      .prepare<[string], ReturnNote & { id: string }>(
        'SELECT submission_id AS id, reason, text FROM return_notes WHERE case_id = ?',
      )
      .all(caseId);
    return new Map(rows.map(({ id, ...note }) => [id, note]));
  }

  /** Stores a note. Without a reason and a text the note is removed. */
  set(submission: { readonly id: string; readonly caseId: string }, note: ReturnNote): void {
    const { id, caseId } = submission;
    const { reason, text } = note;
    if (reason === null && text === '')
      this.#db.prepare('DELETE FROM return_notes WHERE submission_id = ?').run(id);
    else
      this.#db
        .prepare('INSERT OR REPLACE INTO return_notes VALUES (@id, @caseId, @reason, @text)')
        .run({ id, caseId, reason, text });
  }

  /** The reports that were delivered from this device or have a note. */
  knownReports(): KnownReport[] {
    const rows = this.#db
      .prepare<[], Omit<KnownReport, 'isReturned'> & { isReturned: number }>(
        `SELECT submission_id AS id, case_id AS caseId, 1 AS isReturned, reason FROM return_notes
         UNION ALL
         SELECT s.server_id, o.case_id, 0, NULL FROM outbox o
           JOIN outbox_steps s ON s.row_id = o.id AND s.kind = 'draft'
         WHERE o.kind = 'report' AND o.state = 'delivered' AND s.server_id IS NOT NULL
           AND s.server_id NOT IN (SELECT submission_id FROM return_notes)`,
      )
      .all();
    return rows.map((row) => ({ ...row, isReturned: row.isReturned === 1 }));
  }
}
