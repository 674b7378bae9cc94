import { beforeEach, describe, expect, it } from 'vitest';
import type { CaseListInput } from '#shared/desk/cases/cases.ts';
import type { Cache } from '#main/engine/cache/open-cache.ts';
import { insightsView } from '#main/engine/cases/insights.ts';
import { agesOf } from '#shared/desk/cases/case-ages.ts';
import { dayItemsShown } from '#shared/desk/cases/day.ts';
import { zurichDay } from '#shared/lib/zurich-day.ts';
import { everyCaseIsOwn, postalRanges, type OwnRule } from '#shared/desk/cases/own-cases.ts';
import { sampleCase, openTestCache } from '../support/test-engine.ts';

let cache: Cache;
beforeEach(() => {
  cache = openTestCache();
});

const insurer = (name: string) => ({
  insurer: { name, responsible: { name: '', email: '', phone: '' } },
});
const inspected = (day: string) => ({ payloadJson: JSON.stringify({ inspectionDate: day }) });
const amounts = (costEstimateRappen: number | null, approvedRappen: number | null) => ({
  costEstimateRappen,
  approvedRappen,
});
const keys = (input: CaseListInput) => cache.list(input).items.map((item) => item.externalKey);

const todayOf = (question: Partial<Parameters<Cache['today']>[0]> = {}) =>
  cache.today({ day: '2026-06-15', show: {}, reported: [], planOf: () => [], ...question });

describe('today', () => {
  it('has new assignments, returned reports and the inspections of open cases', () => {
    cache.cases.upsert([
      sampleCase(1, { externalKey: 'new', status: 'Assigned', ...inspected('2026-06-15') }),
      sampleCase(2, { externalKey: 'back', status: 'AdminReturned', ...inspected('2026-06-01') }),
      sampleCase(3, { externalKey: 'soon', status: 'Accepted', ...inspected('2026-06-14') }),
      sampleCase(4, { externalKey: 'later', status: 'Accepted', ...inspected('2026-06-23') }),
      sampleCase(5, { externalKey: 'done', status: 'Final', ...inspected('2026-06-15') }),
    ]);
    const today = todayOf();
    const shown = Object.entries(today).map(([name, { items }]) => [
      name,
      items.map(({ externalKey }) => externalKey),
    ]);
    expect(Object.fromEntries(shown)).toEqual({
      returned: ['back'],
      assigned: ['new'],
      overdue: ['soon'],
      today: ['new'],
      tomorrow: [],
      later: ['later'],
    });
  });

  it('has every overdue inspection but those whose report is under way, and counts them truly', () => {
    cache.cases.upsert(
      Array.from({ length: 60 }, (_, index) =>
        sampleCase(index, { status: 'Accepted', ...inspected('2026-01-15') }),
      ),
    );
    const { overdue } = todayOf({ reported: [sampleCase(7).id] });
    expect(overdue.total).toBe(59);
    expect(overdue.items).toHaveLength(dayItemsShown);
    expect(todayOf({ show: { overdue: 1000 } }).overdue.items).toHaveLength(60);
  });

  it('orders a day by postal code, and as the user did', () => {
    const at = (key: string, postalCode: string) => ({
      externalKey: key,
      status: 'Accepted',
      payloadJson: JSON.stringify({
        inspectionDate: '2026-06-15',
        location: { postalCode, city: 'Ort' },
      }),
    });
    cache.cases.upsert([
      sampleCase(1, at('Zürich', '8005')),
      sampleCase(2, at('Bern', '3011')),
      sampleCase(3, at('Genève', '1204')),
      sampleCase(4, at('without', '')),
    ]);
    const keysOf = (planned: readonly string[]) =>
      todayOf({ planOf: (day) => (day === '2026-06-15' ? planned : []) }).today.items.map(
        ({ externalKey }) => externalKey,
      );
    expect(keysOf([])).toEqual(['Genève', 'Bern', 'Zürich', 'without']);
    expect(keysOf([sampleCase(4).id, sampleCase(1).id])).toEqual([
      'without',
      'Zürich',
      'Genève',
      'Bern',
    ]);
  });

  it('has the newest first of what is new, returned, or on one day at one place', () => {
    const [first, last] = ['first', 'last'];
    for (const [status, section] of [
      ['AdminReturned', 'returned'],
      ['Assigned', 'assigned'],
      ['Accepted', 'today'],
    ] as const) {
      cache.cases.remove([1, 2].map((number) => sampleCase(number).id));
      cache.cases.upsert([
        sampleCase(2, { externalKey: last, status, ...inspected('2026-06-15') }),
        sampleCase(1, { externalKey: first, status, ...inspected('2026-06-15') }),
      ]);
      const { items } = todayOf()[section];
      expect(items.map(({ externalKey }) => externalKey)).toEqual([last, first]);
    }
  });

  it('leaves out a case that was taken away', () => {
    const taken = sampleCase(1, { status: 'Assigned', ...inspected('2026-06-15') });
    cache.cases.upsert([taken]);
    cache.cases.markGone(taken.id, 'forbidden', 0);
    expect(todayOf().assigned).toEqual({ items: [], total: 0 });
    expect(todayOf().today.total).toBe(0);
  });

  it('orders what is overdue by the latest day, and the rest by the next one', () => {
    const on = (number: number, externalKey: string, day: string, postalCode = '8000') =>
      sampleCase(number, {
        externalKey,
        status: 'Accepted',
        payloadJson: JSON.stringify({
          inspectionDate: day,
          location: { postalCode, city: externalKey },
        }),
      });
    cache.cases.upsert([
      on(9, 'older', '2026-06-01'),
      on(2, 'newer', '2026-06-13'),
      on(3, 'same as newer', '2026-06-13'),
      on(6, 'next week', '2026-06-22', ''),
      on(5, 'after tomorrow', '2026-06-17', '9000'),
      on(1, 'same day and place', '2026-06-17', '9000'),
      on(4, 'next week too', '2026-06-22', '1000'),
      on(7, 'Aarau', '2026-06-16'),
      on(8, 'Zell', '2026-06-16'),
    ]);
    const keysIn = (section: 'overdue' | 'tomorrow' | 'later', planned: readonly string[] = []) => {
      const planOf = (day: string) => (day === '2026-06-16' ? planned : []);
      return todayOf({ planOf })[section].items.map(({ externalKey }) => externalKey);
    };
    expect(keysIn('overdue')).toEqual(['same as newer', 'newer', 'older']);
    expect(keysIn('later')).toEqual([
      'after tomorrow',
      'same day and place',
      'next week too',
      'next week',
    ]);
    expect(keysIn('tomorrow')).toEqual(['Aarau', 'Zell']);
    expect(keysIn('tomorrow', [sampleCase(8).id])).toEqual(['Zell', 'Aarau']);
  });

  it('has neither cases that are over nor those of others, in a day, its preparation and the ledger', () => {
    const days = ['2026-06-14', '2026-06-16', '2026-06-20'];
    const gone = sampleCase(90, { status: 'Accepted', ...inspected('2026-06-14') });
    cache.cases.upsert([
      ...days.flatMap((day, index) => [
        sampleCase(index * 3 + 1, { externalKey: day, status: 'Accepted', ...inspected(day) }),
        sampleCase(index * 3 + 2, { status: 'Final', ...inspected(day) }),
        sampleCase(index * 3 + 3, { status: 'Accepted', category: 'fraud', ...inspected(day) }),
      ]),
      gone,
      sampleCase(91, { status: 'Accepted', payloadJson: '{}' }),
      sampleCase(92, { status: 'AdminReturned', externalKey: 'back', ...inspected('2026-06-14') }),
    ]);
    cache.cases.markGone(gone.id, 'forbidden', 0);
    const rule = { ...everyCaseIsOwn, mode: 'rule' as const, categories: ['vehicle' as const] };
    cache.own.decideBy({ rule, ranges: [], marks: new Map() });
    const { overdue, tomorrow, later } = todayOf();
    expect(
      [overdue, tomorrow, later].map(({ items }) => items.map((one) => one.externalKey)),
    ).toEqual(days.map((day) => [day]));
    const ofDays = cache.casesOfDays({ from: '2026-06-14', to: '2026-06-16' });
    expect(ofDays.map((one) => one.externalKey)).toEqual(['back', '2026-06-14', '2026-06-16']);
    expect(cache.inspectedCases('2026-06-16').map(({ id }) => id)).toEqual([
      sampleCase(1).id,
      sampleCase(4).id,
    ]);
  });

  it('expects no report of an inspection whose latest one is with the insurer', () => {
    const at = '2026-06-15T10:00:00Z';
    const cases: readonly (readonly [string[], boolean])[] = [
      [[], true],
      [['Submitted'], false],
      [['Approved'], false],
      [['Returned'], true],
      [['Submitted', 'Returned'], true],
      [['Returned', 'Submitted'], false],
      [['Submitted', 'Draft'], false],
      [['Draft'], true],
    ];
    for (const [number, [statuses]] of cases.entries()) {
      const input = sampleCase(number, { status: 'Accepted', ...inspected('2026-06-14') });
      cache.cases.upsert([input]);
      const listed = statuses.map((status, place) => ({
        id: `r${String(number)}-${String(place)}`,
        caseId: input.id,
        sequenceNo: place + 1,
        revisionNo: 1,
        status,
        comment: '',
        submittedAt: at,
        createdAt: at,
        updatedAt: at,
      }));
      cache.reports.replaceList(input.id, listed, { listedAt: at, lastChangedAt: at });
    }
    const expected = cases.flatMap(([, isOpen], number) => (isOpen ? [sampleCase(number).id] : []));
    const found = cache.inspectedCases('2026-06-14').map(({ id }) => id);
    expect(found.toSorted()).toEqual(expected.toSorted());
    expect(cache.inspectedCases('2026-06-13')).toEqual([]);
  });

  it('knows of an inspection whether an amount is set', () => {
    const of = (number: number, costEstimateRappen: number | null, approvedRappen: number | null) =>
      sampleCase(number, {
        status: 'Accepted',
        costEstimateRappen,
        approvedRappen,
        ...inspected('2026-06-14'),
      });
    cache.cases.upsert([of(1, null, null), of(2, 100, null), of(3, null, 100)]);
    const found = cache.inspectedCases('2026-06-14');
    expect(new Map(found.map(({ id, hasAmounts }) => [id, hasAmounts]))).toEqual(
      new Map([
        [sampleCase(1).id, false],
        [sampleCase(2).id, true],
        [sampleCase(3).id, true],
      ]),
    );
  });
});

describe('own cases', () => {
  const rule = { ...everyCaseIsOwn, mode: 'rule' as const };
  const decide = (chosen: Partial<OwnRule>, marks: [string, boolean][] = []) => {
    const whole = { ...rule, ...chosen };
    cache.own.decideBy({ rule: whole, ranges: postalRanges(whole), marks: new Map(marks) });
  };
  const at = (postalCode: string) => ({
    payloadJson: JSON.stringify({ location: { postalCode, city: 'Ort' } }),
  });
  beforeEach(() => {
    cache.cases.upsert([
      sampleCase(1, { externalKey: 'A', ...at('8005'), category: 'vehicle' }),
      sampleCase(2, { externalKey: 'B', ...at('8400'), category: 'fraud' }),
      sampleCase(3, {
        externalKey: 'C',
        ...at('3011'),
        insurer: { name: '', responsible: { name: 'Zoé Müller', email: '', phone: '' } },
      }),
      sampleCase(4, { externalKey: 'D', ...at('80339') }),
    ]);
  });
  const own = () => keys({ own: true, sort: 'externalKey', descending: false });

  it.each<[string, Partial<OwnRule>, string[]]>([
    ['all', { mode: 'all' }, ['A', 'B', 'C', 'D']],
    ['none but the marked', { mode: 'marked' }, []],
    ['a range of postal codes', { postalCodes: '8000-8399' }, ['A']],
    ['several lines', { postalCodes: '8400\n\n3000 – 3999' }, ['B', 'C']],
    ['postal code and category', { postalCodes: '8000-8999', categories: ['fraud'] }, ['B']],
    ['a responsible person, accents aside', { responsibles: ['zoe müller'] }, ['C']],
  ])('by %s', (_, chosen, found) => {
    decide(chosen);
    expect(own()).toEqual(found);
    expect(cache.own.counts()).toEqual({ own: found.length, total: 4 });
  });

  it('by a mark before the rule, in today and in what is fetched by itself', () => {
    decide({ postalCodes: '8000-8999' }, [
      [sampleCase(3).id, true],
      [sampleCase(1).id, false],
    ]);
    expect(own()).toEqual(['B', 'C']);
    const due = { from: '2026-01-01', to: '2026-12-31', statuses: [sampleCase(1).status] };
    const wanted = cache.documents.casesToFetch(due, null).map(({ caseId }) => caseId);
    expect(wanted.sort()).toEqual([sampleCase(2).id, sampleCase(3).id].sort());
    expect(cache.own.of([1, 2, 3, 99].map((number) => sampleCase(number).id))).toEqual(
      new Set([sampleCase(2).id, sampleCase(3).id]),
    );
  });

  it('by the last decision alone, whatever was marked, named or handled before', () => {
    decide({ responsibles: ['Anna', 'ANNA'] }, [[sampleCase(3).id, true]]);
    expect(own()).toEqual(['A', 'B', 'C', 'D']);
    decide({ responsibles: ['Nobody'] }, [[sampleCase(2).id, true]]);
    expect(own()).toEqual(['B']);
    decide({ mode: 'marked' }, [[sampleCase(2).id, false]]);
    expect(own()).toEqual([]);
    // A rule that names nothing is refused before.
    cache.own.decideBy({ rule, ranges: [], marks: new Map() });
    expect(own()).toEqual([]);
    cache.own.handledBy(new Map([[sampleCase(1).id, 'Anna']]));
    cache.own.handledBy(new Map([[sampleCase(2).id, 'Anna']]));
    expect(keys({ handledBy: 'Anna' })).toEqual(['B']);
  });

  it('name the insurers’ responsible persons once, by name', () => {
    const named = (number: number, name: string) =>
      sampleCase(number, { insurer: { name: '', responsible: { name, email: '', phone: '' } } });
    cache.cases.upsert([named(5, 'zoe muller'), named(6, ' '), named(7, 'Élodie')]);
    expect(cache.own.responsibles().map((name) => name.slice(0, 2).toLowerCase())).toEqual([
      'an',
      'él',
      'zo',
    ]);
  });
});

describe('wide filters', () => {
  beforeEach(() => {
    cache.cases.upsert([
      sampleCase(1, {
        externalKey: 'A',
        status: 'Final',
        ...insurer('Alpina'),
        ...inspected('2026-06-10'),
        // In Zurich the first day of April has begun.
        createdAt: '2026-03-31T22:30:00Z',
      }),
      sampleCase(2, {
        externalKey: 'B',
        status: 'Accepted',
        createdAt: '2026-03-31T21:30:00Z',
        ...insurer('Helvia'),
        ...inspected('2026-06-20'),
        ...amounts(1000, 900),
      }),
      sampleCase(3, { externalKey: 'C', ...insurer('Alpina'), ...amounts(1000, null) }),
    ]);
  });

  it.each<[string, CaseListInput, string[]]>([
    ['insurer', { insurer: 'Alpina', sort: 'externalKey', descending: false }, ['A', 'C']],
    ['first day of the inspection', { inspectionFrom: '2026-06-20' }, ['B']],
    ['last day of the inspection', { inspectionTo: '2026-06-10' }, ['A']],
    ['first day of the creation', { createdFrom: '2026-04-01', status: 'Final' }, ['A']],
    ['a day after the creation', { createdFrom: '2026-04-02', status: 'Final' }, []],
    ['last day of the creation', { createdTo: '2026-03-31', insurer: 'Helvia' }, ['B']],
    ['a day before the creation', { createdTo: '2026-03-31', status: 'Final' }, []],
    ['what is open', { open: true, sort: 'externalKey' }, ['C', 'B']],
    ['missing amounts', { amountsMissing: true, sort: 'externalKey' }, ['C', 'A']],
    ['a word with a filter', { insurer: 'Helvia', q: 'b' }, ['B']],
    ['a status with a filter', { insurer: 'Helvia', status: 'Final' }, []],
  ])('by %s', (_, input, found) => {
    expect(keys(input)).toEqual(found);
    expect(cache.list(input).total).toBe(found.length);
  });

  it('late cases by the days since the inspection or the creation, of open ones alone', () => {
    const today = '2026-06-20';
    const late = (filter: CaseListInput) =>
      cache
        .list({ ...filter, today, sort: 'externalKey', descending: false })
        .items.map(({ externalKey }) => externalKey);
    cache.cases.upsert(
      // Inspected 8 days ago and 7, and 8 by a case that is handed in.
      (
        [
          ['L1', 'InProgress', '2026-06-12'],
          ['L2', 'Accepted', '2026-06-13'],
          ['L3', 'ExpertCompleted', '2026-06-12'],
          ['L4', 'AdminApproved', '2026-06-12'],
          ['L5', 'Undocumented', '2026-06-12'],
        ] as const
      ).map(([externalKey, status, day], index) =>
        sampleCase(10 + index, {
          externalKey,
          status,
          ...inspected(day),
          // In Zurich on the 21st, 30 days ago, and on the 20th, 31 days ago.
          createdAt: `2026-05-20T${externalKey === 'L1' ? '22:30' : '21:30'}:00Z`,
        }),
      ),
    );
    expect(late({ late: 'visit7' })).toEqual(['L1', 'L5']);
    expect(late({ late: 'age30', inspectionFrom: '2026-06-12' })).toEqual(['B', 'L2', 'L5']);
    expect(late({ late: 'age60', inspectionFrom: '2026-06-12' })).toEqual(['B']);
  });

  it('by who has the case in hand, and by nobody', () => {
    cache.own.handledBy(new Map([[sampleCase(2).id, 'Anna']]));
    expect(keys({ handledBy: 'Anna' })).toEqual(['B']);
    expect(keys({ handledBy: '', sort: 'externalKey' })).toEqual(['C', 'A']);
    expect(keys({ sort: 'handledBy', descending: false })[0]).toBe('B');
  });

  it('by documents that are not on the laptop', () => {
    cache.documents.replaceList(sampleCase(1).id, [], {
      listedAt: '2026-06-01T00:00:00Z',
      lastChangedAt: '',
    });
    expect(keys({ documentsMissing: true, sort: 'externalKey' })).toEqual(['C', 'B']);
    const listed = {
      id: '00000000-0000-4000-9000-000000000001',
      fileName: 'a.pdf',
      sizeBytes: 1,
      contentType: 'application/pdf',
      createdAt: '2026-06-01T00:00:00Z',
    };
    cache.documents.replaceList(sampleCase(2).id, [listed], {
      listedAt: '2026-06-01T00:00:00Z',
      lastChangedAt: '',
    });
    expect(keys({ documentsMissing: true, sort: 'externalKey' })).toEqual(['C', 'B']);
    cache.documents.setBlob(sampleCase(2).id, listed.id, 'a'.repeat(64));
    expect(keys({ documentsMissing: true, sort: 'externalKey' })).toEqual(['C']);
  });

  it('counts by status regardless of the chosen status', () => {
    const { byStatus } = cache.list({ inspectionFrom: '2026-06-01', status: 'Accepted' });
    expect(Object.values(byStatus).reduce((sum, n) => sum + n, 0)).toBe(2);
    expect(byStatus['Accepted']).toBe(1);
  });

  it('names the insurers', () => {
    expect(cache.insurers()).toEqual(['Alpina', 'Helvia']);
  });
});

describe('insights', () => {
  it('sums up savings in whole Rappen and counts under the filter', () => {
    cache.cases.upsert([
      sampleCase(1, {
        ...insurer('Alpina'),
        createdAt: '2026-05-20T10:00:00Z',
        status: 'InProgress',
        ...amounts(10_010, 9_999),
      }),
      sampleCase(2, {
        ...insurer('Alpina'),
        createdAt: '2026-05-21T10:00:00Z',
        status: 'Final',
        ...amounts(500, 700),
      }),
      sampleCase(3, {
        ...insurer('Helvia'),
        createdAt: '2026-06-14T10:00:00Z',
        status: 'Assigned',
      }),
    ]);
    cache.cases.upsert(
      // A report that is with the insurer leaves nothing open.
      ['ExpertCompleted', 'AdminApproved'].map((status, index) =>
        sampleCase(5 + index, { createdAt: '2026-06-14T10:00:00Z', status }),
      ),
    );
    const nowMs = Date.parse('2026-06-15T10:00:00Z');
    const all = insightsView(cache.insights({}), nowMs);
    expect(all.cases).toBe(5);
    expect(all.savingsByMonth).toEqual([
      {
        key: '2026-05',
        cases: 2,
        costEstimateRappen: 10_510,
        approvedRappen: 10_699,
        // A higher approval is no negative saving.
        savingsRappen: 11,
      },
    ]);
    expect(all.openAges.filter(({ count }) => count > 0)).toEqual([
      { key: '0', count: 1 },
      { key: '14', count: 1 },
    ]);
    expect(insightsView(cache.insights({ insurer: 'Helvia' }), nowMs).cases).toBe(1);
  });

  it('counts months and days by the calendar of Zurich, as the list does', () => {
    const night = sampleCase(1, {
      createdAt: '2026-05-31T22:30:00Z',
      status: 'InProgress',
      ...amounts(200, 100),
    });
    cache.cases.upsert([night]);
    // A quarter of an hour after the seventh midnight in Zurich.
    const nowMs = Date.parse('2026-06-07T22:15:00Z');
    const { savingsByMonth, openAges } = insightsView(cache.insights({}), nowMs);
    expect(savingsByMonth.map(({ key }) => key)).toEqual(['2026-06']);
    expect(agesOf({ ...night, inspectionDate: null }, zurichDay(nowMs)).ageDays).toBe(7);
    expect(openAges.filter(({ count }) => count > 0)).toEqual([{ key: '7', count: 1 }]);
  });

  it('lists the months between two others, but not the centuries after a wrong date', () => {
    cache.cases.upsert(
      ['0201-01', '2025-11', '2026-02'].map((month, index) =>
        sampleCase(index, { createdAt: `${month}-03T08:00:00Z`, ...amounts(200, 100) }),
      ),
    );
    const { savingsByMonth } = insightsView(cache.insights({}), Date.parse('2026-06-15'));
    expect(savingsByMonth.map(({ key, cases }) => `${key}: ${cases}`)).toEqual([
      '0201-01: 1',
      '2025-11: 1',
      '2025-12: 0',
      '2026-01: 0',
      '2026-02: 1',
    ]);
  });
});
