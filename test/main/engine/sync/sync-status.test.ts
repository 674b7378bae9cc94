import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  deliveryMs,
  goingRequests,
  readLedger,
  syncStatus,
} from '#main/engine/sync/sync-status.ts';
import type { RowProgress } from '#main/engine/work/outbox-reader.ts';
import { noFindings } from '#main/partner/pull/pull-store.ts';
import type { DeskProblem } from '#shared/desk/contract/errors.ts';
import { noLedger } from '#shared/desk/delivery/ledger-counts.ts';
import type { SyncStatus } from '#shared/desk/delivery/sync.ts';
import { TestDesk } from '../support/test-desk.ts';

let desk: TestDesk;
beforeEach(async () => {
  desk = await TestDesk.open();
});
afterEach(() => desk.remove());

const announced = (): SyncStatus[] =>
  desk.events.flatMap((event) => (event.type === 'sync.changed' ? [event.status] : []));

describe('the status of the sync', () => {
  it('is computed without changing anything, whoever asks', async () => {
    const { id } = desk.partner.addCase();
    await desk.sync.pull();
    await desk.queueReport(id, 'done', [{ name: 'a.txt', content: 'the report' }]);
    const set = vi.spyOn(desk.cache.values, 'set');
    const before = announced().length;
    const status = desk.sync.status();
    expect(status.delivery).toMatchObject({ done: 0, total: 1, goesOut: 1 });
    expect(desk.sync.status()).toEqual(status);
    expect(set).not.toHaveBeenCalled();
    expect(announced()).toHaveLength(before);
  });

  it('is announced once for each change, as it is answered', async () => {
    desk.partner.addCase();
    await desk.sync.pull();
    desk.events.length = 0;
    desk.sync.state.changed();
    expect(announced()).toEqual([desk.sync.status()]);
  });

  it('counts what was delivered until nothing goes out any more, also after a restart', async () => {
    const [first, second] = [desk.partner.addCase().id, desk.partner.addCase().id];
    await desk.sync.pull();
    await desk.queueReport(first, 'one', [
      { name: 'a.txt', content: 'a' },
      { name: 'b.txt', content: 'b' },
    ]);
    await desk.queueReport(second, 'two', [{ name: 'c.txt', content: 'c' }]);
    desk.sync.state.changed();
    expect(announced().at(-1)?.delivery).toMatchObject({ done: 0, total: 2 });
    await desk.restart();
    desk.partner.fault = () => {
      desk.clock.skip(1000);
      return 'none';
    };
    await desk.deliverAll();
    const during = announced().map(({ delivery }) => delivery);
    // One unit: the reports. Their files are in the share alone.
    const counts = during.map(({ done, total }) => `${done} of ${total}`);
    expect(new Set(counts)).toEqual(new Set(['0 of 0', '0 of 2', '1 of 2']));
    const shares = during.filter(({ total }) => total > 0).map(({ share }) => share);
    expect(shares).toEqual(shares.toSorted((a, b) => a - b));
    expect(new Set(shares)).toEqual(new Set([0, 1 / 3, 2 / 3, 1]));
    expect(announced().at(-1)?.delivery).toMatchObject({ done: 0, total: 0 });
  });
});

const nowMs = Date.parse('2026-03-02T08:00:00Z');
const at = (ms: number) => new Date(nowMs + ms).toISOString();
type Facts = Parameters<typeof syncStatus>[0];
const facts: Facts = {
  state: {
    phase: 'idle',
    network: 'online',
    offlineSince: null,
    problem: null,
    paused: false,
    nextSyncAt: null,
    pulled: 0,
    pullTotal: null,
    fetching: null,
  },
  nowMs,
  clock: null,
  damage: null,
  homeNotices: [],
  backupProblem: null,
  unfinished: noLedger(),
  rows: [],
  awaiting: new Set(),
  delivered: { entries: 0, parts: 0 },
  unseen: 0,
  findings: noFindings,
  unreadable: [],
  ahead: { count: 0, externalKey: null },
  lastSyncedMs: null,
  casesOnLaptop: 0,
  changedSinceParameter: 'LastChangedSince',
  pausesMs: { standard: null, documents: null },
  lowered: { standard: null, documents: null },
  nextSlotMs: () => nowMs,
  slotWaitMs: (bucket, requests) => requests * (bucket === 'standard' ? 1000 : 2000),
  deliveryMs: ({ standard, documents, bytes }) => standard * 1000 + documents * 2000 + bytes,
};
/** The status of these facts, with changes of the state. */
const statusOf = (change: Partial<Facts>, state: Partial<Facts['state']> = {}) =>
  syncStatus({ ...facts, ...change, state: { ...facts.state, ...state } });
const rowOf = (change: Partial<RowProgress>): RowProgress => ({
  id: 1,
  caseId: 'a',
  state: 'waiting',
  done: 0,
  total: 1,
  standard: 0,
  documents: 0,
  bytes: 0,
  ...change,
});

describe('the problem of the status', () => {
  it('is that of the user’s work first, then why a round waits or failed, then what is not whole', () => {
    const limited: DeskProblem = { code: 'rate_limited', params: { retryAfterS: 9, until: '' } };
    let change: Partial<Facts> = {
      damage: { code: 'disk_full', params: {} },
      pausesMs: { standard: 5000, documents: null },
      findings: { ...noFindings, incomplete: { reason: 'missing', seen: 1, total: 2 } },
      backupProblem: { code: 'package_damaged', params: {} },
    };
    let problem: DeskProblem | null = { code: 'connection_lost', params: { host: 'h' } };
    const next = (less: Partial<Facts>) => {
      change = { ...change, ...less };
      return statusOf(change, { problem }).problem;
    };
    expect(next({})).toEqual({ code: 'disk_full', params: {} });
    expect(next({ damage: null })).toEqual({
      code: 'rate_limited',
      params: { retryAfterS: 5, until: at(5000) },
    });
    expect(next({ pausesMs: facts.pausesMs })).toEqual(problem);
    // A pause that is over is no problem any more.
    problem = limited;
    const params = { reason: 'missing', seen: 1, total: 2 };
    expect(next({})).toEqual({ code: 'list_incomplete', params });
    expect(next({ findings: noFindings })).toEqual({ code: 'package_damaged', params: {} });
    expect(next({ backupProblem: null })).toBeNull();
  });

  const [report, comment] = [rowOf({ documents: 2 }), rowOf({ standard: 2 })];
  it.each([
    ['idle', [], 7],
    ['pulling', [], 5],
    ['fetching', [], 7],
    ['delivering', [report], 7],
    ['delivering', [comment], 5],
    ['delivering', [comment, report], 7],
    ['delivering', [], null],
  ] as const)('is the longest pause that the phase waits for: %s, %o', (phase, rows, seconds) => {
    const pausesMs = { standard: 5000, documents: 7000 };
    const { problem } = statusOf({ rows, pausesMs }, { phase });
    expect(problem?.params).toEqual(
      seconds === null ? undefined : { retryAfterS: seconds, until: at(seconds * 1000) },
    );
  });
});

it('the notices name what is not as it should be, although nothing failed', () => {
  const limit = { capacity: 3, refillPerMinute: 3.456, untilMs: nowMs };
  const settings: DeskProblem = { code: 'disk_full', params: {} };
  const unreadable = ['a', 'b', 'c', 'd', 'e', 'f'].map((id) => ({ id, place: `place of ${id}` }));
  expect(statusOf({}).notices).toEqual([]);
  const { notices } = statusOf({
    clock: { offsetMs: 60_000, source: 'answer' },
    homeNotices: [settings],
    unreadable,
    findings: { ...noFindings, ignoresSince: true },
    ahead: { count: 2, externalKey: 'K' },
    lowered: { standard: limit, documents: null },
  });
  expect(notices).toEqual([
    settings,
    // Five are named.
    { code: 'records_unreadable', params: { count: 6, id: 'a, b, c, d, e', place: 'place of a' } },
    { code: 'changes_unfiltered', params: { parameter: 'LastChangedSince' } },
    { code: 'case_time_ahead', params: { count: 2, externalKey: 'K' } },
    {
      code: 'limit_lowered',
      params: { bucket: 'standard', perMinute: 3.46, until: at(60_000) },
    },
  ]);
});

describe('the time until the phase ends', () => {
  const plan = { requests: 3, paceMs: 100, isEstimate: true };
  const fetching = { done: 1, total: 4, lists: { done: 2, total: 3 }, sent: 1, plan };
  it.each<[Facts['state']['phase'], Partial<Facts['state']>, number | null]>([
    ['idle', {}, null],
    ['pulling', {}, null],
    ['pulling', { pullTotal: 1000, pulled: 399 }, 4000],
    ['delivering', {}, 7005],
    ['fetching', {}, 0],
    ['fetching', { fetching: { ...fetching, plan: null } }, 0],
    ['fetching', { fetching }, 6000],
  ])('is that of the limits (%s, %o)', (phase, state, ms) => {
    const rows = [
      rowOf({ standard: 1, documents: 3, bytes: 5 }),
      rowOf({ caseId: 'b', standard: 9 }),
    ];
    const going = { rows, awaiting: new Set(['b']) };
    expect(statusOf(going, { ...state, phase }).remainingMs).toBe(ms);
  });

  it('of a fetch is that of the limits or of the pace until now, with how much is done', () => {
    const figures = { fetched: 1, fetchTotal: 4, listsRead: 2, listTotal: 3, fetchShare: 0.25 };
    const known = { ...figures, fetchDoneAt: at(6000), fetchIsEstimate: true };
    expect(statusOf({}, { fetching })).toMatchObject(known);
    const slow = { ...fetching, lists: null, sent: 0, plan: { ...plan, paceMs: 9000 } };
    const more = { listsRead: 0, listTotal: 0, fetchShare: 0, fetchDoneAt: at(9000) };
    expect(statusOf({}, { fetching: slow })).toMatchObject({ ...known, ...more });
  });

  const none = { fetchShare: 0, fetchDoneAt: null, fetchIsEstimate: false };
  it.each<[string, Partial<Facts['state']>, object]>([
    ['nobody knows how much is left', { fetching: { ...fetching, plan: null } }, none],
    ['the user paused', { fetching, paused: true }, { fetchDoneAt: null, fetchShare: 0.25 }],
    ['nothing is reached', { fetching, network: 'offline' }, { fetchDoneAt: null }],
    ['nothing was reached yet', { fetching, network: 'unknown' }, { fetchDoneAt: null }],
    ['there is none', {}, { ...none, fetched: 0, fetchTotal: 0, listsRead: 0, listTotal: 0 }],
  ])('of a fetch is not known if %s', (_why, state, figures) => {
    expect(statusOf({}, state)).toMatchObject(figures);
  });
});

it('the status has the state as it is, the sums of the ledger, and no delivery while paused', () => {
  const state = {
    network: 'offline',
    offlineSince: 'then',
    paused: true,
    nextSyncAt: 'soon',
    pulled: 3,
    pullTotal: 4,
  } as const;
  const unfinished = {
    ...noLedger(),
    conflict: 1,
    attention: 2,
    unclear: 4,
    waiting: 8,
    typed: 16,
  };
  const clock = { offsetMs: 60_000, source: 'before' } as const;
  const rows = [rowOf({ standard: 1 })];
  const status = statusOf(
    { unfinished, rows, clock, lastSyncedMs: nowMs, casesOnLaptop: 7 },
    state,
  );
  const sums = { attention: 3, waiting: 12, unfinished };
  expect(status).toMatchObject({ ...state, ...sums, clock, lastSyncedAt: at(0), casesOnLaptop: 7 });
  expect(status.delivery).toMatchObject({ goesOut: 1, nextAt: null, doneAt: null });
  const online = statusOf({ rows });
  expect(online.delivery).toMatchObject({ nextAt: at(0), doneAt: at(1000) });
  expect(online.lastSyncedAt).toBeNull();
});

describe('the facts of the status', () => {
  it('are those of the stores and of the partner’s limits', async () => {
    const { id } = desk.partner.addCase({ externalKey: 'ahead', lastChangedAt: '2030-01-01' });
    await desk.restartWith(() => ({
      slotInMs: (bucket, requests = 1) => requests * (bucket === 'standard' ? 1000 : 2000),
      clockOffset: () => ({ offsetMs: 600_000, source: 'answer' }),
    }));
    await desk.sync.pull();
    await desk.queueReport(id, 'r', [{ name: 'a.txt', content: 'the report' }]);
    const limit = { capacity: 1, refillPerMinute: 2, untilMs: nowMs };
    desk.partner.loweredLimit.documents = limit;
    desk.cache.unreadable.saveCases([{ id: 'odd', place: 'Comment', json: null }], at(0));
    const status = desk.sync.status();
    expect(status).toMatchObject({
      casesOnLaptop: 1,
      waiting: 1,
      attention: 0,
      clock: { offsetMs: 600_000, source: 'answer' },
      lastSyncedAt: new Date(desk.clock.now()).toISOString(),
    });
    expect(status.notices.map(({ code, params }) => [code, params])).toEqual([
      ['records_unreadable', { count: 1, id: 'odd', place: 'Comment' }],
      ['case_time_ahead', { count: 1, externalKey: 'ahead' }],
      ['limit_lowered', { bucket: 'documents', perMinute: 2, until: at(600_000) }],
    ]);
    const inMs = (iso: string | null) => Date.parse(iso ?? '') - desk.clock.now();
    expect(inMs(status.delivery.nextAt)).toBe(1000);
    // The draft, its search and the submission; and the file and its comparison.
    expect(inMs(status.delivery.doneAt)).toBe(4000);
    desk.partner.pauseMs.documents = 3000;
    expect(desk.sync.status().problem).toMatchObject({ params: { retryAfterS: 3 } });
    desk.partner.pauseMs.standard = 4000;
    expect(desk.sync.status().problem).toMatchObject({ params: { retryAfterS: 4 } });
  });

  it('have the least time of requests by the limits and by the pace of uploads', () => {
    const client = {
      ...desk.partner.createClient(),
      slotInMs: (bucket: string, requests = 1) => requests * (bucket === 'standard' ? 1000 : 2000),
    };
    const progress = { uploadMs: (bytes: number) => bytes } as Parameters<
      typeof deliveryMs
    >[0]['progress'];
    const least = (standard: number, documents: number, bytes: number) =>
      deliveryMs({ client, progress }, { standard, documents, bytes });
    expect([least(3, 1, 5), least(1, 2, 5), least(1, 1, 5000)]).toEqual([3000, 4000, 5000]);
    const never = () => {
      throw new Error('there is nothing to send');
    };
    const idle = deliveryMs(
      { client: { ...client, slotInMs: never }, progress },
      { standard: 0, documents: 0, bytes: 0 },
    );
    expect(idle).toBe(0);
  });

  it('count as sent without the user what the insurer has accepted', async () => {
    const accepted = desk.partner.addCase().id;
    const assigned = desk.partner.addCase({ status: 'Assigned' }).id;
    await desk.sync.pull();
    desk.queueComment(accepted, 'goes');
    const { cache, work, clock } = desk;
    const parts = { cache, work, clock };
    const one = goingRequests(parts);
    expect(one.standard).toBeGreaterThan(0);
    desk.queueComment(assigned, 'waits');
    expect(goingRequests(parts)).toEqual(one);
    const waits = (network: 'online' | 'offline') =>
      readLedger(parts, { paused: false, network }).map(({ waitsFor }) => waitsFor);
    expect(waits('online')).toEqual(['turn', 'acceptance']);
    expect(waits('offline')).toEqual(['network', 'acceptance']);
  });
});
