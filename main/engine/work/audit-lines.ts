import { z } from 'zod';
import type { Database } from '../database/sqlite.ts';

const lineSchema = z.object({
  at: z.string(),
  event: z.enum(['cases-removed', 'documents-removed']),
  workspace: z.string(),
  /** The number of days in the rule. */
  days: z.int(),
  cases: z.int(),
  documents: z.int(),
  /** The number of files of sent reports. */
  sentFiles: z.int(),
});
/** What the retention removed. A line names no case. */
export type AuditLine = z.infer<typeof lineSchema>;
export const auditLinesSchema = z.array(lineSchema);

/** The lines of the retention log that are not in its file yet. */
export class AuditLines {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  add(line: AuditLine): void {
    this.#db.prepare('INSERT INTO audit_lines (line) VALUES (?)').run(JSON.stringify(line));
  }

  /**
   * Passes the waiting lines to `write` in their order, and deletes them after it has returned. A
   * crash may repeat a line but loses none.
   */
  flush(write: (lines: readonly AuditLine[]) => void): void {
    const rows = this.#db
      .prepare<[], { id: number; line: string }>('SELECT id, line FROM audit_lines ORDER BY id')
      .all();
    const last = rows.at(-1);
    if (!last) return;
    write(auditLinesSchema.parse(rows.map(({ line }): unknown => JSON.parse(line))));
    this.#db.prepare('DELETE FROM audit_lines WHERE id <= ?').run(last.id);
  }
}
