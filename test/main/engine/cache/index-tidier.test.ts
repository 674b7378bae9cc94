import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { cacheMigrations, openCache, type Cache } from '#main/engine/cache/open-cache.ts';
import { migrate } from '#main/engine/database/migrate.ts';
import { openDatabase } from '#main/engine/database/sqlite.ts';
import { sampleCase } from '../support/sample-case.ts';

const keyHex = 'ab'.repeat(32);
const names = ['Meier', 'Meierhans', 'Müller', 'Favre', 'Rossi', 'Keller'];
let dir: string;
let file: string;
let cache: Cache;
beforeEach(() => {
  vi.useFakeTimers();
  dir = mkdtempSync(join(tmpdir(), 'appraiser-desk-test-'));
  file = join(dir, 'cache.db');
  cache = openCache(file, keyHex);
});
afterEach(() => {
  cache.close();
  rmSync(dir, { recursive: true });
  vi.useRealTimers();
});

/** Of how many parts an index consists, as another connection sees it. */
function partsOf(index: 'case_search' | 'document_search'): number {
  const db = openDatabase({ file, keyHex, durability: 'normal', readonly: true });
  const count = db.prepare<[], number>(`SELECT count(DISTINCT segid) FROM ${index}_idx`).pluck();
  const parts = count.get() ?? 0;
  db.close();
  return parts;
}

/** How many pages of each kind the file has for an index. */
function pagesOf(index: 'case_search' | 'document_search'): Map<string, number> {
  const db = openDatabase({ file, keyHex, durability: 'normal', readonly: true });
  const rows = db
    .prepare<[string], { kind: string; count: number }>(
      'SELECT pagetype AS kind, count(*) AS count FROM dbstat WHERE name = ? GROUP BY pagetype',
    )
    .all(`${index}_data`);
  db.close();
  return new Map(rows.map(({ kind, count }) => [kind, count]));
}

/** A page of a pull: a few cases, one of which was there before, and the documents of one. */
function enterPage(page: number): void {
  const numbers = [page * 4 - 3, page * 4, page * 4 + 1, page * 4 + 2];
  cache.together(() => {
    cache.cases.upsert(
      numbers.map((number) =>
        sampleCase(number, {
          expertComment: `${names[number % names.length] ?? ''} ${number}`,
          lastChangedAt: new Date(Date.parse('2026-03-01') + page * 1000).toISOString(),
        }),
      ),
    );
    const at = '2026-03-01T00:00:00Z';
    const document = { contentType: 'application/pdf', sizeBytes: 3, createdAt: at };
    cache.documents.replaceList(
      sampleCase(page * 4).id,
      [{ ...document, id: 'd1', fileName: `Gutachten ${names[page % names.length] ?? ''}.pdf` }],
      { listedAt: at, lastChangedAt: at },
    );
  });
}

const enterPages = (from: number, to: number) => {
  for (let page = from; page < to; page += 1) enterPage(page);
};

const found = () =>
  ['m', 'mei', 'meier', 'meierh', 'muller', 'gutachten favre', 'rossi 1', 'sf 2026', 'no'].map(
    (q) => cache.ids({ q, limit: 500 }),
  );

describe('the indexes of the search', () => {
  it('are merged while the desk rests, and find what they found', () => {
    enterPages(1, 40);
    const before = found();
    expect(before.map((ids) => ids.length)).toContain(0);
    expect(partsOf('case_search')).toBeGreaterThan(4);
    expect(partsOf('document_search')).toBeGreaterThan(4);

    vi.advanceTimersByTime(60_000);
    expect(partsOf('case_search')).toBeLessThanOrEqual(2);
    expect(partsOf('document_search')).toBeLessThanOrEqual(2);
    expect(found()).toEqual(before);
    expect(cache.tidy()).toBe(false);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('have leaves that go over into no second page, as entered and as merged', () => {
    const long = Array.from({ length: 900 }, (_, index) => `w${index * 7919}`).join(' ');
    for (let number = 0; number < 40; number += 1) {
      cache.cases.upsert([sampleCase(number, { expertComment: `${long} ${number}` })]);
    }
    const entered = pagesOf('case_search');
    vi.advanceTimersByTime(60_000);
    const merged = pagesOf('case_search');
    for (const pages of [entered, merged]) {
      expect(pages.get('leaf')).toBeGreaterThan(10);
      expect(pages.get('overflow')).toBeUndefined();
    }
  });

  it('are merged too where their parts are of too different sizes to make pairs', () => {
    const wordsOf = (number: number) =>
      Array.from({ length: 300 }, (_, index) => `w${(number * 7919 + index * 104729) % 99991}`);
    let number = 0;
    for (const count of [100, 20, 4]) {
      for (const last = number + count; number < last; number += 1) {
        const one = sampleCase(number, { expertComment: wordsOf(number).join(' ') });
        cache.together(() => cache.cases.upsert([one]));
      }
      vi.advanceTimersByTime(60_000);
      expect(partsOf('case_search')).toBeLessThanOrEqual(2);
    }
    expect(cache.list({ q: 'muster' }).total).toBe(124);
    expect(cache.tidy()).toBe(false);
  });

  it('are left alone while something is entered', () => {
    enterPages(1, 30);
    const parts = partsOf('case_search');
    for (let page = 30; page < 34; page += 1) {
      vi.advanceTimersByTime(4900);
      cache.together(() => undefined);
    }
    expect(partsOf('case_search')).toBe(parts);
  });

  it('are merged in a cache of an earlier version too', () => {
    cache.close();
    rmSync(file);
    const db = openDatabase({ file, keyHex, durability: 'normal' });
    migrate(db, cacheMigrations.slice(0, 7));
    db.close();
    cache = openCache(file, keyHex);
    enterPages(1, 40);
    vi.advanceTimersByTime(60_000);
    expect(partsOf('case_search')).toBeLessThanOrEqual(2);
  });

  it('are left alone once the cache is closed', () => {
    enterPages(1, 2);
    expect(vi.getTimerCount()).toBeGreaterThan(0);
    cache.close();
    expect(vi.getTimerCount()).toBe(0);
  });
});
