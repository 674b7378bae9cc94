import type { Database } from '../database/sqlite.ts';
import { indexOfPlace } from './sorted-places.ts';

/** What the list filters by and counts by. */
export interface Facet {
  readonly status: string;
  readonly category: string;
  readonly inspectionType: string;
}

/** Rows that are read at once: all of them would leave a heap that is never given back. */
const chunkSize = 2000;

/** Every case by its place, going up, and which of the different facets it has. */
interface Table {
  readonly places: Float64Array;
  readonly kinds: Uint32Array;
}

/**
 * The facet of every case by its place, in memory: one word may hit most of 100,000 cases, and
 * counting them by status with a look into the database for each takes longer than a person's next
 * key. There are only some dozens of different facets, so each case costs twelve bytes; a map of
 * 100,000 entries took ten times as much, and as long to look into as the search itself.
 */
export class Facets {
  readonly #db: Database;
  readonly #kinds: Facet[] = [];
  readonly #kindOf = new Map<string, number>();
  #table: Table | null = null;
  /** What came since the table was made, and null for what went. */
  readonly #changes = new Map<number, number | null>();

  constructor(db: Database) {
    this.#db = db;
  }

  /** Reads what is not here yet: everything once, later what changed. */
  warm(): void {
    this.#warmed();
  }

  /**
   * The different facets there are, and which of these kinds the case at a place is of; -1 where
   * there is none. Good until the next change, and quickest for places that follow each other,
   * which is how hits come.
   */
  look(): { kinds: readonly Facet[]; kindAt: (place: number) => number } {
    const { places, kinds } = this.#warmed();
    let last = 0;
    return {
      kinds: this.#kinds,
      kindAt: (place) => {
        if (places[last + 1] === place) last += 1;
        else if (places[last - 1] === place) last -= 1;
        else {
          const index = indexOfPlace(places, place);
          if (index < 0) return -1;
          last = index;
        }
        return kinds[last] ?? -1;
      },
    };
  }

  #warmed(): Table {
    this.#table ??= this.#read();
    if (this.#changes.size > 0) this.#table = this.#changed(this.#table);
    this.#changes.clear();
    return this.#table;
  }

  #read(): Table {
    const count = this.#db.prepare<[], number>('SELECT count(*) FROM case_entries').pluck().get();
    const next = this.#db
      .prepare<[number], [number, string, string, string]>(
        `SELECT seq, status, category, inspection_type FROM case_entries
         WHERE seq > ? ORDER BY seq LIMIT ${chunkSize}`,
      )
      .raw();
    const places = new Float64Array(count ?? 0);
    const kinds = new Uint32Array(places.length);
    let at = 0;
    let rows = next.all(-1);
    while (rows.length > 0) {
      for (const [seq, status, category, inspectionType] of rows) {
        places[at] = seq;
        kinds[at] = this.#kind({ status, category, inspectionType });
        at += 1;
      }
      rows = next.all(rows.at(-1)?.[0] ?? Infinity);
    }
    return { places, kinds };
  }

  /** The table with what changed since, and without what went. */
  #changed(table: Table): Table {
    const came = [...this.#changes].flatMap(([place, kind]) =>
      kind === null ? [] : [{ place, kind }],
    );
    came.sort((a, b) => a.place - b.place);
    const places = new Float64Array(table.places.length + came.length);
    const kinds = new Uint32Array(places.length);
    let count = 0;
    const add = (place: number, kind: number) => {
      places[count] = place;
      kinds[count] = kind;
      count += 1;
    };
    let next = 0;
    for (const [index, place] of table.places.entries()) {
      for (let one = came[next]; one && one.place < place; one = came[next]) {
        add(one.place, one.kind);
        next += 1;
      }
      if (!this.#changes.has(place)) add(place, table.kinds[index] ?? 0);
    }
    for (const { place, kind } of came.slice(next)) add(place, kind);
    return { places: places.slice(0, count), kinds: kinds.slice(0, count) };
  }

  #kind(facet: Facet): number {
    const key = JSON.stringify([facet.status, facet.category, facet.inspectionType]);
    const known = this.#kindOf.get(key);
    if (known !== undefined) return known;
    this.#kindOf.set(key, this.#kinds.length);
    return this.#kinds.push(facet) - 1;
  }

  set(place: number, facet: Facet): void {
    if (this.#table) this.#changes.set(place, this.#kind(facet));
  }

  delete(place: number): void {
    if (this.#table) this.#changes.set(place, null);
  }

  /** A transaction was rolled back: what was set may not be so. */
  forget(): void {
    this.#table = null;
    this.#changes.clear();
  }
}
