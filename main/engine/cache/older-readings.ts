import type { Database } from '../database/sqlite.ts';

/** The time at which a case was requested, and the time at which its answer is stored. */
export interface ReadingTimes {
  readonly askedMs: number;
  readonly nowMs: number;
}

/** A case that was replaced by an older state of it. */
export interface TakenBack {
  readonly caseId: string;
  /** The LastChangedAt of the older state. */
  readonly lastChangedAt: string;
}

/**
 * The cases that the partner returned with an older LastChangedAt than the stored one. The reason
 * is either an answer that another one overtook, or a partner that was restored from a backup. A
 * second reading decides.
 */
export class OlderReadings {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /** Notes a case. @returns whether a request after the first note returned the same */
  isConfirmed(caseId: string, lastChangedAt: string, { askedMs, nowMs }: ReadingTimes): boolean {
    const noted = this.#db
      .prepare<[string], { lastChangedAt: string; notedMs: number }>(
        `SELECT last_changed_at AS lastChangedAt, noted_ms AS notedMs FROM older_readings
         WHERE case_id = ?`,
      )
      .get(caseId);
    const isConfirmed = noted?.lastChangedAt === lastChangedAt && noted.notedMs <= askedMs;
    this.#db
      .prepare(
        `INSERT INTO older_readings VALUES (@caseId, @lastChangedAt, @nowMs, @isTaken)
         ON CONFLICT DO UPDATE SET last_changed_at = excluded.last_changed_at,
           noted_ms = excluded.noted_ms, is_taken = excluded.is_taken`,
      )
      .run({ caseId, lastChangedAt, nowMs, isTaken: isConfirmed ? 1 : 0 });
    return isConfirmed;
  }

  /** Removes the note of a case, because the partner returned a state that is not older. */
  forget(caseId: string): void {
    this.#db.prepare('DELETE FROM older_readings WHERE case_id = ? AND is_taken = 0').run(caseId);
  }

  /** The number of these cases that wait for a second reading. */
  countOf(caseIds: readonly string[]): number {
    const count = this.#db
      .prepare<[string], number>(
        `SELECT count(*) FROM older_readings
         WHERE is_taken = 0 AND case_id IN (SELECT value FROM json_each(?))`,
      )
      .pluck();
    return count.get(JSON.stringify(caseIds)) ?? 0;
  }

  /** The cases whose delivered acts were not compared with the partner yet. */
  taken(): TakenBack[] {
    return this.#db
      .prepare<[], TakenBack>(
        `SELECT case_id AS caseId, last_changed_at AS lastChangedAt FROM older_readings
         WHERE is_taken = 1 ORDER BY case_id`,
      )
      .all();
  }

  /** Removes a case, because its acts were compared. */
  settle(caseId: string): void {
    this.#db.prepare('DELETE FROM older_readings WHERE case_id = ?').run(caseId);
  }
}
