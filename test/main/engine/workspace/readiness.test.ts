import { afterEach, beforeEach, expect, it } from 'vitest';
import { Readiness } from '#main/engine/workspace/readiness.ts';
import { addDays, zurichDay } from '#shared/lib/zurich-day.ts';
import { TestDesk } from '../support/test-desk.ts';
import { faultLog } from '../../../support/fault-log.ts';

let desk: TestDesk;
let readiness: Readiness;
let days: { from: string; to: string };
beforeEach(async () => {
  desk = await TestDesk.open();
  const { cache, files, sync, clock } = desk;
  readiness = new Readiness({
    cache,
    cacheFiles: files,
    sync,
    clock,
    log: faultLog,
    emit: () => undefined,
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
  expect(await readiness.check(days)).toMatchObject({ complete: 1, offlineSince: null });
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
