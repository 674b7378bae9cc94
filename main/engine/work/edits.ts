import { z } from 'zod';
import { editParts, type EditPart } from '#shared/desk/cases/case-choices.ts';
import { type Edit, isEditOf } from '#shared/desk/cases/cases.ts';
import type { Database } from '../database/sqlite.ts';
import type { Act } from './outbox-records.ts';

/** A value of the case as the user saw it. Amounts are in whole Rappen. */
const seenSchema = z.union([z.string(), z.number(), z.null()]);
export type SeenValue = z.infer<typeof seenSchema>;

const storedSchema = z.object({
  case_id: z.string(),
  external_key: z.string(),
  part: z.enum(editParts),
  text: z.string(),
  /** The value as JSON. */
  seen: z.string(),
  updated_at: z.string(),
});
/** A typed text in the form of the store and of a package. */
export const storedEditsSchema = z.array(storedSchema);
type StoredEdit = z.infer<typeof storedSchema>;

export function readStoredEdits(db: Database): StoredEdit[] {
  return storedEditsSchema.parse(
    db.prepare('SELECT * FROM edits ORDER BY updated_at DESC, case_id, part').all(),
  );
}

/**
 * Adds texts of another store. A text that is typed here stays.
 * @returns the number of new texts, and the ids of the cases with another text here
 */
export function insertStoredEdits(
  db: Database,
  edits: readonly StoredEdit[],
): { texts: number; differing: string[] } {
  const insert = db.prepare<[StoredEdit]>(
    `INSERT OR IGNORE INTO edits (case_id, external_key, part, text, seen, updated_at)
     VALUES (@case_id, @external_key, @part, @text, @seen, @updated_at)`,
  );
  const find = db
    .prepare<[StoredEdit], string>(
      'SELECT text FROM edits WHERE case_id = @case_id AND part = @part',
    )
    .pluck();
  const known = edits.filter((edit) => insert.run(edit).changes === 0);
  const differing = known
    .filter((edit) => find.get(edit) !== edit.text)
    .map(({ case_id: caseId }) => caseId);
  return { texts: edits.length - known.length, differing };
}

/**
 * The texts that the user typed into cases and did not queue. They survive a crash or a restart.
 */
export class Edits {
  readonly #db: Database;
  readonly #now: () => string;

  constructor(options: { db: Database; now: () => string }) {
    this.#db = options.db;
    this.#now = options.now;
  }

  /** The texts; the last changed comes first. */
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
   * @param seen the value that the case showed; it is stored with the first letter
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
   * Removes the texts that an act of the case sets. Other texts stay, because the act may come from
   * a sheet or the command line.
   * @returns the values that the user saw at the first letter, by part
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

/** The value that the act sets for this part; undefined if it sets none. */
function valueOf(act: Act, part: EditPart): SeenValue | undefined {
  if (act.kind === 'comment') return part === 'comment' ? act.text : undefined;
  if (act.kind === 'reopen') return part === 'reason' ? act.reason : undefined;
  if (act.kind !== 'amounts') return undefined;
  if (part === 'estimate') return act.costEstimateRappen;
  return part === 'approved' ? act.approvedRappen : undefined;
}
