import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { documentsBucket } from '#shared/api/limits.ts';
import { createSeededRandom } from '../support/seeded-random.ts';
import { type FetchWork, fetchPlan } from '#main/engine/sync/fetch-plan.ts';

const refillMs = 60_000 / documentsBucket.refillPerMinute;
const none = { lists: 0, documents: 0 };
const idle: FetchWork = {
  unread: 0,
  neverRead: 0,
  contents: 0,
  sample: none,
  known: none,
  listMs: null,
  contentMs: null,
};

test.each<readonly [string, Partial<FetchWork>, ReturnType<typeof fetchPlan>]>([
  ['nothing', {}, { requests: 0, paceMs: 0, isEstimate: false }],
  ['known documents', { contents: 7 }, { requests: 7, paceMs: 0, isEstimate: false }],
  ['never a list', { unread: 3, neverRead: 3 }, null],
  [
    'lists that were read before',
    { unread: 3, contents: 4 },
    { requests: 7, paceMs: 0, isEstimate: true },
  ],
  [
    'lists as those that were read now',
    { unread: 4, neverRead: 4, sample: { lists: 2, documents: 5 }, listMs: 10, contentMs: 100 },
    { requests: 14, paceMs: 1040, isEstimate: true },
  ],
  [
    'lists as those of other cases',
    { unread: 4, neverRead: 4, known: { lists: 100, documents: 300 } },
    { requests: 16, paceMs: 0, isEstimate: true },
  ],
  [
    'lists as both',
    {
      unread: 10,
      neverRead: 10,
      known: { lists: 100, documents: 300 },
      sample: { lists: 5, documents: 25 },
    },
    { requests: 50, paceMs: 0, isEstimate: true },
  ],
])('%s', (_what, work, plan) => {
  expect(fetchPlan({ ...idle, ...work })).toEqual(plan);
});

/** A download as the partner's limits let it go, with what is predicted at each moment. */
function simulate(
  counts: readonly number[],
  { known, listMs, contentMs }: { known: FetchWork['known']; listMs: number; contentMs: number },
) {
  let nowMs = 0;
  let level = documentsBucket.capacity;
  const refill = (ms: number) => {
    nowMs += ms;
    level = Math.min(documentsBucket.capacity, level + ms / refillMs);
  };
  /** How long the limits delay the last of so many requests, as the client says it. */
  const slotInMs = (requests: number) => Math.max(0, (requests - level) * refillMs);
  const predicted: { atMs: number; endMs: number }[] = [];
  const pace = { list: { n: 0, ms: 0 }, content: { n: 0, ms: 0 } };
  const send = (kind: keyof typeof pace, ms: number) => {
    refill(slotInMs(1));
    level -= 1;
    refill(ms);
    pace[kind].n += 1;
    pace[kind].ms += ms;
  };
  const average = ({ n, ms }: { n: number; ms: number }) => (n === 0 ? null : ms / n);
  let work: FetchWork = { ...idle, unread: counts.length, neverRead: counts.length, known };
  const predict = () => {
    work = { ...work, listMs: average(pace.list), contentMs: average(pace.content) };
    const plan = fetchPlan(work);
    if (plan)
      predicted.push({
        atMs: nowMs,
        endMs: nowMs + Math.max(slotInMs(plan.requests), plan.paceMs),
      });
  };
  predict();
  for (const documents of counts) {
    send('list', listMs);
    const { unread, neverRead, contents, sample } = work;
    work = {
      ...work,
      unread: unread - 1,
      neverRead: neverRead - 1,
      contents: contents + documents,
      sample: { lists: sample.lists + 1, documents: sample.documents + documents },
    };
    predict();
  }
  for (const documents of counts)
    for (let done = 0; done < documents; done += 1) {
      send('content', contentMs);
      work = { ...work, contents: work.contents - 1 };
      predict();
    }
  return { predicted, endMs: nowMs };
}

/** The largest error of what is predicted after five seconds, as a share of the whole time. */
function worstError({ predicted, endMs }: ReturnType<typeof simulate>): number {
  const later = predicted.filter(({ atMs }) => atMs >= 5000);
  return Math.max(0, ...later.map((one) => Math.abs(one.endMs - endMs) / endMs));
}

describe('the end of a download at the published limits', () => {
  const speed = {
    listMs: fc.integer({ min: 20, max: 500 }),
    contentMs: fc.integer({ min: 50, max: 2500 }),
  };

  const plan = fc.record({
    ...speed,
    cases: fc.integer({ min: 20, max: 120 }),
    usual: fc.integer({ min: 3, max: 8 }),
    seed: fc.nat(),
    isKnown: fc.boolean(),
  });

  it.each([
    ['all cases have the same number of documents', 0, undefined],
    // Cases that come in the order of their numbers could deceive any estimate, so the seed is fixed.
    ['cases differ by up to two documents', 2, 20261128],
  ])('is right within a quarter from the first five seconds if %s', (_, spread, seed) => {
    let compared = 0;
    fc.assert(
      fc.property(plan, ({ cases, usual, isKnown, ...rest }) => {
        const random = createSeededRandom(rest.seed);
        const more = () => Math.round((2 * random.fraction() - 1) * spread);
        const counts = Array.from({ length: cases }, () => usual + more());
        const known = isKnown ? { lists: 200, documents: 200 * usual } : none;
        const run = simulate(counts, { known, ...rest });
        compared += run.predicted.filter(({ atMs }) => atMs >= 5000).length;
        expect(worstError(run)).toBeLessThan(0.25);
      }),
      { numRuns: 100, ...(seed !== undefined && { seed }) },
    );
    expect(compared).toBeGreaterThan(5_000);
  });

  it('is known at the start if other cases’ lists are, and after one list if none are', () => {
    fc.assert(
      fc.property(fc.record(speed), fc.integer({ min: 2, max: 60 }), (rest, cases) => {
        const counts = Array.from({ length: cases }, () => 3);
        const known = { lists: 10, documents: 30 };
        const [first] = simulate(counts, { known, ...rest }).predicted;
        expect(first?.atMs).toBe(0);
        const [later] = simulate(counts, { known: none, ...rest }).predicted;
        expect(later?.atMs).toBe(rest.listMs);
      }),
    );
  });
});
