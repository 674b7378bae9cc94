import { beforeEach, expect, it } from 'vitest';
import type { Cache } from '#main/engine/cache/open-cache.ts';
import { openTestCache, sampleCase } from '../support/test-engine.ts';

let cache: Cache;
const ids = [1, 2, 3].map((number) => sampleCase(number).id);
beforeEach(() => {
  cache = openTestCache();
  cache.cases.upsert([
    sampleCase(1, { expertComment: 'Hagel' }),
    sampleCase(2),
    sampleCase(3, { expertComment: 'Sturm' }),
  ]);
});
const finds = (q?: string) => cache.ids({ ...(q !== undefined && { q }), descending: false });

it('a search finds further cases by what is not in the cache, each case once', () => {
  expect(finds('hagel')).toEqual(ids.slice(0, 1));
  const asked: string[] = [];
  cache.searchAlso((q) => {
    asked.push(q);
    return [...ids.slice(0, 2), 'not on the laptop'];
  });
  expect(finds('Hagel')).toEqual(ids.slice(0, 2));
  expect(finds('sturm')).toEqual(ids);
  expect(asked).toEqual(['Hagel', 'sturm']);
});

it('a search finds a case once that has the word itself and in a document', () => {
  const document = { id: 'd', fileName: 'Hagel.pdf', contentType: '', sizeBytes: 1, createdAt: '' };
  const read = { listedAt: '', lastChangedAt: '' };
  for (const id of ids.slice(0, 2)) cache.documents.replaceList(id, [document], read);
  expect(finds('hagel')).toEqual(ids.slice(0, 2));
});

it('a search has nothing of the one before, and no word finds every case', () => {
  expect(finds('hagel')).toEqual(ids.slice(0, 1));
  expect(finds('sturm')).toEqual(ids.slice(2));
  expect(finds('none')).toEqual([]);
  expect([finds(), finds(''), finds(' - ')]).toEqual([ids, ids, ids]);
});
