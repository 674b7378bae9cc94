import type { Database } from '../database/sqlite.ts';

/** Without anything new for so long, a sync is over. */
const restMs = 5000;
/** Between two steps, so that whatever a person asks for comes first. */
const breathMs = 100;
/** Leaves of 2 KB that a step writes at most: some 10 ms of work. */
const leavesAtOnce = 128;
/** So many parts of an index are left alone, whatever their sizes. */
const partsMax = 2;

/**
 * Whether parts that make no pairs should become one all the same, by their sizes, the largest first:
 * only where the others together are a quarter of it, so that what is there is not written anew for
 * every few cases that change.
 */
function isScattered([largest = 0, ...others]: readonly number[]): boolean {
  const sum = others.reduce((all, one) => all + one, 0);
  return others.length >= partsMax && sum * 4 >= largest;
}

/**
 * Merges the parts that a full-text index grows by, in small steps while the desk rests. Every word
 * is looked for in each part, so after a first sync (10 and 19 parts) a search takes three times as
 * long as in the two that are left afterwards (decision 0047).
 */
export class IndexTidier {
  readonly #db: Database;
  readonly #indexes;
  readonly #changes;
  #timer: NodeJS.Timeout | null = null;

  constructor(db: Database) {
    this.#db = db;
    this.#indexes = ['case_search', 'document_search'].map((index) => {
      const merge = (leaves: number) =>
        db.prepare(`INSERT INTO ${index} (${index}, rank) VALUES ('merge', ${leaves})`);
      return {
        pairs: merge(leavesAtOnce),
        // Fewer than none: puts all parts beside each other first, whatever their sizes.
        all: merge(-leavesAtOnce),
        sizes: db
          .prepare<[], number>(`SELECT count(*) FROM ${index}_idx GROUP BY segid ORDER BY 1 DESC`)
          .pluck(),
      };
    });
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
    const isWorking = this.#indexes.some(
      ({ pairs, all, sizes }) =>
        this.#merges(pairs) || (isScattered(sizes.all()) && this.#merges(all)),
    );
    // Little by little: all at once in the end would be some tenths of a second.
    if (isWorking) this.#db.pragma('wal_checkpoint(PASSIVE)');
    return isWorking;
  }

  #merges(step: { run(): unknown }): boolean {
    const before = this.#changes.get() ?? 0;
    step.run();
    // A step that found nothing to do counts as one change (SQLite's FTS5, section 6.8).
    return (this.#changes.get() ?? 0) - before >= 2;
  }

  close(): void {
    if (this.#timer) clearTimeout(this.#timer);
  }
}
