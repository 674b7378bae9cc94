import type { Database } from '../database/sqlite.ts';

/** A submission that the server knows. */
export interface ReportRecord {
  readonly id: string;
  readonly caseId: string;
  readonly sequenceNo: number;
  readonly revisionNo: number;
  readonly status: string;
  readonly comment: string;
  readonly submittedAt: string | null;
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** The report submissions of each case, as the server last listed them. */
export class ReportStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /** @param read.lastChangedAt of the case when the list was asked for */
  replaceList(
    caseId: string,
    reports: readonly ReportRecord[],
    read: { listedAt: string; lastChangedAt: string },
  ): void {
    this.#db.transaction(() => {
      this.#db.prepare('DELETE FROM reports WHERE case_id = ?').run(caseId);
      const insert = this.#db.prepare(`
        INSERT OR REPLACE INTO reports VALUES (
          @caseId, @id, @sequenceNo, @revisionNo, @status, @comment, @submittedAt, @createdAt,
          @updatedAt
        )`);
      for (const report of reports) insert.run({ ...report, caseId });
      this.#db
        .prepare('UPDATE cases SET reports_listed_at = ?, reports_listed_for = ? WHERE id = ?')
        .run(read.listedAt, read.lastChangedAt, caseId);
    })();
  }

  /**
   * Cases that changed since their reports were listed while one was with the insurer: it may be
   * approved or returned by now. Behind them, those with a report that could not be read.
   */
  casesToFollow(limit: number): string[] {
    return this.#db
      .prepare<[number], string>(
        `WITH wanted (id, broken) AS (
           SELECT case_id, 0 FROM reports WHERE status = 'Submitted'
           UNION ALL SELECT case_id, 1 FROM unreadable_records WHERE list = 'reports')
         SELECT c.id FROM wanted w JOIN cases c ON c.id = w.id
         WHERE c.gone_reason IS NULL
           AND (w.broken = 1 OR c.reports_listed_for IS NOT c.last_changed_at)
         GROUP BY c.id ORDER BY min(w.broken) LIMIT ?`,
      )
      .pluck()
      .all(limit);
  }

  /** Newest first. */
  list(caseId: string): ReportRecord[] {
    return this.#db
      .prepare<[string], ReportRecord>(
        `SELECT case_id AS caseId, id, sequence_no AS sequenceNo, revision_no AS revisionNo, status,
           comment, submitted_at AS submittedAt, created_at AS createdAt, updated_at AS updatedAt
         FROM reports WHERE case_id = ? ORDER BY sequence_no DESC, created_at DESC`,
      )
      .all(caseId);
  }

  /** What was listed may be deleted at the server: nothing is concluded from it any more. */
  forgetListing(caseId: string): void {
    this.#db
      .prepare('UPDATE cases SET reports_listed_at = NULL, reports_listed_for = NULL WHERE id = ?')
      .run(caseId);
  }

  /** When the server last listed them; null if it never did. */
  listedAt(caseId: string): string | null {
    return (
      this.#db
        .prepare<[string], string | null>('SELECT reports_listed_at FROM cases WHERE id = ?')
        .pluck()
        .get(caseId) ?? null
    );
  }
}
