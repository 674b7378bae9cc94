import type { Database } from '../database/sqlite.ts';
import { visibleText } from '#shared/lib/visible-text.ts';

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

  /** @param read.lastChangedAt the case's, when the list was requested */
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
      for (const { status, comment, ...report } of reports) {
        const texts = { status: visibleText(status), comment: visibleText(comment) };
        insert.run({ ...report, ...texts, caseId });
      }
      this.#db
        .prepare('UPDATE cases SET reports_listed_at = ?, reports_listed_for = ? WHERE id = ?')
        .run(read.listedAt, read.lastChangedAt, caseId);
    })();
  }

  /**
   * The cases that changed after their reports were listed while a report was with the insurer,
   * because it may be approved or returned now. After them come the cases with a report that could
   * not be read.
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

  /** The reports of a case, newest first. */
  list(caseId: string): ReportRecord[] {
    return this.#db
      .prepare<[string], ReportRecord>(
        `SELECT case_id AS caseId, id, sequence_no AS sequenceNo, revision_no AS revisionNo, status,
           comment, submitted_at AS submittedAt, created_at AS createdAt, updated_at AS updatedAt
         FROM reports WHERE case_id = ? ORDER BY sequence_no DESC, created_at DESC`,
      )
      .all(caseId);
  }

  /**
   * Forgets that the reports were listed, because some may be deleted at the server and nothing
   * must be concluded from the list.
   */
  forgetListing(caseId: string): void {
    this.#db
      .prepare('UPDATE cases SET reports_listed_at = NULL, reports_listed_for = NULL WHERE id = ?')
      .run(caseId);
  }

  /** When the server last listed the reports; null if it never did. */
  listedAt(caseId: string): string | null {
    return (
      this.#db
        .prepare<[string], string | null>('SELECT reports_listed_at FROM cases WHERE id = ?')
        .pluck()
        .get(caseId) ?? null
    );
  }
}
