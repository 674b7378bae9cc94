import { z } from 'zod';
import { editParts, type EditPart } from '#shared/desk/case-choices.ts';
import { type Edit, isEditOf } from '#shared/desk/cases.ts';
import type { Database } from '../database/sqlite.ts';
import type { Act } from './outbox-records.ts';

/** A value of the case as the user saw it; money in whole Rappen. */
const seenSchema = z.union([z.string(), z.number(), z.null()]);
export type SeenValue = z.infer<typeof seenSchema>;

const storedSchema = z.object({
  case_id: z.string(),
  external_key: z.string(),
  part: z.enum(editParts),
  text: z.string(),
  /** JSON */
  seen: z.string(),
  updated_at: z.string(),
});
/** One typed text as it is stored and as it travels in a package. */
export const storedEditsSchema = z.array(storedSchema);
type StoredEdit = z.infer<typeof storedSchema>;

/** Empty for a store of a version that had none. */
export function readStoredEdits(db: Database): StoredEdit[] {
  const isThere = db.prepare(`SELECT 1 FROM sqlite_schema WHERE name = 'edits'`).get();
  if (isThere === undefined) return [];
  return storedEditsSchema.parse(
    db.prepare('SELECT * FROM edits ORDER BY updated_at DESC, case_id, part').all(),
  );
}

/** Adds texts of another store. What is typed here already stays. @returns how many are new */
export function insertStoredEdits(db: Database, edits: readonly StoredEdit[]): number {
  const insert = db.prepare<[StoredEdit]>(
    `INSERT OR IGNORE INTO edits (case_id, external_key, part, text, seen, updated_at)
     VALUES (@case_id, @external_key, @part, @text, @seen, @updated_at)`,
  );
  return edits.reduce((sum, edit) => sum + insert.run(edit).changes, 0);
}

/** What the user typed into cases and has not queued, so that it survives a crash or a restart. */
export class Edits {
  readonly #db: Database;
  readonly #now: () => string;

  constructor(options: { db: Database; now: () => string }) {
    this.#db = options.db;
    this.#now = options.now;
  }

  /** Last changed first. */
  list(): Edit[] {
    const byCase = Map.groupBy(readStoredEdits(this.#db), ({ case_id }) => case_id);
    return [...byCase.values()].flatMap((rows) => {
      const [last] = rows;
      if (!last) return [];
      const texts = Object.fromEntries(rows.map(({ part, text }) => [part, text]));
      const { case_id: caseId, external_key: externalKey, updated_at: updatedAt } = last;
      return [{ caseId, externalKey, updatedAt, ...texts }];
    });
  }

  /**
   * Stores a text as typed.
   * @param seen what the case showed; stored from the first letter on
   */
  save(
    target: { caseId: string; externalKey: string },
    part: EditPart,
    text: string,
    seen: SeenValue,
  ): void {
    this.#db
      .prepare(
        `INSERT INTO edits (case_id, external_key, part, text, seen, updated_at)
         VALUES (?, ?, ?, ?, ?, ?)
         ON CONFLICT (case_id, part)
           DO UPDATE SET text = excluded.text, updated_at = excluded.updated_at`,
      )
      .run(target.caseId, target.externalKey, part, text, JSON.stringify(seen), this.#now());
  }

  forget(caseId: string, part: EditPart): void {
    this.#db.prepare('DELETE FROM edits WHERE case_id = ? AND part = ?').run(caseId, part);
  }

  /**
   * Takes out the texts that an act of the case sets. Others stay: the act may come from a sheet or
   * the command line.
   * @returns what the user saw when they began to type, by part
   */
  take(caseId: string, act: Act): Partial<Record<EditPart, SeenValue>> {
    const seen: Partial<Record<EditPart, SeenValue>> = {};
    for (const { part, text, seen: saw } of this.#of(caseId)) {
      const value = valueOf(act, part);
      if (value === undefined || !isEditOf(part, text, value)) continue;
      this.forget(caseId, part);
      seen[part] = seenSchema.parse(JSON.parse(saw));
    }
    return seen;
  }

  #of(caseId: string): StoredEdit[] {
    return storedEditsSchema.parse(
      this.#db.prepare('SELECT * FROM edits WHERE case_id = ?').all(caseId),
    );
  }
}

/** What the act sets of this part; undefined if nothing. */
function valueOf(act: Act, part: EditPart): SeenValue | undefined {
  if (act.kind === 'comment') return part === 'comment' ? act.text : undefined;
  if (act.kind === 'reopen') return part === 'reason' ? act.reason : undefined;
  if (act.kind !== 'amounts') return undefined;
  if (part === 'estimate') return act.costEstimateRappen;
  return part === 'approved' ? act.approvedRappen : undefined;
}
