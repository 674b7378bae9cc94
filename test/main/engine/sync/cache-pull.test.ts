import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Cache } from '#main/engine/cache/open-cache.ts';
import { CachePull, noteSeenAlone, restoredToValue } from '#main/engine/sync/pull.ts';
import type { ClientCase, UnreadableItem } from '#main/partner/answers/answers.ts';
import type { PullEnd, Reading } from '#main/partner/pull/pull-store.ts';
import { FakePartner } from '../../../support/partner/fake-partner.ts';
import { createEagerClock } from '../support/stepped-clock.ts';
import { openTestCache, testFolder } from '../support/test-engine.ts';

/* What the cache keeps of a pull from one page to the next, and from one pull to the next. */

const clock = createEagerClock();
let cache: Cache;
let partner: FakePartner;
let delivered: { id: number; caseId: string }[];
let lifted: number[];
let pull: CachePull;

beforeEach(() => {
  cache = openTestCache(testFolder());
  partner = new FakePartner(clock);
  delivered = [];
  lifted = [];
  const overlays = {
    delivered: () => [...delivered],
    lift: (ids: readonly number[]) => void lifted.push(...ids),
  };
  // The pull uses these two of the overlays alone.
  pull = new CachePull({ cache, clock, overlays: overlays as never, retained: (all) => all });
});
afterEach(() => cache.close());

const reading: Reading = {
  since: null,
  nextPage: 2,
  startedMs: 0,
  total: 0,
  shrank: false,
  highest: null,
  items: 0,
  longestPage: 0,
  older: 0,
};
const save = (
  items: readonly ClientCase[],
  { unreadable = [], isFirst = false }: { unreadable?: UnreadableItem[]; isFirst?: boolean } = {},
) => {
  const page = { total: items.length, size: 200, items: [...items], unreadable };
  return pull.savePage({ page, serverMs: clock.now(), isFirst }, reading);
};
const end = (changes: Partial<PullEnd> = {}) =>
  pull.end({
    cursor: null,
    incomplete: null,
    missing: null,
    ignoresSince: false,
    longestPage: 0,
    wholeSinceMs: null,
    restoredTo: null,
    ...changes,
  });

it('keeps the latest case that was read alone until a whole list was read after it', () => {
  const [early, late, later] = [1, 2, 3].map((hour) => `2026-03-01T0${hour}:00:00.000Z`);
  noteSeenAlone(cache, late ?? '');
  noteSeenAlone(cache, early ?? '');
  noteSeenAlone(cache, '');
  expect(pull.begin().seenAlone).toBe(late);
  end({ incomplete: { reason: 'missing', seen: 0, total: 1 } });
  expect(pull.begin().seenAlone).toBe(late);
  // It was read while the list was.
  noteSeenAlone(cache, later ?? '');
  end();
  expect(pull.begin().seenAlone).toBe(later);
  end();
  expect(pull.begin().seenAlone).toBeNull();
});

it('lifts what was delivered before the page was asked for, of the cases on it', async () => {
  const [one, other] = [partner.addCase(), partner.addCase()];
  delivered = [
    { id: 1, caseId: one.id },
    { id: 2, caseId: other.id },
  ];
  pull.asked();
  delivered.push({ id: 3, caseId: one.id });
  await save([one]);
  expect(lifted).toEqual([1]);
});

it('knows a case again whose id one list writes in capitals', async () => {
  const one = partner.addCase({ id: 'abcdef00-0000-4000-8000-000000000001' });
  const again = { ...one, id: one.id.toUpperCase(), expertComment: 'new' };
  await save([one], { isFirst: true });
  delivered = [{ id: 1, caseId: one.id }];
  pull.asked();
  expect((await save([again])).changed).toEqual([one.id]);
  expect(lifted).toEqual([1]);
  expect(pull.seen()).toBe(1);
});

it('names each case of a large page that is new, and counts each of a reading once', async () => {
  const items = Array.from({ length: 120 }, () => partner.addCase());
  const [first] = items;
  expect((await save(items, { isFirst: true })).changed).toEqual(items.map(({ id }) => id));
  await save(first ? [first] : [], { unreadable: [{ id: 'odd', place: 'x', json: null }] });
  expect(pull.seen()).toBe(121);
  await save(items.slice(0, 2), { isFirst: true });
  expect(pull.seen()).toBe(2);
});

it('stores nothing of a case that is not to be here, which counts as read all the same', async () => {
  const [here, past] = [partner.addCase(), partner.addCase()];
  const overlays = { delivered: () => [], lift: () => undefined };
  const retained = (all: readonly ClientCase[]) => all.filter(({ id }) => id !== past.id);
  pull = new CachePull({ cache, clock, overlays: overlays as never, retained });
  expect((await save([here, past], { isFirst: true })).changed).toEqual([here.id]);
  expect([cache.cases.find(past.id), pull.seen()]).toEqual([null, 2]);
});

it('forgets at its end where it was, and what the whole list has no more', async () => {
  await save([], { unreadable: [{ id: 'odd', place: 'x', json: null }] });
  expect(pull.begin().reading).toEqual(reading);
  end({ cursor: 'c', restoredTo: 'r' });
  expect(pull.begin()).toMatchObject({ cursor: 'c', reading: null });
  expect(cache.values.get(restoredToValue)).toBe('r');
  end({ wholeSinceMs: clock.now() });
  expect(cache.unreadable.cases()).toHaveLength(1);
  expect([pull.begin().cursor, cache.values.get(restoredToValue)]).toEqual([null, 'r']);
  end({ wholeSinceMs: clock.now() + 1 });
  expect(cache.unreadable.cases()).toEqual([]);
});
