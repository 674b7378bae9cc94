import { beforeEach, describe, expect, it } from 'vitest';
import type { Cache } from '#main/engine/cache/open-cache.ts';
import type { ReportRecord } from '#main/engine/cache/report-store.ts';
import { visibleText } from '#shared/lib/visible-text.ts';
import { openTestCache, sampleCase } from '../support/test-engine.ts';

/* What the cache keeps of a case's lists: its reports, and items that cannot be read. */

let cache: Cache;
const [one, two, three] = [1, 2, 3].map((number) => sampleCase(number).id);
if (one === undefined || two === undefined || three === undefined) throw new Error('no cases');
const at = '2026-03-02T08:00:00.000Z';

beforeEach(() => {
  cache = openTestCache();
  cache.cases.upsert([1, 2, 3].map((number) => sampleCase(number)));
});

const report = (id: string, changes: Partial<ReportRecord> = {}): ReportRecord => ({
  id,
  caseId: one,
  sequenceNo: 1,
  revisionNo: 1,
  status: 'Submitted',
  comment: '',
  submittedAt: at,
  createdAt: at,
  updatedAt: at,
  ...changes,
});
const seenAt = (caseId: string) => cache.cases.find(caseId)?.lastChangedAt ?? '';
const list = (caseId: string, reports: readonly ReportRecord[], lastChangedAt = seenAt(caseId)) =>
  cache.reports.replaceList(caseId, reports, { listedAt: at, lastChangedAt });
const broken = (id: string) => ({ id, place: 'Comment', json: null });

describe('the reports of a case', () => {
  it('are those of its last list, newest first, and no other case’s', () => {
    list(two, [report('other', { caseId: two })]);
    list(one, [report('gone')]);
    const later = '2026-03-02T09:00:00.000Z';
    list(one, [
      report('first'),
      report('third', { sequenceNo: 2, createdAt: at }),
      report('second', { sequenceNo: 2, createdAt: later }),
    ]);
    expect(cache.reports.list(one).map(({ id }) => id)).toEqual(['second', 'third', 'first']);
    expect(cache.reports.list(two)).toEqual([report('other', { caseId: two })]);
  });

  it('belong to the case whose list they are on, and have the text that may be shown', () => {
    list(one, [report('a', { caseId: two, comment: 'a\u202eb', status: 'Sub\u0000mitted' })]);
    const [comment, status] = ['a\u202eb', 'Sub\u0000mitted'].map((text) => visibleText(text));
    expect(cache.reports.list(one)).toMatchObject([{ id: 'a', caseId: one, comment, status }]);
    expect([comment, status]).not.toEqual(['a\u202eb', 'Sub\u0000mitted']);
  });

  it('were listed when their list was read, until nothing may be concluded from it', () => {
    expect(cache.reports.listedAt(one)).toBeNull();
    list(one, []);
    list(two, []);
    expect(cache.reports.listedAt(one)).toBe(at);
    cache.reports.forgetListing(one);
    expect([one, two].map((id) => cache.reports.listedAt(id))).toEqual([null, at]);
    expect(cache.reports.listedAt('no case')).toBeNull();
  });
});

describe('a case whose reports are read again', () => {
  it('has a report with the insurer, and changed since its list was requested', () => {
    list(one, [report('a')], 'earlier');
    list(two, [report('b', { caseId: two })]);
    list(three, [report('c', { caseId: three, status: 'Returned' })], 'earlier');
    expect(cache.reports.casesToFollow(10)).toEqual([one]);
    cache.reports.forgetListing(two);
    expect(cache.reports.casesToFollow(10).toSorted()).toEqual([one, two].toSorted());
    cache.cases.markGone(one, 'not_found', 1);
    expect(cache.reports.casesToFollow(10)).toEqual([two]);
  });

  it('comes before one with a report that cannot be read, which is read each time', () => {
    cache.unreadable.replace('reports', one, [broken('x'), broken('y')], at);
    cache.unreadable.replace('documents', two, [broken('z')], at);
    list(three, [report('c', { caseId: three })], 'earlier');
    expect(cache.reports.casesToFollow(10)).toEqual([three, one]);
    expect(cache.reports.casesToFollow(1)).toEqual([three]);
    // A case is named once, in the first of its places.
    list(one, [report('a')], 'earlier');
    expect(cache.reports.casesToFollow(10)).toHaveLength(2);
  });
});

describe('items that cannot be read', () => {
  it('of a list are those of its last reading, and no other list’s or case’s', () => {
    cache.unreadable.replace('reports', one, [broken('a')], at);
    cache.unreadable.replace('documents', one, [broken('b')], at);
    cache.unreadable.replace('reports', two, [broken('c')], at);
    cache.unreadable.replace('reports', one, [broken('d')], at);
    expect(cache.unreadable.all().map(({ id }) => id)).toEqual(['b', 'c', 'd']);
    cache.unreadable.replace('reports', one, [], at);
    expect(cache.unreadable.has('reports', one)).toBe(false);
    expect(cache.unreadable.has('documents', one)).toBe(true);
    expect(cache.unreadable.has('reports', two)).toBe(true);
  });

  it('among the cases stay until the list has them no more, with their latest fault', () => {
    const later = '2026-03-02T09:00:00.000Z';
    cache.unreadable.saveCases([broken('b'), broken('a')], at);
    cache.unreadable.replace('reports', one, [broken('r')], at);
    cache.unreadable.saveCases([{ ...broken('b'), place: 'Status' }], later);
    expect(cache.unreadable.cases()).toEqual([
      { id: 'a', place: 'Comment' },
      { id: 'b', place: 'Status' },
    ]);
    cache.unreadable.forgetCases(at);
    expect(cache.unreadable.cases()).toHaveLength(2);
    cache.unreadable.forgetCases(later);
    expect(cache.unreadable.cases()).toEqual([{ id: 'b', place: 'Status' }]);
    expect(cache.unreadable.has('reports', one)).toBe(true);
  });
});
