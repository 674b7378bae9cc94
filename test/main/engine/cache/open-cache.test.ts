import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { type Cache, deleteCache, openCache } from '#main/engine/cache/open-cache.ts';
import { openDatabase } from '#main/engine/database/sqlite.ts';
import { timeValue } from '#main/engine/database/stored-values.ts';
import { sampleCase, openTestCache, testFolder } from '../support/test-engine.ts';

const keyHex = 'ab'.repeat(32);
let dir: string;
let file: string;
beforeEach(() => {
  dir = testFolder();
  file = join(dir, 'cache.db');
});

describe('the cache', () => {
  it('comes back with its content', () => {
    const cache = openTestCache(dir);
    cache.cases.upsert([sampleCase(1)]);
    const value = timeValue('last-look');
    cache.values.set(value, 1000);
    cache.close();
    expect(() => cache.cases.count()).toThrow('not open');
    const again = openTestCache(dir);
    expect(again.values.get(value)).toBe(1000);
    expect(again.cases.find('SF-2026-000001')?.id).toBe(sampleCase(1).id);
    expect(again.list({ q: 'sf' }).total).toBe(1);
  });

  it('is created again if its file is damaged', () => {
    openTestCache(dir).close();
    writeFileSync(file, Buffer.alloc(8192, 7));
    const cache = openTestCache(dir);
    expect(cache.cases.count()).toBe(0);
  });

  it.each([
    ['of another schema', `UPDATE schema_steps SET statements = 'other'`],
    ['of a version without recorded steps', 'DROP TABLE schema_steps'],
    ['of a later version', `INSERT INTO schema_steps VALUES (2, 'later', '[""]')`],
  ])('%s is made again', (_, change) => {
    const before = openTestCache(dir);
    before.cases.upsert([sampleCase(1)]);
    before.close();
    const db = openDatabase({ file, keyHex, durability: 'normal' });
    db.exec('DROP TABLE reports');
    db.exec(change);
    db.close();
    const cache = openTestCache(dir);
    expect(cache.cases.count()).toBe(0);
    cache.cases.upsert([sampleCase(2)]);
    expect(cache.reports.list(sampleCase(2).id)).toEqual([]);
    cache.close();
    const again = openTestCache(dir);
    expect(again.cases.count()).toBe(1);
  });

  it('is created again if it was written with another key', () => {
    const before = openTestCache(dir);
    before.cases.upsert([sampleCase(1)]);
    before.close();
    const other = openCache(file, 'cd'.repeat(32));
    expect(other.cases.count()).toBe(0);
    other.close();
  });

  it('stays as it is if it cannot be opened for any other reason', () => {
    const before = openTestCache(dir);
    before.cases.upsert([sampleCase(1)]);
    before.close();
    expect(() => openCache(file, 'no key')).toThrow(RangeError);
    expect(openTestCache(dir).cases.count()).toBe(1);
  });

  it('is deleted with its log, whether or not it is there', () => {
    const cache = openTestCache(dir);
    cache.cases.upsert([sampleCase(1)]);
    writeFileSync(join(dir, 'other'), '');
    expect(readdirSync(dir).toSorted()).toEqual([
      'cache.db',
      'cache.db-shm',
      'cache.db-wal',
      'other',
    ]);
    deleteCache(file);
    deleteCache(file);
    expect(readdirSync(dir)).toEqual(['other']);
  });

  it('stores all or nothing of what is done together', () => {
    const cache = openTestCache(dir);
    const stop = () => {
      cache.cases.upsert([sampleCase(1)]);
      throw new Error('stop');
    };
    expect(() => cache.together(stop)).toThrow('stop');
    expect(cache.cases.count()).toBe(0);
    expect(cache.together(() => cache.cases.upsert([sampleCase(1)]))).toEqual([sampleCase(1).id]);
    cache.close();
    expect(openTestCache(dir).cases.count()).toBe(1);
  });

  it('has a page of the list as records, and the ids of a part of it', () => {
    const cache = openTestCache(dir);
    cache.cases.upsert([1, 2, 3].map((number) => sampleCase(number)));
    const ids = [3, 2, 1].map((number) => sampleCase(number).id);
    const page = cache.list({ limit: 2, offset: 1 });
    expect(page.items.map(({ id }) => id)).toEqual(ids.slice(1));
    expect(page).toMatchObject({ total: 3, totalIsExact: true, byStatus: { Accepted: 3 } });
    expect(cache.ids({ limit: 2 })).toEqual(ids.slice(0, 2));
  });

  it('contains nothing readable, and only its owner may read it', () => {
    const cache = openTestCache(dir);
    cache.cases.upsert([
      sampleCase(1, { payloadJson: JSON.stringify({ insured: { name: 'Distinctive' } }) }),
    ]);
    for (const name of ['cache.db', 'cache.db-wal']) {
      expect(readFileSync(join(dir, name)).includes('istinctive')).toBe(false);
    }
    expect(statSync(file).mode & 0o077).toBe(0);
  });
});

describe('cases', () => {
  it('are not put back by an answer that was overtaken', () => {
    const cache = openTestCache(dir);
    cache.cases.upsert([sampleCase(1, { lastChangedAt: '2026-03-02T00:00:00Z', status: 'Final' })]);
    expect(cache.cases.upsert([sampleCase(1)])).toEqual([]);
    expect(cache.cases.find(sampleCase(1).id)?.status).toBe('Final');
  });

  it('that were missing are back when the server lists them again', () => {
    const cache = openTestCache(dir);
    cache.cases.upsert([sampleCase(1)]);
    cache.cases.markGone(sampleCase(1).id, 'forbidden', 0);
    expect(cache.cases.find(sampleCase(1).id)?.goneReason).toBe('forbidden');
    expect(cache.cases.upsert([sampleCase(1)])).toHaveLength(1);
    expect(cache.cases.find(sampleCase(1).id)?.goneReason).toBeNull();
  });

  it.each([
    ['a direct read that is older', (cache: Cache, id: string) => cache.cases.markBack(id)],
    ['the list', (cache: Cache) => cache.cases.upsert([sampleCase(1)])],
  ])('that %s has returned are not past', (_what, giveBack) => {
    const cache = openTestCache(dir);
    const { id } = sampleCase(1);
    cache.cases.upsert([sampleCase(1)]);
    cache.cases.markGone(id, 'forbidden', 1000);
    expect([cache.cases.pastSince(1000, []), cache.cases.pastSince(1001, [])]).toEqual([[], [id]]);
    giveBack(cache, id);
    expect(cache.cases.pastSince(1001, [])).toEqual([]);
  });

  it('that are removed leave nothing behind, in no table and no index', () => {
    /** The number of rows of each table, without the parts of the search indexes. */
    const counts = () => {
      const db = openDatabase({ file, keyHex, durability: 'normal' });
      const names = db
        .prepare<[], string>("SELECT name FROM sqlite_master WHERE type = 'table'")
        .pluck()
        .all()
        .filter((name) => !/_search_|^sqlite_/.test(name));
      const entries = names.map((name): [string, unknown] => [
        name,
        db.prepare(`SELECT count(*) FROM ${name}`).pluck().get(),
      ]);
      db.close();
      return Object.fromEntries(entries);
    };
    openTestCache(dir).close();
    const empty = counts();
    const cache = openTestCache(dir);
    const { id, lastChangedAt } = sampleCase(1);
    const at = '2026-03-02T00:00:00Z';
    const broken = [{ id: 'x', place: 'FileName', json: null }];
    cache.cases.upsert([sampleCase(1)]);
    cache.cases.upsert([sampleCase(1, { lastChangedAt: at, status: 'Final' })]);
    cache.cases.older.isConfirmed(id, lastChangedAt, { askedMs: 1, nowMs: 1 });
    const read = { listedAt: at, lastChangedAt };
    const document = { fileName: 'a.pdf', contentType: 'application/pdf', sizeBytes: 3 };
    cache.documents.replaceList(id, [{ id: 'd', ...document, createdAt: at }], read);
    const times = { submittedAt: at, createdAt: at, updatedAt: at };
    const report = { id: 'r', caseId: id, sequenceNo: 1, revisionNo: 1, ...times };
    cache.reports.replaceList(id, [{ ...report, status: 'Submitted', comment: '' }], read);
    cache.unreadable.replace('documents', id, broken, at);
    cache.close();
    const filled = ['cases', 'case_payloads', 'case_changes', 'case_search', 'documents'];
    const more = ['document_search', 'reports', 'unreadable_records', 'older_readings'];
    for (const name of [...filled, ...more]) expect([name, counts()[name]]).toEqual([name, 1]);
    const again = openTestCache(dir);
    again.cases.remove([id]);
    again.close();
    expect(counts()).toEqual(empty);
  });

  describe('have a number each, by the time of their last change', () => {
    const numbers = (change = '') => {
      const db = openDatabase({ file, keyHex, durability: 'normal' });
      if (change !== '') db.exec(change);
      const found = db.prepare<[], number>('SELECT seq FROM cases ORDER BY id').pluck().all();
      db.close();
      return found;
    };
    const store = (...cases: [number, string][]) => {
      const cache = openTestCache(dir);
      cache.cases.upsert(
        cases.map(([index, lastChangedAt]) => sampleCase(index, { lastChangedAt })),
      );
      cache.close();
    };

    it('which is a safe integer in the year 9999, too', () => {
      const latest = '9999-12-31T23:59:59.999Z';
      store([1, latest], [2, latest]);
      expect(numbers().map((one) => Number.isSafeInteger(one))).toEqual([true, true]);
      expect(new Set(numbers()).size).toBe(2);
    });

    it('if those of the moment and the first of the next one are used up', () => {
      const at = '2026-03-02T00:00:00.000Z';
      store([1, at], [2, '2026-03-02T00:00:00.001Z']);
      numbers(`UPDATE cases SET seq = seq + 1023 WHERE id = '${sampleCase(1).id}'`);
      store([3, at]);
      const [first = 0, second = 0, third = 0] = numbers();
      expect([first < second, second < third]).toEqual([true, true]);
    });
  });

  it('are found by an external key if it names only one of them', () => {
    const cache = openTestCache(dir);
    const externalKey = 'SF-1';
    cache.cases.upsert([sampleCase(1, { externalKey })]);
    expect(cache.cases.find(externalKey)?.id).toBe(sampleCase(1).id);
    cache.cases.upsert([sampleCase(2, { externalKey })]);
    expect(cache.cases.find(externalKey)).toBeNull();
  });

  it('that could not be read can be read again', () => {
    const cache = openTestCache(dir);
    const { id } = sampleCase(1);
    const broken = [id, 'other'].map((one) => ({ id: one, place: 'Status', json: null }));
    cache.unreadable.saveCases(broken, '2026-03-02T00:00:00Z');
    cache.cases.upsert([sampleCase(1)]);
    expect(cache.unreadable.cases()).toMatchObject([{ id: 'other' }]);
  });

  it('with a payload that is no object are shown with their other values', () => {
    const cache = openTestCache(dir);
    cache.cases.upsert(
      ['', 'null', '[1]', '"text"', '{broken'].map((payloadJson, i) =>
        sampleCase(i, { payloadJson }),
      ),
    );
    expect(cache.list({}).total).toBe(5);
  });
});

describe('documents', () => {
  const document = { id: 'd1', fileName: 'a.pdf', contentType: 'application/pdf', sizeBytes: 3 };
  const created = { createdAt: '2026-03-01T00:00:00Z' };
  const read = { listedAt: '2026-03-01T00:00:00Z', lastChangedAt: sampleCase(1).lastChangedAt };

  it('keep their content over a new list, unless they are other documents now', () => {
    const cache = openTestCache(dir);
    const { id } = sampleCase(1);
    cache.cases.upsert([sampleCase(1)]);
    expect(cache.cases.find(id)?.documentCount).toBeNull();
    cache.documents.replaceList(id, [{ ...document, ...created }], read);
    cache.documents.setBlob(id, 'd1', 'blob');
    cache.documents.replaceList(id, [{ ...document, ...created }], read);
    expect(cache.cases.find(id)).toMatchObject({ documentCount: 1, documentsOnLaptop: 1 });
    cache.documents.replaceList(id, [{ ...document, ...created, sizeBytes: 4 }], read);
    expect(cache.cases.find(id)).toMatchObject({ documentCount: 1, documentsOnLaptop: 0 });
  });

  it('keep their content over lists of a partner that sends no sizes', () => {
    const cache = openTestCache(dir);
    const { id } = sampleCase(1);
    cache.cases.upsert([sampleCase(1)]);
    const listed = { ...document, ...created, sizeBytes: 0 };
    cache.documents.replaceList(id, [listed], read);
    cache.documents.setBlob(id, 'd1', 'blob', 3);
    cache.documents.replaceList(id, [listed], read);
    expect(cache.documents.find(id, 'd1')).toMatchObject({ blobId: 'blob', sizeBytes: 3 });
  });

  it('are due by day or by status, and again when the case changed', () => {
    const cache = openTestCache(dir);
    const { id } = sampleCase(1);
    const due = { from: '2026-03-01', to: '2026-03-08', statuses: ['Assigned'] };
    cache.cases.upsert([
      sampleCase(1, { payloadJson: '{"inspectionDate":"2026-03-08"}' }),
      sampleCase(2, { status: 'Assigned' }),
      sampleCase(3, { payloadJson: '{"inspectionDate":"2026-03-09"}' }),
    ]);
    expect(cache.documents.casesToFetch(due, null).map(({ caseId }) => caseId)).toEqual([
      id,
      sampleCase(2).id,
    ]);
    expect(cache.documents.casesToFetch(null, null)).toHaveLength(3);
    cache.documents.replaceList(id, [], read);
    expect(cache.documents.casesToFetch(due, null)).toHaveLength(1);
    cache.cases.upsert([
      sampleCase(1, {
        payloadJson: '{"inspectionDate":"2026-03-08"}',
        lastChangedAt: '2026-03-05T00:00:00Z',
      }),
    ]);
    expect(cache.documents.casesToFetch(due, null)).toHaveLength(2);
  });
});
