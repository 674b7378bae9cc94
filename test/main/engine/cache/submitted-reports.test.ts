import { beforeEach, expect, it } from 'vitest';
import type { Cache } from '#main/engine/cache/open-cache.ts';
import type { ReportRecord } from '#main/engine/cache/report-store.ts';
import { openTestCache, sampleCase } from '../support/test-engine.ts';

const at = '2026-03-02T08:00:00Z';
const caseId = sampleCase(1).id;
const insurer = (name: string) => ({
  insurer: { name, responsible: { name: '', email: '', phone: '' } },
});
let cache: Cache;
beforeEach(() => {
  cache = openTestCache();
  cache.cases.upsert([
    sampleCase(1, insurer('Alpina')),
    sampleCase(2, { ...insurer('Helvia'), category: 'fraud' }),
  ]);
});

const list = (id: string, status: string, submittedAt: string | null = at): void => {
  const report: ReportRecord = {
    id,
    caseId,
    sequenceNo: 1,
    revisionNo: 0,
    status,
    comment: '',
    submittedAt,
    createdAt: at,
    updatedAt: at,
  };
  const others = cache.reports.list(caseId);
  cache.reports.replaceList(caseId, [...others, report], { listedAt: at, lastChangedAt: at });
};
const known = (id: string, isReturned: boolean, of = caseId) => ({ id, caseId: of, isReturned });
const read = (...reports: ReturnType<typeof known>[]) =>
  cache
    .submittedReports({}, reports)
    .map(({ id, insurer: name, isReturned }) => [id.toLowerCase(), name, isReturned]);

it('a report counts once, as returned if the list or a note says so', () => {
  list('listed', 'Returned');
  list('noted', 'Submitted');
  expect(read(known('listed', false), known('noted', true), known('noted', true))).toEqual([
    ['listed', 'Alpina', true],
    ['noted', 'Alpina', true],
  ]);
});

it.each([true, false])(
  'so does one whose id is written in two ways; listed as returned: %s',
  (isListed) => {
    const id = 'abcdef00-0000-4000-8000-000000000001';
    list(id.toUpperCase(), isListed ? 'Returned' : 'Submitted');
    expect(read(known(id, !isListed))).toEqual([[id, 'Alpina', true]]);
    expect(read(known(id, false))).toEqual([[id, 'Alpina', isListed]]);
  },
);

it('only what was submitted counts, of a case that is known and matches the filter', () => {
  list('draft', 'Draft', null);
  list('sent', 'Approved');
  const other = known('other', false, sampleCase(2).id);
  expect(read(other, known('nowhere', true, 'none'))).toEqual([
    ['other', 'Helvia', false],
    ['sent', 'Alpina', false],
  ]);
  expect(cache.submittedReports({ q: 'helv' }, [other]).map(({ id }) => id)).toEqual(['other']);
  expect(cache.submittedReports({ category: 'fraud' }, [other])).toEqual([
    { id: 'other', insurer: 'Helvia', category: 'fraud', isReturned: false },
  ]);
});
