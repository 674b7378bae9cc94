import { setImmediate } from 'node:timers/promises';
import SQLite from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { addDays, zurichDay } from '#shared/lib/zurich-day.ts';
import { DeskError, type DeskProblem } from '#shared/desk/contract/errors.ts';
import { nothingFetched } from '#main/engine/sync/fetch-documents.ts';
import { lastRescanValue } from '#main/engine/sync/pull.ts';
import { refusal } from '../../../support/partner/faulty-line.ts';
import { TestDesk } from '../support/test-desk.ts';

const hourMs = 60 * 60_000;
let desk: TestDesk;
/** The unexpected errors that were logged. */
let faults: unknown[];
beforeEach(async () => {
  faults = [];
  desk = new TestDesk();
  desk.log = { error: (fields) => faults.push(fields) };
  await desk.start();
});
afterEach(() => desk.remove());

const asked = (operation: string) => desk.partner.requests.filter((one) => one === operation);
const failAll = (...operations: string[]) => {
  desk.partner.fault = (operation) => (operations.includes(operation) ? 'refused' : 'none');
};
/** A case of this status whose inspection is in so many days, with a document of each name. */
const addCase = (status: string, days: number, ...names: string[]) => {
  const inspectionDate = addDays(zurichDay(desk.clock.now()), days);
  const { id } = desk.partner.addCase({ status, payloadJson: JSON.stringify({ inspectionDate }) });
  for (const name of names) desk.partner.addDocument(id, name, name);
  return id;
};
const addDue = (...names: string[]) => addCase('InProgress', 1, ...names);
const contents = (caseId: string) =>
  desk.cache.documents.list(caseId).items.map(({ blobId }) => blobId !== null);
const announced = () =>
  desk.events.flatMap((event) => (event.type === 'sync.changed' ? [event.status] : []));

describe('a round', () => {
  it('has what it did, and what is left', async () => {
    const counters = { requests: 7, throttled: 3 };
    await desk.restartWith(() => ({ counters }));
    const ids = [1, 2, 3].map(() => addDue('a.txt'));
    desk.queueComment(ids[0] ?? '', 'mine');
    desk.queueAmounts(desk.partner.addCase({ status: 'Assigned' }).id, 1);
    const refused = desk.queueAmounts(ids[1] ?? '', 1);
    desk.partner.fault = (operation) => {
      counters.requests += 1;
      if (operation === 'X4') throw refusal('forbidden', 403);
      if (operation === 'X6') counters.throttled += 1;
      return 'none';
    };
    const result = await desk.sync.run({ documents: 'due' });
    expect(result).toMatchObject({ pulled: 4, delivered: 1, documents: 3, waiting: 1 });
    expect(result).toMatchObject({ attention: 1, incomplete: null, fault: null });
    expect(result.requests).toBe(desk.partner.requests.length);
    expect([result.throttled, asked('X6').length]).toEqual([4, 4]);
    expect(desk.work.outbox.rows.get(refused).state).toBe('attention');
    expect(desk.sync.hasRead).toBe(true);
  });

  it('that can read no list still delivers, and says that the list is not read', async () => {
    const { id } = desk.partner.addCase();
    await desk.sync.pull();
    const row = desk.queueComment(id, 'mine');
    desk.partner.fault = (operation) => (operation === 'X1' ? 'busy' : 'none');
    const { delivered, incomplete } = await desk.sync.run({ documents: 'none' });
    expect([delivered, incomplete?.code]).toEqual([1, 'server_failed']);
    expect(desk.work.outbox.rows.get(row).state).toBe('delivered');
    expect(desk.sync.status()).toMatchObject({
      network: 'online',
      problem: { code: 'server_failed' },
    });
    expect(desk.sync.ledger()).toEqual([]);
  });

  it('that can read no list and has nothing to deliver fails', async () => {
    desk.partner.fault = (operation) => (operation === 'X1' ? 'busy' : 'none');
    await expect(desk.sync.run({ documents: 'none' })).rejects.toMatchObject({
      code: 'server_failed',
    });
    expect(desk.sync.hasRead).toBe(false);
    // The next one is not held up by it.
    desk.partner.fault = () => 'none';
    expect(await desk.sync.run({ documents: 'none' })).toMatchObject({ incomplete: null });
  });

  it('that reaches nobody says so, and since when', async () => {
    failAll('X1');
    const before = new Date(desk.clock.now()).toISOString();
    await expect(desk.sync.run({ documents: 'none' })).rejects.toThrow('connection_refused');
    const { network, offlineSince } = desk.sync.status();
    expect(network).toBe('offline');
    expect(Date.parse(offlineSince ?? '')).toBeGreaterThanOrEqual(Date.parse(before));
    desk.clock.skip(hourMs);
    await expect(desk.sync.run({ documents: 'none' })).rejects.toThrow('connection_refused');
    expect(desk.sync.status().offlineSince).toBe(offlineSince);
  });

  it('runs after the one before it', async () => {
    desk.partner.addCase();
    const phases: string[] = [];
    desk.partner.fault = (operation) => {
      phases.push(operation);
      return 'none';
    };
    const rounds = [1, 2].map(() => desk.sync.run({ documents: 'none' }));
    const [first, second] = await Promise.all(rounds);
    expect([first?.pulled, second?.pulled]).toEqual([1, 1]);
    // Each reads two pages, of which the second is empty.
    expect(phases).toEqual(['X1', 'X1', 'X1', 'X1']);
  });

  it('has the problem of a list that is not whole, and of documents that are not here', async () => {
    addDue('a.txt');
    desk.partner.distort = (operation, value) => {
      if (operation === 'X7') throw refusal('forbidden', 403);
      return value;
    };
    const run = () => desk.sync.run({ documents: 'all' });
    expect((await run()).incomplete?.code).toBe('server_refused');
    desk.partner.distort = (operation, value) =>
      operation === 'X1' ? { ...value, total: 9 } : value;
    expect((await run()).incomplete?.code).toBe('list_incomplete');
  });

  it('that reads a list that is not whole does not count as one that read it', async () => {
    desk.partner.addCase();
    desk.partner.distort = (operation, value) =>
      operation === 'X1' ? { ...value, total: 9 } : value;
    await desk.sync.run({ documents: 'none' });
    expect([desk.sync.hasRead, desk.sync.status().lastSyncedAt]).toEqual([false, null]);
    desk.partner.distort = (_operation, value) => value;
    await desk.sync.run({ documents: 'none' });
    expect(desk.sync.hasRead).toBe(true);
  });

  it('tries at once what waits for its time', async () => {
    const id = desk.queueComment(desk.partner.addCase().id, 'mine');
    const busy: DeskProblem = { code: 'server_failed', params: { status: 500 } };
    const notBeforeMs = desk.clock.now() + hourMs;
    desk.work.outbox.deliveries.fail(id, 'postpone', busy, { notBeforeMs });
    expect(await desk.sync.run({ documents: 'none' })).toMatchObject({ delivered: 1, waiting: 0 });
  });

  it('reads what became of the reports, unless nothing is reached', async () => {
    const { id } = desk.partner.addCase();
    await desk.queueReport(id, 'r', [{ name: 'a.txt', content: 'a' }]);
    const run = () => desk.sync.run({ documents: 'none' });
    await run();
    const reports = () => desk.cache.reports.list(id).map(({ status }) => status);
    expect(reports()).toEqual(['Submitted']);
    for (const submission of desk.partner.submissions) submission.status = 'Returned';
    desk.partner.change(id, { status: 'AdminReturned' });
    await desk.sync.pull();
    desk.queueComment(desk.partner.addCase().id, 'mine');
    desk.partner.fault = () => 'refused';
    desk.partner.requests.length = 0;
    await run().catch(() => undefined);
    expect([reports(), asked('X10')]).toEqual([['Submitted'], []]);
    desk.partner.fault = () => 'none';
    await run();
    expect(reports()).toEqual(['Returned']);
  });

  it('that loses the network after a list that failed says that nothing is reached', async () => {
    desk.queueComment(desk.partner.addCase().id, 'mine');
    let isDelivering = false;
    desk.partner.fault = (operation) => {
      isDelivering ||= operation !== 'X1';
      return isDelivering ? 'refused' : 'busy';
    };
    await expect(desk.sync.run({ documents: 'none' })).rejects.toThrow('server_failed');
    expect(desk.sync.status()).toMatchObject({
      network: 'offline',
      problem: { code: 'connection_refused' },
    });
  });
});

describe('the reading of the list', () => {
  it('is one for all who ask meanwhile, and a new one for who asks anew', async () => {
    desk.partner.addCase();
    const both = [desk.sync.pull(), desk.sync.pull()];
    expect(await Promise.all(both)).toEqual([1, 1]);
    expect(asked('X1')).toHaveLength(2);
    await Promise.all([desk.sync.pull(), desk.sync.pullAnew()]);
    expect(asked('X1')).toHaveLength(6);
  });

  it('is new although the running one fails, whose caller alone gets the failure', async () => {
    desk.partner.addCase();
    let requests = 0;
    desk.partner.fault = () => (++requests === 1 ? 'refused' : 'none');
    const [first, second] = await Promise.allSettled([desk.sync.pull(), desk.sync.pullAnew()]);
    expect(first).toMatchObject({ reason: { code: 'connection_refused' } });
    expect(second).toMatchObject({ value: 1 });
    expect(desk.sync.status()).toMatchObject({ network: 'online', problem: null });
  });

  it('shows how far it is, and each case that changed', async () => {
    const ids = [1, 2, 3].map(() => desk.partner.addCase().id);
    await desk.sync.pull();
    desk.partner.pageSizeMax = 2;
    for (const id of ids) desk.partner.change(id, { expertComment: 'new' });
    desk.events.length = 0;
    await desk.sync.pull();
    const changed = desk.events.flatMap((event) =>
      event.type === 'cases.changed' ? [event.caseIds] : [],
    );
    expect(changed).toEqual([ids.slice(0, 2), ids.slice(2)]);
    const shown = announced().map(({ phase, pulled, pullTotal }) => [phase, pulled, pullTotal]);
    expect(shown[0]).toEqual(['pulling', 3, 3]);
    expect(shown).toContainEqual(['pulling', 2, 3]);
    expect(shown.at(-1)).toEqual(['idle', 3, 3]);
    failAll('X1');
    await desk.sync.pull().catch(() => undefined);
    expect(desk.sync.status()).toMatchObject({ pulled: 0, pullTotal: null });
  });

  it('of everything is due a day after the last, and at first the first reading is one', async () => {
    const { id } = desk.partner.addCase();
    const lastMs = () => desk.cache.values.get(lastRescanValue);
    await desk.sync.rescanIfDue();
    expect([lastMs(), asked('X1').length]).toEqual([desk.clock.now(), 0]);
    await desk.sync.pull();
    desk.clock.skip(23 * hourMs);
    desk.partner.requests.length = 0;
    await desk.sync.rescanIfDue();
    expect(asked('X1')).toEqual([]);
    desk.clock.skip(hourMs + 1);
    const record = desk.partner.cases.get(id);
    if (record) desk.partner.cases.set(id, { ...record, expertComment: 'missed' });
    for (let count = 0; count < 3; count += 1) {
      desk.partner.addCase();
      desk.clock.skip(10 * 60_000);
    }
    const before = lastMs();
    failAll('X1');
    await expect(desk.sync.rescanIfDue()).rejects.toThrow('connection_refused');
    expect(lastMs()).toBe(before);
    failAll();
    await desk.sync.rescanIfDue();
    expect(desk.cache.cases.find(id)?.expertComment).toBe('missed');
    expect(lastMs()).toBe(desk.clock.now());
  });
});

it('a case that the user opens may have work that is due now', async () => {
  const { id } = desk.partner.addCase({ status: 'Assigned' });
  await desk.sync.pull();
  desk.queueComment(id, 'mine');
  desk.partner.change(id, { status: 'Accepted' });
  const deliverDue = vi.spyOn(desk.sync.delivery, 'deliverDue');
  await desk.sync.readCase(id, 'background');
  expect(deliverDue).not.toHaveBeenCalled();
  await desk.sync.readCase(id, 'person');
  expect(deliverDue).toHaveBeenCalledTimes(1);
});

describe('the documents in the background', () => {
  it('are fetched once for all who ask for the same or less', async () => {
    const id = addDue('a.txt', 'b.txt');
    await desk.sync.pull();
    const due = await Promise.all([desk.sync.fetch('due'), desk.sync.fetch('due')]);
    expect(due.map(({ documents }) => documents)).toEqual([2, 2]);
    desk.partner.addDocument(id, 'c.txt', 'c');
    await desk.sync.pull();
    const all = await Promise.all([desk.sync.fetch('all'), desk.sync.fetch('due')]);
    expect(all.map(({ documents }) => documents)).toEqual([1, 1]);
    expect(asked('X7')).toHaveLength(3);
    expect(desk.sync.status()).toMatchObject({ fetched: 0, fetchTotal: 0, phase: 'idle' });
  });

  it('are left to the one who asks for more, and nobody who waits for them gets a failure', async () => {
    const due = addDue('a.txt', 'b.txt');
    const other = addCase('Final', 30, 'c.txt');
    await desk.sync.pull();
    const waiting = [desk.sync.fetch('due'), desk.sync.fetch('due')];
    const all = desk.sync.fetch('all');
    expect(await Promise.all(waiting)).toEqual([nothingFetched, nothingFetched]);
    // The one that was stopped has not ended the other.
    expect(desk.sync.status().phase).toBe('fetching');
    const both = await Promise.all([all, desk.sync.fetch('due')]);
    expect(both.map(({ documents }) => documents)).toEqual([3, 3]);
    expect([...contents(due), ...contents(other)]).toEqual([true, true, true]);
    expect(desk.sync.status()).toMatchObject({ network: 'online', problem: null, fetchTotal: 0 });
    expect(faults).toEqual([]);
  });

  it('are left to a user who waits for some, and can be fetched again meanwhile', async () => {
    const id = addDue('a.txt');
    const other = addDue('b.txt');
    await desk.sync.pull();
    const first = desk.sync.fetch('all');
    const report = { onProgress: vi.fn(), onSkip: vi.fn() };
    const asking = desk.sync.fetchCases([id], report);
    // The one that was stopped has not ended yet.
    const second = desk.sync.fetch('all');
    expect(await first).toEqual(nothingFetched);
    await asking;
    expect(contents(id)).toEqual([true]);
    expect((await second).problem).toBeNull();
    expect(contents(other)).toEqual([true]);
    expect(report.onProgress).toHaveBeenLastCalledWith(
      expect.objectContaining({ done: 1, total: 1 }),
    );
    expect(report.onSkip).not.toHaveBeenCalled();
    expect(faults).toEqual([]);
    expect(desk.sync.status()).toMatchObject({ problem: null, phase: 'idle', fetchTotal: 0 });
  });

  it('that cannot be reached are a failure of the fetch, and the next one begins anew', async () => {
    const id = addDue('a.txt');
    await desk.sync.pull();
    failAll('X6');
    await expect(desk.sync.fetch('due')).rejects.toThrow('connection_refused');
    expect(desk.sync.status()).toMatchObject({ network: 'offline', fetchTotal: 0 });
    const report = { onProgress: () => undefined, onSkip: () => undefined };
    desk.sync.state.reached();
    await expect(desk.sync.fetchCases([id], report)).rejects.toThrow('connection_refused');
    expect(desk.sync.status()).toMatchObject({ network: 'offline', phase: 'idle' });
    failAll();
    expect(await desk.sync.fetch('due')).toEqual({ documents: 1, problem: null });
    expect(desk.sync.status().network).toBe('online');
  });

  it.each([
    ['none', []],
    ['due', ['a.txt']],
    ['all', ['a.txt', 'b.txt']],
  ] as const)('are those that the rule says: %s', async (keep, names) => {
    addDue('a.txt');
    addCase('Final', 30, 'b.txt');
    desk.rule = { ...desk.rule, keep };
    await desk.sync.pull();
    desk.events.length = 0;
    await desk.sync.fetchOffline();
    expect(asked('X7')).toHaveLength(names.length);
    const told = desk.events.filter(({ type }) => type === 'documents.changed');
    // The list and the content of each.
    expect(told).toHaveLength(2 * names.length);
  });

  it('show how far they are', async () => {
    addDue('a.txt');
    addDue('b.txt');
    await desk.sync.pull();
    desk.events.length = 0;
    await desk.sync.fetch('due');
    const shown = announced().filter(({ phase }) => phase === 'fetching');
    expect(shown.map(({ fetched, fetchTotal }) => [fetched, fetchTotal])).toContainEqual([1, 2]);
  });
});

describe('a failure', () => {
  it('that may concern one case only is no failure of the network', () => {
    desk.sync.noteUnreached(refusal('not_found', 404));
    desk.sync.noteUnreached(new DeskError('server_failed', { status: 500 }));
    expect(desk.sync.status()).toMatchObject({ network: 'unknown', problem: null });
    desk.sync.noteUnreached(new DeskError('timeout', { host: 'h' }));
    expect(desk.sync.status()).toMatchObject({ network: 'offline', problem: { code: 'timeout' } });
    desk.sync.state.reached();
    desk.sync.noteUnreached(new DeskError('offline', { host: 'h' }));
    expect(desk.sync.status().network).toBe('offline');
  });

  it('is over once something was delivered', async () => {
    desk.queueComment(desk.partner.addCase().id, 'mine');
    desk.sync.noteFailure(new DeskError('timeout', { host: 'h' }));
    expect(await desk.sync.delivery.deliver()).toMatchObject({ delivered: 1 });
    expect(desk.sync.status()).toMatchObject({ network: 'online', offlineSince: null });
  });

  it('of a database that is damaged is told, whoever asked', async () => {
    desk.partner.addCase();
    const damaged = vi.fn();
    desk.onDamage = damaged;
    vi.spyOn(desk.cache.cases, 'upsert').mockImplementation(() => {
      throw new SQLite.SqliteError('a damaged page', 'SQLITE_CORRUPT');
    });
    await expect(desk.sync.pull()).rejects.toThrow('a damaged page');
    expect(damaged).toHaveBeenCalled();
  });

  it('of the partner is shown, and the network is there', () => {
    desk.sync.noteFailure(new DeskError('server_failed', { status: 500 }));
    expect(desk.sync.status()).toMatchObject({ network: 'online', offlineSince: null });
    expect(desk.sync.status().problem?.code).toBe('server_failed');
  });
});

describe('the end of the sync', () => {
  it('waits for what runs, and is no failure', async () => {
    addDue('a.txt');
    await desk.sync.pull();
    const running = [desk.sync.pull(), desk.sync.fetch('due'), desk.sync.fetch('all')];
    const ends = Promise.allSettled(running);
    let hasEnded = false;
    void ends.then(() => (hasEnded = true));
    await desk.sync.close();
    await setImmediate();
    expect(hasEnded).toBe(true);
    expect((await ends).map(({ status }) => status)).toEqual(running.map(() => 'rejected'));
    expect(desk.sync.status()).toMatchObject({ network: 'online', problem: null });
    expect(faults).toEqual([]);
  });

  it('ends a round without another request', async () => {
    const { id } = desk.partner.addCase();
    await desk.sync.pull();
    desk.queueComment(id, 'mine');
    const ended = Promise.allSettled([desk.sync.run({ documents: 'none' })]);
    await desk.sync.close();
    expect(await ended).toMatchObject([{ reason: { code: 'connection_lost' } }]);
    expect(asked('X3')).toEqual([]);
    expect(faults).toEqual([]);
  });
});
