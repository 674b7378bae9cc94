import { join } from 'node:path';
import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { caseStatuses, categories } from '#shared/api/case-words.ts';
import { isOpenStatus } from '#shared/api/states.ts';
import type { CaseListInput } from '#shared/desk/cases/cases.ts';
import { agesOf } from '#shared/desk/cases/case-ages.ts';
import { caseSorts, type CaseSort, lateChoices } from '#shared/desk/cases/case-choices.ts';
import { countQuery, pageQuery } from '#main/engine/cache/case-list.ts';
import type { CaseInput } from '#main/engine/cache/case-records.ts';
import { openCache, type Cache } from '#main/engine/cache/open-cache.ts';
import { openDatabase, type Query } from '#main/engine/database/sqlite.ts';
import { smokeOrLong } from '../../../support/long.ts';
import { sampleCase, openTestCache, testFolder } from '../support/test-engine.ts';

const keyHex = 'ab'.repeat(32);
let dir: string;
let cache: Cache;
beforeEach(() => {
  dir = testFolder();
  cache = openTestCache(dir);
});

const keys = (input: CaseListInput) => cache.list(input).items.map((item) => item.externalKey);
const payload = (value: object) => ({ payloadJson: JSON.stringify(value) });

describe('search', () => {
  beforeEach(() => {
    cache.cases.upsert([
      sampleCase(1, {
        externalKey: 'A-1',
        ...payload({
          policyNumber: '66.448.342-3',
          claimInsurance: 'partial',
          insured: { name: 'Zoé Müller', licensePlate: 'ZH 123 456', vin: 'WVWZZZ1KZAW000001' },
          location: { city: 'Rüti' },
        }),
      }),
      sampleCase(2, { externalKey: 'B-2', expertComment: 'Stossstange links' }),
    ]);
  });

  it.each([
    ['beginnings of words', 'mül zo', ['A-1']],
    ['letters without their accents', 'muller ruti zoe', ['A-1']],
    ['accents in another normal form', 'mu\u0308ller', ['A-1']],
    ['a plate in any writing', 'zh123456', ['A-1']],
    ['a plate with hyphens', 'ZH-123-456', ['A-1']],
    ['a vehicle identification number', 'wvwzzz1kz', ['A-1']],
    ['a policy number', '66448342', ['A-1']],
    ['the external key', 'b-2', ['B-2']],
    ['the comment', 'stoss', ['B-2']],
    ['the insurer', 'muster', ['B-2', 'A-1']],
    ['every word, not any', 'müller stoss', []],
    ['no word at all', ' -- ', ['B-2', 'A-1']],
    ['the index’s own syntax as plain words', 'NEAR("a* OR text:', []],
  ])('finds by %s', (_, q, expected) => {
    expect(keys({ q })).toEqual(expected);
  });

  it('stops counting at its maximum, with the page whole', () => {
    cache.cases.upsert(Array.from({ length: 50 }, (_, i) => sampleCase(i + 10)));
    const first = cache.list({ q: 'muster', countMax: 20, limit: 5 });
    expect(first).toMatchObject({ total: 21, totalIsExact: false, byStatus: {} });
    expect(first.items).toHaveLength(5);
    const last = cache.list({ q: 'muster', countMax: 20, offset: 48, limit: 10 });
    expect(last).toMatchObject({ total: 52, totalIsExact: true });
    expect(last.items).toHaveLength(4);
    expect(cache.list({ countMax: 20 })).toMatchObject({ total: 52, totalIsExact: true });
  });

  it('follows a case that changes', () => {
    cache.cases.upsert([
      sampleCase(2, {
        externalKey: 'B-2',
        expertComment: 'Windschutzscheibe',
        lastChangedAt: '2026-04-01T00:00:00Z',
      }),
    ]);
    expect(keys({ q: 'stoss' })).toEqual([]);
    expect(keys({ q: 'windschutz' })).toEqual(['B-2']);
  });

  it('never fails for any typed text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 40 }), (q) => {
        keys({ q });
      }),
    );
  });
});

describe('the list', () => {
  it('gives what filtering and sorting every case by hand gives', () => {
    const arbitraryCase = fc.record({
      status: fc.constantFrom('Accepted', 'Final', 'Elsewhere'),
      category: fc.constantFrom('vehicle', 'fraud'),
      lastChangedMs: fc.nat({ max: 3000 }),
      createdMs: fc.nat({ max: 3000 }),
      word: fc.constantFrom('alpha', 'alpine', 'beta'),
      inspectionDate: fc.option(fc.constantFrom('2026-02-10', '2026-03-01', '2026-03-02')),
      incidentDate: fc.option(fc.constantFrom('2026-02-01', '2026-02-02')),
      // In another order by their letters' codes than in a dictionary.
      partyName: fc.constantFrom('', 'Zoé', 'Élodie', 'anna', 'Beat'),
      insurer: fc.constantFrom('', 'Zeta', 'Élan', 'gamma AG'),
      car: fc.constantFrom('', 'Škoda', 'audi', 'Tesla'),
      policy: fc.constantFrom('', 'P-2', 'p-10', 'Ä-1'),
      inspectionType: fc.constantFrom('', 'workshop', 'estimate_review'),
      estimate: fc.option(fc.constantFrom(100, 9000, 20000)),
      approved: fc.option(fc.constantFrom(50, 9000)),
    });
    // A list with every filter at once would be empty.
    const someTimes = <T>(...values: T[]) =>
      fc.option(fc.constantFrom(...values), { nil: undefined, freq: 9 });
    const arbitraryInput = fc.record({
      inspectionType: someTimes('', 'workshop'),
      insurer: someTimes('Zeta'),
      inspectionFrom: someTimes('2026-03-02'),
      inspectionTo: someTimes('2026-03-01'),
      open: someTimes(true),
      amountsMissing: someTimes(true),
      // No case has a list of documents, and nobody has one in hand.
      documentsMissing: someTimes(true),
      handledBy: someTimes(''),
      late: someTimes(...lateChoices),
      own: someTimes(true),
      q: fc.constantFrom('', '', '', '', 'al', 'alp', 'alph', 'beta'),
      status: someTimes('Accepted' as const, 'Final' as const),
      category: someTimes('fraud' as const),
      countMax: fc.constantFrom(undefined, 1, 3, 10),
      sort: fc.constantFrom(...caseSorts),
      descending: fc.boolean(),
      offset: fc.nat({ max: 4 }),
      limit: fc.integer({ min: 1, max: 5 }),
    });
    let runs = 0;
    fc.assert(
      fc.property(
        fc.array(arbitraryCase, { maxLength: 12 }),
        fc.array(arbitraryInput, { minLength: 2, maxLength: 4 }),
        (made, inputs) => {
          runs += 1;
          const local = openCache(join(dir, `run-${runs}.db`), keyHex);
          try {
            const cases = made.map((each, index) =>
              sampleCase(index, {
                status: each.status,
                category: each.category,
                lastChangedAt: new Date(each.lastChangedMs).toISOString(),
                createdAt: new Date(each.createdMs).toISOString(),
                costEstimateRappen: each.estimate,
                approvedRappen: each.approved,
                insurer: { ...sampleCase(0).insurer, name: each.insurer },
                payloadJson: JSON.stringify({
                  damageDescription: each.word,
                  policyNumber: each.policy,
                  inspectionType: each.inspectionType,
                  inspectionDate: each.inspectionDate,
                  incidentDate: each.incidentDate,
                  insured: {
                    name: each.partyName,
                    carMake: each.car,
                    licensePlate: `ZH ${each.createdMs % 7}`,
                  },
                  location: { city: each.partyName },
                }),
              }),
            );
            local.cases.upsert(cases);
            for (const input of inputs) expectSameAsByHand(local, cases, input);
          } finally {
            local.close();
          }
        },
      ),
      { numRuns: smokeOrLong(40, 500) },
    );
  });

  describe('sorted by what is computed, with the cases without it last', () => {
    const visited = (day: string) => payload({ inspectionDate: day });
    const order = (input: CaseListInput) => {
      const list = (descending: boolean) =>
        cache
          .list({ ...input, today: '2026-06-10', descending })
          .items.map(({ externalKey }) => externalKey);
      return [list(true), list(false)];
    };
    const store = (cases: readonly Partial<CaseInput>[]) =>
      cache.cases.upsert(
        cases.map((change, index) => sampleCase(index, { externalKey: String(index), ...change })),
      );

    it('by the days since the visit, of open cases until today', () => {
      store([
        visited('2026-06-10'),
        visited('2026-06-01'),
        { ...visited('2026-05-01'), status: 'Final' },
        visited('2026-06-11'),
        visited('2026-06-05'),
      ]);
      expect(order({ sort: 'daysSinceVisit' })).toEqual([
        ['1', '4', '0', '3', '2'],
        ['0', '4', '1', '2', '3'],
      ]);
    });

    it('by age, of open cases', () => {
      store([
        { createdAt: '2026-05-02T00:00:00Z' },
        { createdAt: '2026-05-01T00:00:00Z' },
        { createdAt: '2026-04-01T00:00:00Z', status: 'ExpertCompleted' },
        { createdAt: '2026-05-03T00:00:00Z' },
      ]);
      expect(order({ sort: 'ageDays' })).toEqual([
        ['1', '0', '3', '2'],
        ['3', '0', '1', '2'],
      ]);
    });

    it('by savings, of which none and a higher approval are none', () => {
      const amounts = (costEstimateRappen: number | null, approvedRappen: number | null) => ({
        costEstimateRappen,
        approvedRappen,
      });
      store([amounts(500, 500), amounts(300, 100), amounts(100, 300), amounts(1000, 999)]);
      expect(order({ sort: 'savingsRappen' })).toEqual([
        ['1', '3', '2', '0'],
        ['3', '1', '0', '2'],
      ]);
    });

    it('by the name of who has it in hand, in either case', () => {
      store([{}, {}, {}, {}]);
      const [a = '', b = '', c = ''] = [0, 1, 2].map((number) => sampleCase(number).id);
      cache.own.handledBy(new Map(Object.entries({ [a]: 'berta', [b]: 'Anna', [c]: 'Zoe' })));
      expect(order({ sort: 'handledBy' })).toEqual([
        ['2', '0', '1', '3'],
        ['1', '0', '2', '3'],
      ]);
    });
  });

  it('has the first and the last moment of a day of creation in the day', () => {
    const moments = [
      '2026-06-09T21:59:59.999Z',
      '2026-06-09T22:00:00Z',
      '2026-06-10T21:59:59.999Z',
    ];
    cache.cases.upsert(
      [...moments, '2026-06-10T22:00:00Z'].map((createdAt, index) =>
        sampleCase(index, { createdAt, externalKey: String(index) }),
      ),
    );
    const day = { createdFrom: '2026-06-10', createdTo: '2026-06-10' };
    expect(keys({ ...day, sort: 'createdAt', descending: false })).toEqual(['1', '2']);
  });

  it.each([
    ['in the time of Zurich', '2026-03-31T23:30:00+02:00', '2026-04-01T00:30:00+02:00'],
    ['far behind it', '2026-03-31T16:30:00-05:00', '2026-03-31T17:30:00.1234567-05:00'],
    ['in UTC, without a zone', '2026-03-31T21:30:00', '2026-03-31T22:30:00.5'],
  ])('has the day of creation in Zurich if the server writes moments %s', (_, march, april) => {
    cache.cases.upsert([
      sampleCase(3, { externalKey: 'march', createdAt: march }),
      sampleCase(2, { externalKey: 'april', createdAt: april }),
      sampleCase(1, { externalKey: 'between', createdAt: '2026-03-31T22:00:00Z' }),
    ]);
    const sort = 'createdAt';
    expect(keys({ sort })).toEqual(['april', 'between', 'march']);
    expect(keys({ sort, createdFrom: '2026-04-01' })).toEqual(['april', 'between']);
    expect(keys({ sort, createdTo: '2026-03-31' })).toEqual(['march']);
    const late = cache.list({ late: 'age30', today: '2026-05-01' });
    expect(late.items.map(({ externalKey }) => externalKey)).toEqual(['march']);
  });

  it('separates any number of cases that changed at the same moment', () => {
    const at = '2026-03-01T00:00:00.000Z';
    const many = Array.from({ length: 2500 }, (_, i) => sampleCase(i, { lastChangedAt: at }));
    cache.cases.upsert(many);
    expect(cache.list({}).total).toBe(2500);
    expect(new Set(cache.list({ limit: 1000 }).items.map(({ id }) => id)).size).toBe(1000);
  });

  /** The steps of SQLite's plan. */
  function planOf({ sql, params }: Query): string {
    const db = openDatabase({ file: join(dir, 'cache.db'), keyHex, durability: 'normal' });
    try {
      db.exec('CREATE TEMP TABLE hits (seq INTEGER PRIMARY KEY)');
      db.exec('CREATE TEMP TABLE handlers (case_id TEXT PRIMARY KEY, name TEXT NOT NULL)');
      const steps = db.prepare<[typeof params], { detail: string }>(`EXPLAIN QUERY PLAN ${sql}`);
      return steps
        .all(params)
        .map(({ detail }) => detail)
        .join('; ');
    } finally {
      db.close();
    }
  }
  const narrow = { status: 'Final', category: 'fraud', inspectionType: 'workshop' } as const;

  it.each([
    [{}, 'SCAN c USING INDEX cases_by_seq'],
    [narrow, 'SEARCH c USING INDEX cases_by_status (status=?)'],
  ])('reads the newest first from an index, filtered by %o', (filter, plan) => {
    for (const descending of [true, false]) {
      expect(planOf(pageQuery(false, { ...filter, descending }))).toBe(plan);
    }
  });

  it.each([{}, narrow])('counts by an index alone, filtered by %o', (filter) => {
    const covering = 'c USING COVERING INDEX';
    expect(planOf(countQuery(false, filter, Infinity))).toBe(`SCAN ${covering} cases_by_status`);
    for (const max of [1001, Infinity]) {
      const plan = planOf(countQuery(true, filter, max));
      expect(plan).toContain(`SEARCH ${covering} cases_by_seq (seq=?`);
    }
  });

  it.each(caseSorts)('reads only the rows that a search found, sorted by %s', (sort) => {
    const plan = planOf(pageQuery(true, { sort }));
    expect(plan).toMatch(/^SEARCH c USING INDEX cases_by_seq \(seq=\?\)/);
  });

  it('does not sort what a search found by its change again', () => {
    expect(planOf(pageQuery(true, { sort: 'lastChangedAt' }))).not.toContain('TEMP B-TREE');
  });

  it('reads the inspections of some days from an index', () => {
    const days = { inspectionFrom: '2026-03-01', inspectionTo: '2026-03-08' };
    expect(planOf(pageQuery(false, { ...days, sort: 'inspectionDate' }))).toMatch(
      /^SEARCH c USING INDEX cases_by_inspection_date/,
    );
  });
});

function expectSameAsByHand(local: Cache, cases: readonly CaseInput[], input: CaseListInput) {
  const { q = '', status, category, sort = 'lastChangedAt', descending = true } = input;
  const underQ = cases.filter(
    (each) =>
      each.payloadJson.includes(`"${q}`) &&
      (category === undefined || each.category === category) &&
      passesByHand(each, input),
  );
  const wanted = underQ.filter((each) => status === undefined || each.status === status);
  const keyOf = (each: CaseInput) => byHand(each, sort) ?? (descending ? '' : '~');
  const list = local.list({ ...input, today });
  const sortedKeys = wanted.map(keyOf).sort();
  const expectedKeys = descending ? sortedKeys.toReversed() : sortedKeys;
  const { offset = 0, limit = 100 } = input;
  const byId = new Map(cases.map((each) => [each.id, each]));
  const foundKeys = list.items.map(({ id }) => {
    const found = byId.get(id);
    return found ? keyOf(found) : 'unknown';
  });
  expect(foundKeys).toEqual(expectedKeys.slice(offset, offset + limit));
  // Counting stops only in a search whose page is full.
  const isFull = q !== '' && list.items.length === limit;
  const isStopped = isFull && underQ.length > (input.countMax ?? Infinity);
  expect(list.totalIsExact).toBe(!isStopped);
  expect(list.total).toBeLessThanOrEqual(wanted.length);
  const least = isStopped ? offset + list.items.length : wanted.length;
  expect(list.total).toBeGreaterThanOrEqual(least);
  const counts: Record<string, number> = {};
  for (const each of underQ) counts[each.status] = (counts[each.status] ?? 0) + 1;
  expect(list.byStatus).toEqual(isStopped ? {} : counts);
}

/** The filters of the desk alone. */
function passesByHand(each: CaseInput, input: CaseListInput): boolean {
  const { inspectionDate } = payloadOf(each);
  const { inspectionFrom = '', inspectionTo = '9', late } = input;
  const ages = agesOf({ ...each, inspectionDate }, today);
  const lateDays = late?.startsWith('visit') ? ages.daysSinceVisit : ages.ageDays;
  return (
    (input.inspectionType ?? inspectionTypeByHand(each)) === inspectionTypeByHand(each) &&
    (input.insurer ?? each.insurer.name) === each.insurer.name &&
    ((input.inspectionFrom ?? input.inspectionTo) === undefined ||
      (inspectionDate !== null &&
        inspectionDate >= inspectionFrom &&
        inspectionDate <= inspectionTo)) &&
    (!input.open || isOpenStatus(each.status)) &&
    (!input.amountsMissing || each.costEstimateRappen === null || each.approvedRappen === null) &&
    (late === undefined || (lateDays !== null && lateDays > Number(late.replace(/\D+/, ''))))
  );
}

const folded = (text: string) =>
  text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase() || null;
const rappen = (amount: number | null) =>
  amount === null ? null : String(amount).padStart(9, '0');

/** Between the days of the cases, and behind all that made them late. */
const today = '2026-03-02';
const days = (count: number | null) => (count === null ? null : String(count).padStart(5, '0'));

/** What a case is sorted by, as a text; null if it is empty and comes last either way. */
function byHand(each: CaseInput, sort: CaseSort): string | null {
  const payload = payloadOf(each);
  const { costEstimateRappen: estimate, approvedRappen: approved } = each;
  const ages = agesOf({ ...each, inspectionDate: payload.inspectionDate }, today);
  const keys: Record<CaseSort, string | null> = {
    lastChangedAt: each.lastChangedAt,
    createdAt: each.createdAt,
    externalKey: each.externalKey,
    status: String(caseStatuses.findIndex((one) => one === each.status) + 1 || 99).padStart(2, '0'),
    category: String(categories.findIndex((one) => one === each.category)),
    partyName: folded(payload.insured.name),
    place: folded(payload.location.city),
    licensePlate: folded(payload.insured.licensePlate),
    insurer: folded(each.insurer.name),
    inspectionDate: payload.inspectionDate,
    incidentDate: payload.incidentDate,
    costEstimateRappen: rappen(estimate),
    approvedRappen: rappen(approved),
    savingsRappen:
      estimate !== null && approved !== null && estimate > approved
        ? rappen(estimate - approved)
        : null,
    subject: folded(payload.insured.carMake),
    policyNumber: folded(payload.policyNumber),
    inspectionType: folded(inspectionTypeByHand(each)),
    ageDays: days(ages.ageDays),
    daysSinceVisit: days(ages.daysSinceVisit),
    handledBy: null,
  };
  return keys[sort];
}

const payloadOf = (each: CaseInput) =>
  JSON.parse(each.payloadJson) as {
    inspectionDate: string | null;
    incidentDate: string | null;
    policyNumber: string;
    inspectionType: string;
    insured: { name: string; carMake: string; licensePlate: string };
    location: { city: string };
  };

/** Category fraud has none. */
const inspectionTypeByHand = (each: CaseInput) =>
  each.category === 'fraud' ? '' : payloadOf(each).inspectionType;
