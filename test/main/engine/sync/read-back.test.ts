import { beforeEach, describe, expect, it } from 'vitest';
import { DeskError } from '#shared/desk/contract/errors.ts';
import type { Cache } from '#main/engine/cache/open-cache.ts';
import { restoredToValue } from '#main/engine/sync/pull.ts';
import { ReadBack } from '#main/engine/sync/read-back.ts';
import type { Work } from '#main/engine/work/open-work.ts';
import { createEagerClock, type EagerClock } from '../support/stepped-clock.ts';
import { openTestCache, openTestWork, sampleCase } from '../support/test-engine.ts';

/*
 * What the desk does if the partner returns older states, over its stores; only the readings are
 * made up. With readings, too, it is in restored-partner.test.ts.
 */

const dayMs = 24 * 60 * 60_000;
const nowMs = Date.parse('2026-03-02T08:00:00Z');
const daysAgo = (days: number, ms = 0) => new Date(nowMs - days * dayMs - ms).toISOString();
const [a, b, c] = [sampleCase(1).id, sampleCase(2).id, sampleCase(3).id];

let clock: EagerClock;
let cache: Cache;
let work: Work;
/** The cases that the partner does not return, and those that cannot be read. */
let gone: Map<string, 'forbidden' | 'not_found'>;
let unreadable: Set<string>;

/** A case at the partner, which has another comment than each act. */
const record = (id: string, lastChangedAt: string, expertComment = 'theirs') => ({
  ...sampleCase(1),
  id,
  lastChangedAt,
  expertComment,
});

beforeEach(() => {
  clock = createEagerClock(nowMs);
  cache = openTestCache();
  work = openTestWork({ now: () => clock.now() });
  gone = new Map();
  unreadable = new Set();
  asked = { cases: [], pulls: 0 };
  cache.cases.upsert([a, b, c].map((id) => record(id, daysAgo(0))));
});

/** A comment that was delivered then, and was seen at the partner. */
function deliver(caseId: string, at: string): number {
  const act = { kind: 'comment', text: 'mine', seen: '' } as const;
  const { id } = work.outbox.enqueue({ caseId, externalKey: 'K' }, act, [{ kind: 'comment' }]);
  for (const step of work.outbox.rows.get(id).steps) {
    work.outbox.deliveries.begin(step, Date.parse(at));
    const content = { serverId: null, sizeBytes: null, sha256: null };
    const proof = { at, status: 200, correlationId: 'c', ...content, laptopAt: at };
    work.outbox.deliveries.confirm({ step, proof });
  }
  work.overlays.lift([id]);
  work.outbox.deliveries.see(id, at);
  return id;
}

/** The partner returns an older state of the case, twice. */
function takeBack(caseId: string, lastChangedAt: string): void {
  for (const askedMs of [1, 3])
    cache.cases.upsert([record(caseId, lastChangedAt)], nowMs, { askedMs, nowMs: askedMs + 1 });
}

/** The cases that were read one by one, and the number of pulls. */
let asked: { cases: string[]; pulls: number };
const readBack = (touched: readonly string[] = []) =>
  new ReadBack({
    cache,
    work,
    clock,
    signal: new AbortController().signal,
    emit: () => undefined,
    onRow: () => undefined,
    onFailure: () => undefined,
    pull() {
      asked.pulls += 1;
      return Promise.resolve();
    },
    readCase(caseId) {
      asked.cases.push(caseId);
      if (unreadable.has(caseId))
        return Promise.reject(new DeskError('server_failed', { title: '', status: 500 }));
      const reason = gone.get(caseId);
      if (reason) cache.cases.markGone(caseId, reason, nowMs);
      return Promise.resolve();
    },
    readReports: () => Promise.resolve(),
  }).run(new Set(touched));

/** The rows that need the user, with the reason. */
const disputed = () =>
  work.outbox.rows
    .list({ includeDone: false, limit: 100 })
    .rows.map(({ id, problem }) => [id, problem?.code]);
const other = 'server_has_other';

describe('deliveries are compared again', () => {
  it('if nothing is older, not at all', async () => {
    deliver(a, daysAgo(0));
    expect(await readBack()).toBe(0);
    expect(disputed()).toEqual([]);
  });

  it('on the case alone, if a single one is older than any backup', async () => {
    const [, since] = [deliver(a, daysAgo(8)), deliver(a, daysAgo(1)), deliver(b, daysAgo(1))];
    takeBack(a, daysAgo(7));
    expect(await readBack()).toBe(1);
    expect(disputed()).toEqual([[since, other]]);
  });

  it('on every case, if a single one is of the last week', async () => {
    const since = deliver(b, daysAgo(1));
    deliver(c, daysAgo(8));
    takeBack(a, daysAgo(7, -1));
    await readBack();
    expect(disputed()).toEqual([[since, other]]);
  });

  it('on every case since the latest time, if several are older', async () => {
    const onOne = deliver(a, daysAgo(25));
    deliver(c, daysAgo(21));
    const since = deliver(c, daysAgo(19));
    takeBack(a, daysAgo(30));
    takeBack(b, daysAgo(20));
    await readBack();
    expect(disputed()).toEqual([
      [since, other],
      [onOne, other],
    ]);
  });

  it('on every case since the time to which the list went back', async () => {
    deliver(c, daysAgo(41));
    const since = deliver(c, daysAgo(39));
    cache.values.set(restoredToValue, daysAgo(40));
    await readBack();
    expect(disputed()).toEqual([[since, other]]);
    expect(cache.values.get(restoredToValue)).toBeNull();
  });

  it('with the lists of reports of all of them', async () => {
    const read = { listedAt: daysAgo(0), lastChangedAt: daysAgo(0) };
    for (const id of [a, b, c]) cache.reports.replaceList(id, [], read);
    deliver(b, daysAgo(0));
    takeBack(a, daysAgo(1));
    await readBack();
    expect([a, b, c].map((id) => cache.reports.listedAt(id))).toEqual([null, null, read.listedAt]);
  });
});

describe('a delivery on a case that the backup does not have', () => {
  let id: number;
  beforeEach(() => {
    id = deliver(b, daysAgo(0));
    gone.set(b, 'not_found');
    takeBack(a, daysAgo(1));
    cache.values.set(restoredToValue, daysAgo(1));
  });
  const isSettled = () =>
    cache.cases.older.taken().length === 0 && cache.values.get(restoredToValue) === null;

  it('needs the user, and the cases are settled', async () => {
    await readBack();
    expect(disputed()).toEqual([[id, 'server_case_gone']]);
    expect(work.outbox.rows.get(id).problem?.params).toEqual({ status: 404 });
    expect(isSettled()).toBe(true);
  });

  it('is not in doubt while the case was not read again, which is repeated', async () => {
    cache.cases.markGone(b, 'not_found', nowMs);
    unreadable.add(b);
    await readBack();
    expect([disputed(), isSettled()]).toEqual([[], false]);
    unreadable.clear();
    await readBack();
    expect([disputed(), isSettled()]).toEqual([[[id, 'server_case_gone']], true]);
  });

  it('is not in doubt if the case is there with the value', async () => {
    gone.clear();
    cache.cases.upsert([record(b, daysAgo(0), 'mine')]);
    await readBack();
    expect([disputed(), isSettled()]).toEqual([[], true]);
  });

  it('is not in doubt if the partner only forbids it', async () => {
    gone.set(b, 'forbidden');
    await readBack();
    expect([disputed(), isSettled()]).toEqual([[], true]);
  });
});

it('a delivery on a case that is missing is not in doubt if it is older than the backup', async () => {
  deliver(b, daysAgo(11));
  gone.set(b, 'not_found');
  takeBack(a, daysAgo(10));
  await readBack();
  expect([disputed(), cache.cases.older.taken()]).toEqual([[], []]);
});

it('ten cases with news are read one by one, and more by a pull', async () => {
  const ids = Array.from({ length: 11 }, (_, number) => sampleCase(number).id);
  await readBack(ids.slice(1));
  expect(asked).toEqual({ cases: ids.slice(1), pulls: 0 });
  await readBack(ids);
  expect(asked).toEqual({ cases: ids.slice(1), pulls: 1 });
});
