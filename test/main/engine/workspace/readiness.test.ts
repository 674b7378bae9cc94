import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { DeskEvent } from '#shared/desk/contract/events.ts';
import { noFindings } from '#main/partner/pull/pull-store.ts';
import { Readiness } from '#main/engine/workspace/readiness.ts';
import { addDays, zurichDay } from '#shared/lib/zurich-day.ts';
import { TestDesk } from '../support/test-desk.ts';
import { faultLog } from '../../../support/fault-log.ts';

let desk: TestDesk;
let readiness: Readiness;
let days: { from: string; to: string };
let emitted: DeskEvent[];
let logged: unknown[];
beforeEach(async () => {
  desk = await TestDesk.open();
  emitted = [];
  logged = [];
  const { cache, files, sync, clock } = desk;
  readiness = new Readiness({
    cache,
    cacheFiles: files,
    sync,
    clock,
    log: { error: (fields) => logged.push(fields) },
    emit: (event) => emitted.push(event),
  });
  const from = zurichDay(clock.now());
  days = { from, to: addDays(from, 1) };
});
afterEach(() => desk.remove());

const addInspection = (day: string) =>
  desk.partner.addCase({ payloadJson: JSON.stringify({ inspectionDate: day }) });

it('syncs first, and covers every case of the days', async () => {
  for (let index = 0; index < 60; index += 1) addInspection(days.from);
  await desk.sync.pull();
  expect(readiness.view(days)).toMatchObject({ cases: 60, complete: 0, checkedAt: null });
  addInspection(days.to);
  addInspection(addDays(days.to, 1));
  expect(await readiness.check(days)).toMatchObject({
    cases: 61,
    complete: 61,
    missing: [],
    problem: null,
    checkedAt: new Date(desk.clock.now()).toISOString(),
  });
  const beyond = { from: days.from, to: addDays(days.to, 1) };
  expect(readiness.view(beyond)).toMatchObject({ cases: 62, complete: 61, checkedAt: null });
});

it('knows when the next days were checked after days that come later were', async () => {
  const { checkedAt } = await readiness.check(days);
  const later = addDays(days.from, 30);
  await readiness.check({ from: later, to: later });
  expect(readiness.view(days).checkedAt).toBe(checkedAt);
});

it('does not call checked what it could not reach, and returns since when', async () => {
  addInspection(days.from);
  await desk.sync.pull();
  desk.partner.fault = () => 'refused';
  const found = await readiness.check(days);
  expect(found).toMatchObject({
    checkedAt: null,
    complete: 0,
    problem: { code: 'connection_refused' },
  });
  expect(Date.parse(found.offlineSince ?? '')).toBeGreaterThan(0);
  expect(desk.sync.status().network).toBe('offline');
  desk.partner.fault = () => 'none';
  expect(await readiness.check(days)).toMatchObject({
    complete: 1,
    offlineSince: null,
    problem: null,
    verdict: 'complete',
  });
});

it('makes one check of the same days for all who ask, and one after the other of different ones', async () => {
  const { from, to } = days;
  const asked = [days, days, { from, to: addDays(to, 1) }, { from: to, to }];
  const checks = asked.map((each) => readiness.check(each));
  expect(readiness.view(days).checking).toBe(true);
  expect(await Promise.all(checks)).toMatchObject(asked);
  expect(readiness.view(days)).toMatchObject({ ...days, checking: false });
  // A check of days without cases reports its beginning and its end.
  const begin = { type: 'task.progress', task: 'ready', done: 0, total: 0 };
  expect(emitted.filter((event) => 'total' in event && event.total === 0)).toEqual(
    Array.from({ length: 6 }, () => begin),
  );
});

it('ends a check with a fault of the program as one, and the next is not hindered', async () => {
  vi.spyOn(desk.sync, 'pullAnew').mockRejectedValueOnce(new TypeError('a fault'));
  await expect(readiness.check(days)).rejects.toThrow('a fault');
  expect(logged).toMatchObject([{ where: 'day.makeReady' }]);
  expect(readiness.view(days)).toMatchObject({ checking: false, checkedAt: null, problem: null });
  expect(await readiness.check(days)).toMatchObject({ verdict: 'none' });
});

it('fetches what was lost since, and nothing that is here', async () => {
  const { id, externalKey } = addInspection(days.from);
  desk.partner.addDocument(id, 'a.txt', 'a');
  desk.partner.addDocument(id, 'b.txt', 'b');
  expect(await readiness.check(days)).toMatchObject({ complete: 1, documents: 2 });
  const [first] = desk.cache.documents.list(id).items;
  await desk.files.delete(first?.blobId ?? '');
  const missing = { id, externalKey, partyName: '', documents: ['a.txt'], problem: null };
  const lost = { cases: 1, complete: 0, documents: 0, missing: [missing] };
  expect(readiness.view(days)).toMatchObject({ ...lost, verdict: 'missing' });
  desk.cache.documents.setBlob(id, first?.id ?? '', null);
  expect(readiness.view(days)).toMatchObject(lost);
  desk.partner.requests.length = 0;
  expect(await readiness.check(days)).toMatchObject({ complete: 1, documents: 2, missing: [] });
  expect(desk.partner.requests.filter((operation) => operation !== 'X1')).toEqual(['X7']);
});

it('forgets why a document was not fetched when a later check does not come so far', async () => {
  const { id } = addInspection(days.from);
  desk.partner.addDocument(id, 'a.txt', 'a');
  desk.partner.fault = (operation) => (operation === 'X6' ? 'busy' : 'none');
  const { missing } = await readiness.check(days);
  expect(missing).toMatchObject([{ problem: { code: 'server_failed' } }]);
  desk.partner.fault = () => 'refused';
  expect((await readiness.check(days)).missing).toMatchObject([{ problem: null }]);
});

it('says the earliest check of all days, and forgets those of days that are over for a week', async () => {
  const { from, to } = days;
  const { checkedAt } = await readiness.check({ from: to, to });
  desk.clock.skip(60_000);
  await readiness.check({ from, to: from });
  expect(readiness.view(days).checkedAt).toBe(checkedAt);
  expect(readiness.view({ from: to, to: from }).checkedAt).toBeNull();
  desk.clock.skip(7 * 86_400_000);
  const week = addDays(from, 7);
  await readiness.check({ from: week, to: week });
  expect(readiness.view(days).checkedAt).toBe(checkedAt);
  desk.clock.skip(86_400_000);
  await readiness.check({ from: week, to: week });
  expect(readiness.view({ from, to: from }).checkedAt).toBeNull();
  expect(readiness.view({ from: to, to }).checkedAt).toBe(checkedAt);
});

it('notes no more than two months of days', async () => {
  await readiness.check({ from: days.from, to: addDays(days.from, 62) });
  const isChecked = (ahead: number) => {
    const day = addDays(days.from, ahead);
    return readiness.view({ from: day, to: day }).checkedAt !== null;
  };
  expect([61, 62].map(isChecked)).toEqual([true, false]);
});

it('does not know whether all is here after the list was not read to its end', () => {
  const incomplete = { reason: 'repeats', seen: 1, total: 2 } as const;
  desk.cache.values.set(
    {
      name: 'pull-findings',
      parse: () => noFindings,
      format: (findings) => JSON.stringify(findings),
    },
    { ...noFindings, incomplete },
  );
  expect(readiness.view(days)).toMatchObject({
    verdict: 'notKnown',
    listProblem: { code: 'list_incomplete', params: incomplete },
  });
});

it('does not know whether all is here while a listed case cannot be read', async () => {
  addInspection(days.from);
  const broken = { id: 'broken', place: 'PayloadJson', json: null };
  desk.partner.distort = (operation, value) =>
    operation === 'X1' ? { ...value, total: 2, unreadable: [broken] } : value;
  expect(await readiness.check(days)).toMatchObject({
    checkedAt: null,
    listProblem: { code: 'records_unreadable', params: { id: 'broken', place: 'PayloadJson' } },
  });
});

it('names what is missing and why, and takes back what changed since', async () => {
  const good = addInspection(days.from);
  const bad = addInspection(days.from);
  await desk.sync.pull();
  let lists = 0;
  desk.partner.fault = (operation) => (operation === 'X6' && ++lists === 1 ? 'busy' : 'none');
  const found = await readiness.check(days);
  expect(found).toMatchObject({ cases: 2, complete: 1 });
  expect(found.missing).toMatchObject([{ documents: null, problem: { code: 'server_failed' } }]);
  expect((await readiness.check(days)).missing).toEqual([]);
  desk.partner.change(good.id, { expertComment: 'a document came' });
  await desk.sync.pull();
  expect(readiness.view(days).missing.map(({ id }) => id)).toEqual([good.id]);
  desk.cache.documents.replaceList(
    bad.id,
    [{ id: 'd', fileName: 'a.pdf', contentType: 'application/pdf', sizeBytes: 1, createdAt: '' }],
    { listedAt: '2026-01-01', lastChangedAt: desk.cache.cases.find(bad.id)?.lastChangedAt ?? '' },
  );
  // A name without its file is missing, regardless of the cache.
  desk.cache.documents.setBlob(bad.id, 'd', 'lost');
  expect(readiness.view(days).missing.find(({ id }) => id === bad.id)?.documents).toEqual([
    'a.pdf',
  ]);
});

it('counts cases whose number stays the same, as the status bar does, and ends at a time ahead', async () => {
  for (let index = 0; index < 5; index += 1) {
    const { id } = addInspection(days.from);
    for (const name of ['a.txt', 'b.txt', 'c.txt']) desk.partner.addDocument(id, name, name);
  }
  const seen: { done: number; total: number; lists: number; doneAt: string | null }[] = [];
  const { cache, files, sync, clock } = desk;
  const counting = new Readiness({
    cache,
    cacheFiles: files,
    sync,
    clock,
    log: faultLog,
    emit(event) {
      if (event.type !== 'task.progress' || event.total === 0) return;
      const { fetched, fetchTotal, fetchDoneAt, listsRead, listTotal } = sync.status();
      expect([fetched, fetchTotal]).toEqual([event.done, event.total]);
      const lists = listTotal === 0 ? 5 : listsRead;
      seen.push({ done: event.done, total: event.total, lists, doneAt: fetchDoneAt });
      // The first list shows how many documents the others may have.
      if (lists === 0) expect(fetchDoneAt).toBeNull();
      else expect(Date.parse(fetchDoneAt ?? '')).toBeGreaterThanOrEqual(clock.now());
    },
  });
  expect(await counting.check(days)).toMatchObject({ complete: 5, documents: 15 });
  expect(new Set(seen.map(({ total }) => total))).toEqual(new Set([5]));
  const counts = seen.map(({ done }) => done);
  expect(counts).toEqual(counts.toSorted((a, b) => a - b));
  expect(counts.at(-1)).toBe(5);
  // A number moves from the first list on.
  expect(new Set(seen.map(({ lists }) => lists))).toEqual(new Set([0, 1, 2, 3, 4, 5]));
  expect(sync.status()).toMatchObject({ fetched: 0, fetchTotal: 0, fetchDoneAt: null });
});

it('promises no end while what it fetches waits for somebody else', async () => {
  const { id } = addInspection(days.from);
  desk.partner.addDocument(id, 'a.txt', 'a');
  const plan = { requests: 1, paceMs: 0, isEstimate: false };
  const progress = { done: 0, total: 1, lists: null, sent: 0, plan };
  await desk.sync.pull();
  const doneAt = () => desk.sync.status().fetchDoneAt;
  desk.sync.state.showFetch(progress);
  expect(doneAt()).not.toBeNull();
  desk.sync.state.showFetch({ ...progress, plan: { ...plan, requests: 3, paceMs: 180_000 } });
  expect(Date.parse(doneAt() ?? ''), 'at the pace until now').toBe(desk.clock.now() + 180_000);
  desk.sync.state.showFetch({ ...progress, plan: null });
  expect(doneAt()).toBeNull();
  desk.sync.state.showFetch(progress);
  desk.sync.state.paused = true;
  expect(doneAt()).toBeNull();
  desk.sync.state.paused = false;
  desk.sync.state.network = 'offline';
  expect(doneAt()).toBeNull();
});
