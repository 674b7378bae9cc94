import type { Database } from '../database/sqlite.ts';

/** What the list filters by and counts by. */
export interface Facet {
  readonly status: string;
  readonly category: string;
  readonly inspectionType: string;
}

/** Rows that are read at once: all of them would leave a heap that is never given back. */
const chunkSize = 2000;

/**
 * The facet of every case by its place, in memory: one word may hit most of 100,000 cases, and
 * counting them by status with a look into the database for each takes longer than a person's next
 * key. There are only some dozens of different facets, so each case costs one entry of a map.
 */
export class Facets {
  readonly #db: Database;
  readonly #distinct = new Map<string, Facet>();
  #byPlace: Map<number, Facet> | null = null;

  constructor(db: Database) {
    this.#db = db;
  }

  /** Read from the database once, kept up to date from then on. */
  all(): ReadonlyMap<number, Facet> {
    if (this.#byPlace) return this.#byPlace;
    const next = this.#db
      .prepare<[number], [number, string, string, string]>(
        `SELECT seq, status, category, inspection_type FROM case_entries
         WHERE seq > ? ORDER BY seq LIMIT ${chunkSize}`,
      )
      .raw();
    const byPlace = new Map<number, Facet>();
    let rows = next.all(-1);
    while (rows.length > 0) {
      for (const [seq, status, category, inspectionType] of rows) {
        byPlace.set(seq, this.#shared({ status, category, inspectionType }));
      }
      rows = next.all(rows.at(-1)?.[0] ?? Infinity);
    }
    this.#byPlace = byPlace;
    return byPlace;
  }

  #shared(facet: Facet): Facet {
    const key = JSON.stringify([facet.status, facet.category, facet.inspectionType]);
    const known = this.#distinct.get(key);
    if (known) return known;
    this.#distinct.set(key, facet);
    return facet;
  }

  set(place: number, facet: Facet): void {
    this.#byPlace?.set(place, this.#shared(facet));
  }

  delete(place: number): void {
    this.#byPlace?.delete(place);
  }

  /** A transaction was rolled back: what was set may not be so. */
  forget(): void {
    this.#byPlace = null;
  }
}
