import { afterEach, beforeEach, expect, it } from 'vitest';
import { type FetchProgress, FetchTracker } from '#main/engine/sync/fetch-tracker.ts';
import { TestDesk } from '../support/test-desk.ts';

let desk: TestDesk;
let reports: FetchProgress[];
/** How long the limits delay the next request (ms). */
let slotMs: number;
beforeEach(async () => {
  desk = await TestDesk.open();
  reports = [];
  slotMs = 0;
});
afterEach(() => desk.remove());

/** Adds cases to the cache. @returns their ids */
async function addCases(count: number): Promise<string[]> {
  const ids = Array.from({ length: count }, () => desk.partner.addCase().id);
  await desk.sync.pull();
  return ids;
}

/** Stores the list of a case with this number of documents. */
function list(caseId: string, count: number): void {
  const documents = Array.from({ length: count }, (_, index) => ({
    id: `${caseId} ${index}`,
    fileName: 'a.txt',
    contentType: 'text/plain',
    sizeBytes: 1,
    createdAt: '',
  }));
  desk.cache.documents.replaceList(caseId, documents, { listedAt: 'x', lastChangedAt: 'x' });
}

/** @param stale the cases whose lists are read, before those that have theirs */
const track = (
  stale: readonly string[],
  fresh: readonly string[] = [],
  readsListsFirst?: boolean,
) =>
  new FetchTracker(
    {
      cache: desk.cache,
      client: { slotInMs: (bucket) => (bucket === 'documents' ? slotMs : Number.NaN) },
      clock: desk.clock,
      onProgress: (progress) => reports.push(progress),
    },
    [
      ...stale.map((caseId) => ({ caseId, listIsStale: true })),
      ...fresh.map((caseId) => ({ caseId, listIsStale: false })),
    ],
    readsListsFirst,
  );
const last = () => reports.at(-1);
/** A request that takes this time after its wait for the limits. */
const taking = (ms: number, then: () => void = () => undefined) => {
  const waitMs = slotMs;
  return () => {
    desk.clock.skip(waitMs + ms);
    then();
    return Promise.resolve();
  };
};

it('a fetch whose lists are known has a request for each missing document', async () => {
  const [first = '', second = ''] = await addCases(2);
  list(first, 2);
  list(second, 1);
  const progress = track([], [first, second]);
  const start = { done: 0, total: 2, lists: null, sent: 0 };
  expect(reports).toEqual([{ ...start, plan: { requests: 3, paceMs: 0, isEstimate: false } }]);
  slotMs = 5000;
  await progress.content(taking(300));
  expect(last()).toMatchObject({ sent: 1, plan: { requests: 2, paceMs: 600 } });
  await progress.content(taking(100));
  expect(last()).toMatchObject({ sent: 2, plan: { requests: 1, paceMs: 200 } });
  progress.finishCase();
  expect(last()).toMatchObject({ done: 1, total: 2 });
  progress.skipContent();
  expect(last()).toMatchObject({ sent: 2, plan: { requests: 0, paceMs: 0 } });
  progress.finishCase();
  expect(last()).toMatchObject({ done: 2, total: 2 });
  expect(reports).toHaveLength(6);
});

it('a request that is sent sooner than the limits announced took no time', async () => {
  const [caseId = ''] = await addCases(1);
  list(caseId, 2);
  const progress = track([], [caseId]);
  slotMs = 1000;
  await progress.content(() => Promise.resolve());
  expect(last()?.plan).toMatchObject({ requests: 1, paceMs: 0 });
});

it('a document that could not be downloaded is over as well', async () => {
  const [caseId = ''] = await addCases(1);
  list(caseId, 2);
  const progress = track([], [caseId]);
  const download = progress.content(() => {
    desk.clock.skip(400);
    return Promise.reject(new Error('broken'));
  });
  await expect(download).rejects.toThrow('broken');
  expect(last()).toMatchObject({ sent: 1, plan: { requests: 1, paceMs: 400 } });
});

it('lists that were never read have as many documents as those that were', async () => {
  const [first = '', second = '', third = ''] = await addCases(3);
  const progress = track([first, second, third]);
  // Nothing was ever read, so nobody knows.
  expect(last()).toMatchObject({ total: 3, lists: null, sent: 0, plan: null });
  await progress.list(
    first,
    taking(100, () => list(first, 4)),
  );
  // Four that are known, and two lists with four each.
  expect(last()).toMatchObject({
    sent: 1,
    lists: null,
    plan: { requests: 4 + 2 + 8, paceMs: 200, isEstimate: true },
  });
  await progress.list(
    second,
    taking(100, () => list(second, 2)),
  );
  expect(last()?.plan).toMatchObject({ requests: 6 + 1 + 3 });
  await progress.list(
    third,
    taking(100, () => list(third, 0)),
  );
  expect(last()?.plan).toEqual({ requests: 6, paceMs: 0, isEstimate: false });
});

it('a list that is read again is no sample, and counts what it adds', async () => {
  const [known = '', old = ''] = await addCases(2);
  list(known, 2);
  list(old, 3);
  const progress = track([old], [known]);
  expect(last()?.plan).toMatchObject({ requests: 2 + 3 + 1, isEstimate: true });
  await progress.list(
    old,
    taking(0, () => list(old, 5)),
  );
  expect(last()?.plan).toEqual({ requests: 2 + 5, paceMs: 0, isEstimate: false });
});

it('a list that is read again says nothing about those that were never read', async () => {
  const [known = '', old = '', never = ''] = await addCases(3);
  list(known, 2);
  list(old, 2);
  const progress = track([old, never], [known]);
  expect(last()?.plan?.requests).toBe(4 + 2 + 2);
  await progress.list(
    old,
    taking(0, () => list(old, 20)),
  );
  expect(last()?.plan?.requests).toBe(22 + 1 + 2);
});

it('a list that could not be read is over, and no sample', async () => {
  const [known = '', first = '', second = ''] = await addCases(3);
  list(known, 10);
  const progress = track([first, second], [known]);
  expect(last()?.plan?.requests).toBe(10 + 2 + 20);
  await expect(progress.list(first, () => Promise.reject(new Error('broken')))).rejects.toThrow(
    'broken',
  );
  expect(last()).toMatchObject({ sent: 1, plan: { requests: 10 + 1 + 10, isEstimate: true } });
});

it('lists that are read before the first document are counted, until the last one', async () => {
  const [known = '', first = '', second = ''] = await addCases(3);
  list(known, 1);
  const progress = track([first, second], [known], true);
  expect(last()?.lists).toEqual({ done: 0, total: 2 });
  await progress.list(
    first,
    taking(0, () => list(first, 1)),
  );
  expect(last()?.lists).toEqual({ done: 1, total: 2 });
  await progress.list(
    second,
    taking(0, () => list(second, 1)),
  );
  expect(last()?.lists).toBeNull();
});

it('nobody needs to follow it', async () => {
  const [caseId = ''] = await addCases(1);
  const { cache, clock } = desk;
  const progress = new FetchTracker({ cache, clock, client: { slotInMs: () => 0 } }, [
    { caseId, listIsStale: true },
  ]);
  progress.finishCase();
  expect(reports).toEqual([]);
});
