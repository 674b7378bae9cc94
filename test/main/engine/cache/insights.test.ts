import { beforeEach, expect, it } from 'vitest';
import type { CaseInput } from '#main/engine/cache/case-records.ts';
import type { Cache } from '#main/engine/cache/open-cache.ts';
import { openTestCache, sampleCase } from '../support/test-engine.ts';

let cache: Cache;
beforeEach(() => {
  cache = openTestCache();
});

const responsible = { name: '', email: '', phone: '' };
const store = (number: number, change: Partial<CaseInput> = {}) =>
  cache.cases.upsert([
    sampleCase(number, {
      createdAt: '2026-05-20T10:15:00Z',
      insurer: { name: 'Alpina', responsible },
      ...change,
    }),
  ]);
const amounts = (costEstimateRappen: number | null, approvedRappen: number | null) => ({
  costEstimateRappen,
  approvedRappen,
});
const cell = {
  day: '2026-05-20',
  insurer: 'Alpina',
  category: 'vehicle',
  status: 'Accepted',
  inspectionType: '',
  cases: 1,
  withAmounts: 0,
  costEstimateRappen: 0,
  approvedRappen: 0,
  savingsRappen: 0,
};

it('equal cases are summed up, with the savings of each and only with both amounts', () => {
  store(1, amounts(1000, 900));
  store(2, amounts(500, 700));
  store(3, amounts(300, null));
  store(4, amounts(null, 200));
  expect(cache.insights({})).toEqual([
    {
      ...cell,
      cases: 4,
      withAmounts: 2,
      costEstimateRappen: 1500,
      approvedRappen: 1600,
      savingsRappen: 100,
    },
  ]);
});

it('cases that differ in any value of a figure are apart', () => {
  const workshop = { payloadJson: JSON.stringify({ inspectionType: 'workshop' }) };
  store(1);
  store(2, { status: 'Final' });
  store(3, { category: 'machine', payloadJson: '{}' });
  store(4, { insurer: { name: 'Helvia', responsible } });
  store(5, workshop);
  store(6, { createdAt: '2026-05-21T10:15:00Z' });
  const inspectionTypes = ['', '', '', '', 'workshop', ''];
  const cells = [1, 2, 3, 4, 5, 6].map((number) => {
    const found = cache.cases.find(sampleCase(number).id);
    return {
      ...cell,
      day: number === 6 ? '2026-05-21' : cell.day,
      insurer: found?.insurer.name,
      status: found?.status,
      category: found?.category,
      inspectionType: inspectionTypes[number - 1],
    };
  });
  const found = cache.insights({});
  expect(found).toHaveLength(6);
  expect(found).toEqual(expect.arrayContaining(cells));
  expect(cache.insights({ insurer: 'Helvia' })).toEqual([cells[3]]);
  expect(cache.insights({ q: 'helvia' })).toEqual([cells[3]]);
});

it.each([
  ['2026-06-30T21:59:00Z', '2026-06-30'],
  ['2026-06-30T22:00:00Z', '2026-07-01'],
  ['2026-12-31T23:00:00Z', '2027-01-01'],
  ['2026-06-30T23:59:00+02:00', '2026-06-30'],
  ['2026-06-30T17:00:00.1234567-05:00', '2026-07-01'],
  ['2026-06-30T22:00:00', '2026-07-01'],
  // The calendar of Zurich has no such year in four digits.
  ['0201-06-30T22:00:00Z', '0201-06-30'],
  ['unknown', 'unknown'],
  ['', ''],
])('a case that was created at %j counts on %j', (createdAt, day) => {
  store(1, { createdAt });
  expect(cache.insights({})).toEqual([{ ...cell, day }]);
});

it('insurers are in the order of the alphabet, each once, and not those without a name', () => {
  for (const [number, name] of ['Zeta', 'Öko', 'Alpina', '', 'Zeta', 'Pax'].entries())
    store(number, { insurer: { name, responsible } });
  expect(cache.insurers()).toEqual(['Alpina', 'Öko', 'Pax', 'Zeta']);
});
