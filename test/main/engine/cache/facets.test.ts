import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { Facets, type Facet } from '#main/engine/cache/facets.ts';
import { cacheMigrations } from '#main/engine/cache/open-cache.ts';
import { indexOfPlace, together } from '#main/engine/cache/sorted-places.ts';
import { migrate } from '#main/engine/database/migrate.ts';
import { openDatabase, type Database } from '#main/engine/database/sqlite.ts';

let dir: string;
let db: Database;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'appraiser-desk-test-'));
  db = openDatabase({
    file: join(dir, 'cache.db'),
    keyHex: 'ab'.repeat(32),
    durability: 'normal',
  });
  migrate(db, cacheMigrations);
});
afterEach(() => {
  db.close();
  rmSync(dir, { recursive: true });
});

const facetOf = (number: number): Facet => ({
  status: `s${number % 3}`,
  category: `c${number % 2}`,
  inspectionType: '',
});
/** Some near each other and some as far apart as places by the millisecond are. */
const place = fc.integer({ min: 0, max: 12 }).map((number) => number * (number % 2 ? 1 : 2 ** 45));
const act = fc.oneof(
  fc.record({ do: fc.constant('set' as const), place, kind: fc.nat(5) }),
  fc.record({ do: fc.constant('delete' as const), place }),
  fc.record({ do: fc.constant('look' as const), place }),
  fc.record({ do: fc.constant('forget' as const), place }),
);

it('gives what the database has, whatever came and went since it was read', () => {
  fc.assert(
    fc.property(fc.array(act, { maxLength: 40 }), (acts) => {
      db.exec('DELETE FROM case_entries');
      const facets = new Facets(db);
      const model = new Map<number, Facet>();
      const seen = (places: Iterable<number>) => {
        const { kinds, kindAt } = facets.look();
        return Array.from(places, (one) => kinds[kindAt(one)]);
      };
      for (const one of acts) {
        if (one.do === 'look') expect(seen([one.place])).toEqual([model.get(one.place)]);
        else if (one.do === 'forget') facets.forget();
        else {
          // As a case is entered again, and as one leaves.
          db.prepare('DELETE FROM case_entries WHERE seq = ?').run(one.place);
          facets.delete(one.place);
          model.delete(one.place);
          if (one.do === 'delete') continue;
          const facet = facetOf(one.kind);
          db.prepare(`INSERT INTO case_entries VALUES (?, ?, ?, '', '', NULL, '')`).run(
            one.place,
            facet.status,
            facet.category,
          );
          facets.set(one.place, facet);
          model.set(one.place, facet);
        }
      }
      const places = [...model.keys()].sort((a, b) => a - b);
      expect(seen(places)).toEqual(places.map((one) => model.get(one)));
      expect(seen(places.toReversed())).toEqual(places.toReversed().map((one) => model.get(one)));
    }),
  );
});

const placesUp = fc.uniqueArray(place).map((places) => places.sort((a, b) => a - b));

it('puts hits of both indexes together, each once, either way', () => {
  fc.assert(
    fc.property(placesUp, placesUp, (one, other) => {
      const all = [...new Set([...one, ...other])].sort((a, b) => a - b);
      expect([...together(one, other, false)]).toEqual(all);
      expect([...together(one.toReversed(), other.toReversed(), true)]).toEqual(all.toReversed());
    }),
  );
});

it('finds where a place stands', () => {
  fc.assert(
    fc.property(placesUp, place, (places, one) => {
      expect(indexOfPlace(places, one)).toBe(places.indexOf(one));
    }),
  );
});
