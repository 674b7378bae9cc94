import { beforeEach, describe, expect, it } from 'vitest';
import type { Cache } from '#main/engine/cache/open-cache.ts';
import type { CaseInput } from '#main/engine/cache/case-records.ts';
import { aheadMs } from '#shared/lib/timestamps.ts';
import { openTestCache, sampleCase } from '../support/test-engine.ts';

let cache: Cache;
beforeEach(() => {
  cache = openTestCache();
});

const { id } = sampleCase(1);
const at = (second: number) => new Date(Date.UTC(2026, 5, 1, 0, 0, second)).toISOString();
const one = (change: Partial<CaseInput> = {}) =>
  sampleCase(1, { lastChangedAt: at(10), expertComment: 'first', ...change });
const stored = () => cache.cases.find(id)?.expertComment;

describe('a case that is stored', () => {
  it('is news if it is new, changed or back, and else not', () => {
    const upsert = (...cases: CaseInput[]) => cache.cases.upsert(cases);
    expect(upsert(one(), sampleCase(2))).toEqual([id, sampleCase(2).id]);
    expect(upsert(one(), sampleCase(2, { status: 'Final' }))).toEqual([sampleCase(2).id]);
    // Each time one value alone is other.
    const contact = { name: 'Anna', email: 'a@b.ch', phone: '044' };
    let latest = one();
    for (const change of [
      { expertComment: 'second' },
      { payloadJson: '{"a":1}' },
      { insurer: { name: 'Muster AG', responsible: { ...contact, phone: '045' } } },
      { approvedRappen: 0 },
      { archiveState: true },
      { lastChangedAt: at(11) },
    ]) {
      latest = { ...latest, ...change };
      expect(upsert(latest)).toEqual([id]);
    }
    expect(upsert(latest)).toEqual([]);
    cache.cases.markGone(id, 'not_found', 1);
    expect(upsert(latest)).toEqual([id]);
    expect(cache.cases.count()).toBe(2);
  });

  it('takes the place of the same case whose id is written in another way', () => {
    const guid = 'abcdef00-0000-4000-8000-000000000001';
    for (const [known, given] of [
      [guid, guid.toUpperCase()],
      [guid.replace('a', 'B').toUpperCase(), guid.replace('a', 'B').toLowerCase()],
    ] as const) {
      cache.cases.upsert([one({ id: known })]);
      const changed = one({ id: given, lastChangedAt: at(11), status: 'Final' });
      expect(cache.cases.upsert([changed])).toEqual([known]);
      expect(cache.cases.find(known)?.status).toBe('Final');
    }
    expect(cache.cases.count()).toBe(2);
    // Any other id is what it is.
    expect(cache.cases.upsert([one({ id: 'key-a' }), one({ id: 'KEY-A' })])).toHaveLength(2);
    expect(cache.cases.count()).toBe(4);
  });

  it('has no entry in its history for a reading in which no value is other', () => {
    cache.cases.upsert([one()]);
    cache.cases.upsert([one({ lastChangedAt: at(11), updatedAt: at(11) })]);
    expect(cache.cases.history(id)).toEqual([]);
    cache.cases.upsert([one({ lastChangedAt: at(12), expertComment: 'second' })]);
    expect(cache.cases.history(id)).toEqual([
      { at: at(12), changes: [{ field: 'expertComment', before: 'first', after: 'second' }] },
    ]);
  });

  it('keeps its history as long as others have theirs', () => {
    const two = (second: number) =>
      sampleCase(2, { lastChangedAt: at(second), expertComment: `second ${String(second)}` });
    cache.cases.upsert([two(10)]);
    cache.cases.upsert([two(11)]);
    for (let second = 10; second < 12; second += 1)
      cache.cases.upsert([one({ lastChangedAt: at(second), expertComment: String(second) })]);
    expect([id, two(1).id].map((each) => cache.cases.history(each).length)).toEqual([1, 1]);
  });

  it('can be read again, but not the documents that have the same id', () => {
    const broken = [{ id, place: 'Status', json: null }];
    cache.unreadable.saveCases(broken, at(0));
    cache.unreadable.replace('documents', 'other', broken, at(0));
    cache.cases.upsert([one()]);
    expect(cache.unreadable.cases()).toEqual([]);
    expect(cache.unreadable.has('documents', 'other')).toBe(true);
  });

  it('is found by its words alone, not by those of a payload that it had before', () => {
    const payload = (name: string) => ({ payloadJson: JSON.stringify({ insured: { name } }) });
    cache.cases.upsert([one(payload('Hagel'))]);
    cache.cases.upsert([one({ ...payload('Sturm'), lastChangedAt: at(11) })]);
    expect(['hagel', 'sturm'].map((q) => cache.list({ q }).total)).toEqual([0, 1]);
    expect(cache.cases.payloadJson(id)).toBe(payload('Sturm').payloadJson);
  });

  it('is read by the category of the server, with a payload that is no object as its text', () => {
    cache.cases.upsert([
      one({ category: 'appraiser', payloadJson: '{"claimType":"Hausrat"}' }),
      sampleCase(2, { payloadJson: '{broken Hagel' }),
    ]);
    expect(cache.cases.find(id)?.subject).toBe('Hausrat');
    expect(cache.list({ q: 'hagel' }).items.map((found) => found.id)).toEqual([sampleCase(2).id]);
  });
});

describe('a reading that is older than the stored one', () => {
  const older = one({ lastChangedAt: at(5), expertComment: 'older' });
  const now = Date.parse(at(10));
  const times = (askedMs: number) => ({ askedMs, nowMs: askedMs });

  it('changes nothing, until a second one that was asked for later confirms it', () => {
    cache.cases.upsert([one()]);
    expect(cache.cases.upsert([older], now)).toEqual([]);
    expect(cache.cases.upsert([older])).toEqual([]);
    expect(cache.cases.upsert([older], now, times(100))).toEqual([]);
    expect(stored()).toBe('first');
    expect(cache.cases.upsert([older], now)).toEqual([]);
    expect(cache.cases.upsert([older], now, times(200))).toEqual([id]);
    expect(stored()).toBe('older');
  });

  it('is confirmed by none from before the stored state was read again', () => {
    cache.cases.upsert([one()]);
    cache.cases.upsert([older], now, times(100));
    cache.cases.upsert([one()], now);
    expect(cache.cases.upsert([older], now, times(200))).toEqual([]);
    expect(stored()).toBe('first');
  });

  it('is taken at once if the stored one is dated further ahead than clocks may differ', () => {
    for (const [number, [byMs, taken]] of (
      [
        [aheadMs, 'first'],
        [aheadMs + 1, 'older'],
      ] as const
    ).entries()) {
      const lastChangedAt = new Date(now + byMs).toISOString();
      cache.cases.upsert([one({ id: `case-${String(number)}`, lastChangedAt })], now);
      cache.cases.upsert([{ ...older, id: `case-${String(number)}` }], now);
      expect(cache.cases.find(`case-${String(number)}`)?.expertComment).toBe(taken);
    }
  });
});

describe('cases that are asked for', () => {
  it('by their external key are counted, and by their ids in the order of the ids', () => {
    cache.cases.upsert([
      one({ externalKey: 'SF-1' }),
      sampleCase(2, { externalKey: 'SF-1', status: 'Final' }),
      sampleCase(3, { externalKey: 'SF-2' }),
    ]);
    expect(['SF-1', 'SF-2', 'SF-3'].map((key) => cache.cases.countOfKey(key))).toEqual([2, 1, 0]);
    const ids = [3, 1, 9, 2].map((number) => sampleCase(number).id);
    expect(cache.cases.byIds(ids).map((found) => found.id)).toEqual([ids[0], ids[1], ids[3]]);
    expect(ids.map((one) => cache.cases.statusOf(one))).toEqual([
      'Accepted',
      'Accepted',
      null,
      'Final',
    ]);
    expect(cache.cases.find('SF-3')).toBeNull();
    expect(cache.cases.payloadJson('none')).toBe('');
  });

  it('that are gone have the latest reason and the first moment, until they are back', () => {
    cache.cases.upsert([one()]);
    const { cases } = cache;
    expect(cases.markBack(id)).toBe(false);
    expect(cases.markGone(id, 'not_found', 1000.4)).toBe(true);
    expect(cases.markGone(id, 'not_found', 2000)).toBe(false);
    expect(cases.markGone(id, 'forbidden', 3000)).toBe(true);
    expect(cases.find(id)?.goneReason).toBe('forbidden');
    expect([cases.pastSince(1000, []), cases.pastSince(1000.5, [])]).toEqual([[], [id]]);
    expect(cases.markBack(id)).toBe(true);
    expect(cases.find(id)?.goneReason).toBeNull();
    expect(cases.markGone('none', 'forbidden', 1)).toBe(false);
  });

  it('as past ones were changed before the moment, in one of the statuses', () => {
    cache.cases.upsert([
      one({ status: 'Final' }),
      sampleCase(2, { lastChangedAt: at(10), status: 'Rejected' }),
      sampleCase(3, { lastChangedAt: at(10) }),
      sampleCase(4, { lastChangedAt: at(20), status: 'Final' }),
    ]);
    const ended = ['Final', 'Rejected'];
    const before = (second: number) => cache.cases.pastSince(Date.parse(at(second)), ended);
    expect([before(10), before(11)]).toEqual([[], [id, sampleCase(2).id]]);
    expect(cache.cases.pastSince(Date.parse(at(30)), [])).toEqual([]);
  });

  it('as dated ahead of the server are counted, with the first external key', () => {
    const now = Date.parse(at(0));
    const ahead = (ms: number) => new Date(now + aheadMs + ms).toISOString();
    const nothing = { count: 0, externalKey: null };
    expect(cache.cases.ahead(now)).toEqual(nothing);
    cache.cases.upsert([one({ lastChangedAt: ahead(0) })]);
    expect(cache.cases.ahead(now)).toEqual(nothing);
    cache.cases.upsert([
      sampleCase(2, { externalKey: 'B', lastChangedAt: ahead(1) }),
      sampleCase(3, { externalKey: 'A', lastChangedAt: ahead(2) }),
    ]);
    expect(cache.cases.ahead(now)).toEqual({ count: 2, externalKey: 'A' });
  });

  it('as the newest are those of the latest moment, and among them the last that came', () => {
    const moment = (ms: number) => new Date(Date.parse(at(10)) + ms).toISOString();
    const store = (number: number, ms: number) =>
      cache.cases.upsert([sampleCase(number, { lastChangedAt: moment(ms) })]);
    store(1, 1);
    for (const number of [5, 4, 3, 2]) store(number, 0);
    expect(cache.ids({})).toEqual([1, 2, 3, 4, 5].map((number) => sampleCase(number).id));
  });
});

it('cases that are removed name each content once, and leave the other cases whole', () => {
  const [two, three] = [sampleCase(2).id, sampleCase(3).id];
  cache.cases.upsert([one(), sampleCase(2), sampleCase(3)]);
  const listed = (name: string) => ({
    id: name,
    fileName: `${name}.pdf`,
    contentType: 'application/pdf',
    sizeBytes: 3,
    createdAt: at(0),
  });
  for (const caseId of [id, two, three]) {
    const names = ['hagel', 'sturm', 'regen'];
    cache.documents.replaceList(caseId, names.map(listed), { listedAt: '', lastChangedAt: '' });
    cache.documents.setBlob(caseId, 'hagel', 'same');
  }
  cache.documents.setBlob(two, 'sturm', 'own');
  expect(cache.cases.remove([id, two]).toSorted()).toEqual(['own', 'same']);
  expect(cache.cases.remove([id, two])).toEqual([]);
  expect(cache.list({ q: 'hagel' }).items.map((found) => found.id)).toEqual([three]);
  expect(cache.list({ q: 'anna' }).total).toBe(1);
  expect(cache.documents.list(three).items).toHaveLength(3);
  expect(cache.cases.payloadJson(three)).toBe('{}');
});
