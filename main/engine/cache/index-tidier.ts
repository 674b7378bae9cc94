import type { Database } from '../database/sqlite.ts';

/** Without anything new for so long, a sync is over. */
const restMs = 5000;
/** Between two steps, so that whatever a person asks for comes first. */
const breathMs = 100;
/** Leaves of 2 KB that a step writes at most: some 10 ms of work. */
const leavesAtOnce = 128;

/**
 * Merges the parts that a full-text index grows by, in small steps while the desk rests. Every word
 * is looked for in each part, so after a first sync (10 and 19 parts) a search takes three times as
 * long as in the two that are left afterwards (decision 0047).
 */
export class IndexTidier {
  readonly #db: Database;
  readonly #steps;
  readonly #changes;
  #timer: NodeJS.Timeout | null = null;

  constructor(db: Database) {
    this.#db = db;
    this.#steps = ['case_search', 'document_search'].map((index) =>
      db.prepare(`INSERT INTO ${index} (${index}, rank) VALUES ('merge', ${leavesAtOnce})`),
    );
    this.#changes = db.prepare<[], number>('SELECT total_changes()').pluck();
  }

  /** Something was entered: tidies when that is over. */
  wake(): void {
    this.#after(restMs);
  }

  #after(ms: number): void {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      try {
        if (this.step()) this.#after(breathMs);
      } catch {
        // Nobody waits for it: a full disk has room again some time, and whoever asks next meets
        // the damage.
      }
    }, ms).unref();
  }

  /** One step; false where nothing is left to be merged. */
  step(): boolean {
    const isWorking = this.#steps.some((step) => {
      const before = this.#changes.get() ?? 0;
      step.run();
      // A step that found nothing to do counts as one change (SQLite's FTS5, section 6.8).
      return (this.#changes.get() ?? 0) - before >= 2;
    });
    // Little by little: all at once in the end would be some tenths of a second.
    if (isWorking) this.#db.pragma('wal_checkpoint(PASSIVE)');
    return isWorking;
  }

  close(): void {
    if (this.#timer) clearTimeout(this.#timer);
  }
}
