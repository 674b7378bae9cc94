import { beforeEach, describe, expect, it } from 'vitest';
import { DeskError } from '#shared/desk/contract/errors.ts';
import type { Cache } from '#main/engine/cache/open-cache.ts';
import { restoredToValue } from '#main/engine/sync/pull.ts';
import { ReadBack } from '#main/engine/sync/read-back.ts';
import type { Work } from '#main/engine/work/open-work.ts';
import type { Act } from '#main/engine/work/outbox-records.ts';
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
  asked = { cases: [], reports: [], pulls: 0 };
  rows = [];
  events = [];
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

/** An act that was delivered now, and that the partner was not seen to have. */
function deliverUnseen(caseId: string, act: Act): number {
  const { id } = work.outbox.enqueue({ caseId, externalKey: 'K' }, act, [
    { kind: act.kind === 'report' ? 'submit' : act.kind },
  ]);
  for (const step of work.outbox.rows.get(id).steps) {
    work.outbox.deliveries.begin(step, nowMs);
    const content = { serverId: 's', sizeBytes: null, sha256: null };
    const proof = { at: daysAgo(0), status: 200, correlationId: 'c', ...content };
    work.outbox.deliveries.confirm({ step, proof: { ...proof, laptopAt: daysAgo(0) } });
  }
  return id;
}
const mine = { kind: 'comment', text: 'mine', seen: '' } as const;
const report = (caseId: string) =>
  ({ kind: 'report', draftId: work.drafts.create(caseId).id, comment: 'done' }) as const;

/** The partner returns an older state of the case, twice. */
function takeBack(caseId: string, lastChangedAt: string): void {
  for (const askedMs of [1, 3])
    cache.cases.upsert([record(caseId, lastChangedAt)], nowMs, { askedMs, nowMs: askedMs + 1 });
}

type Parts = ConstructorParameters<typeof ReadBack>[0];

/** The cases that were read one by one, the cases whose reports were, and the number of pulls. */
let asked: { cases: string[]; reports: string[]; pulls: number };
/** The rows and the events of which the window was notified. */
let rows: number[];
let events: Parameters<Parts['emit']>[0][];
const create = (parts: Partial<Parts> = {}) =>
  new ReadBack({
    cache,
    work,
    clock,
    signal: new AbortController().signal,
    emit: (event) => events.push(event),
    onRow: (id) => rows.push(id),
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
    readReports(caseId) {
      asked.reports.push(caseId);
      return Promise.resolve();
    },
    ...parts,
  });
const readBack = (touched: readonly string[] = [], parts: Partial<Parts> = {}) =>
  create(parts).run(new Set(touched));

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
    // It is read before the comparison, and twice more because it differs.
    expect(asked.cases).toEqual([a, a, a]);
  });

  it('on every case, if a single one is of the last week', async () => {
    const since = deliver(b, daysAgo(1));
    deliver(c, daysAgo(8));
    takeBack(a, daysAgo(7, -1));
    await readBack();
    expect(disputed()).toEqual([[since, other]]);
  });

  it.each([
    [a, b],
    [b, a],
  ])('on every case since the latest time, if several are older', async (one, another) => {
    const onOne = deliver(one, daysAgo(25));
    deliver(another, daysAgo(21));
    const since = deliver(c, daysAgo(19));
    takeBack(one, daysAgo(30));
    takeBack(another, daysAgo(20));
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
    // The user's retry sends it again.
    expect(work.outbox.rows.get(id).steps).toMatchObject([{ state: 'attention' }]);
    expect(rows).toEqual([id]);
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
  expect(asked).toMatchObject({ cases: ids.slice(1), pulls: 0 });
  await readBack(ids);
  expect(asked).toMatchObject({ cases: ids.slice(1), pulls: 1 });
});

it('a delivery on a case that the desk has not read is not in doubt', async () => {
  deliver('another case', daysAgo(0));
  cache.values.set(restoredToValue, daysAgo(1));
  await readBack();
  expect(disputed()).toEqual([]);
});

describe('after a delivery', () => {
  it('the case of an act that is not in the cache yet is read', async () => {
    deliverUnseen(a, mine);
    await readBack();
    expect(asked).toEqual({ cases: [a], reports: [], pulls: 0 });
  });

  it('the reports are read of a case that has news, or a report that was not seen', async () => {
    work.overlays.lift([deliverUnseen(a, report(a)), deliverUnseen(c, mine)]);
    work.overlays.lift([deliverUnseen('another case', report('another case'))]);
    const disputedReport = deliverUnseen(b, report(b));
    work.overlays.lift([disputedReport]);
    const row = work.outbox.rows.get(disputedReport);
    const problem = { code: 'report_still_draft', params: {} } as const;
    work.outbox.deliveries.dispute(row, { act: row.act, problem, isMendable: true });
    const touched = sampleCase(4).id;
    await readBack([touched]);
    expect(asked.reports.slice(0, 3)).toEqual([touched, a, b]);
    expect(asked.reports).not.toContain('another case');
    expect(asked.reports.slice(3)).toEqual([c, c]);
  });

  it('the user is not asked any more once a reading has what was sent', async () => {
    const id = deliver(a, daysAgo(0));
    cache.values.set(restoredToValue, daysAgo(1));
    expect(await readBack()).toBe(1);
    expect([rows, events]).toEqual([[id], [{ type: 'cases.changed', caseIds: [a] }]]);
    [rows, events] = [[], []];
    expect(await readBack()).toBe(0);
    expect([rows, events]).toEqual([[], []]);
    cache.cases.upsert([record(a, daysAgo(0), 'mine')]);
    expect(await readBack()).toBe(0);
    expect(disputed()).toEqual([]);
    expect([rows, events]).toEqual([[id], [{ type: 'cases.changed', caseIds: [a] }]]);
  });
});

describe('a difference', () => {
  beforeEach(() => {
    work.overlays.lift([deliverUnseen(a, mine)]);
  });

  it.each([
    ['after two seconds', 1, 2_000],
    ['after five more', 2, 7_000],
  ])('that a reading %s does not show is none', async (_when, reading, waitedMs) => {
    let readings = 0;
    const readCase = () => {
      readings += 1;
      if (readings === reading) cache.cases.upsert([record(a, daysAgo(0), 'mine')]);
      return Promise.resolve();
    };
    expect(await readBack([], { readCase })).toBe(0);
    expect([disputed(), clock.now() - nowMs]).toEqual([[], waitedMs]);
    // The window shows in the proof that the partner was seen to have it.
    expect([rows, events]).toEqual([[1], []]);
  });

  it('is read again with the reports, and needs the user if it stays', async () => {
    expect(await readBack()).toBe(1);
    expect(disputed()).toMatchObject([[1, other]]);
    expect(asked).toEqual({ cases: [a, a], reports: [a, a], pulls: 0 });
  });

  it('does not need the user while the case cannot be read again', async () => {
    unreadable.add(a);
    expect(await readBack()).toBe(0);
    expect(disputed()).toEqual([]);
  });
});

it('without a difference nothing waits', async () => {
  await readBack([a]);
  expect([clock.now(), rows, events]).toEqual([nowMs, [], []]);
});

describe('of many cases whose reports cannot be read', () => {
  const ids = Array.from({ length: 12 }, (_, number) => sampleCase(number).id);
  const failed = new DeskError('server_failed', { title: '', status: 500 });
  const lost = new DeskError('connection_lost', { host: 'h' });
  const pause = { retryAfterS: 60, until: daysAgo(0) };

  /** The number of cases that are asked for, if they fail in turn with these; null: it succeeds. */
  async function triesOf(errors: readonly (Error | null)[], parts: Partial<Parts> = {}) {
    const caught: unknown[] = [];
    let tries = 0;
    const readReports = () => {
      const error = errors[tries % errors.length];
      tries += 1;
      return error ? Promise.reject(error) : Promise.resolve();
    };
    const onFailure = (error: unknown) => caught.push(error);
    await create({ readReports, onFailure, ...parts }).readReports(ids);
    return { tries, failures: caught.length };
  }

  it.each([
    ['the network is missing', new DeskError('offline', { host: 'h' }), 2],
    ['the line breaks', lost, 2],
    ['the partner does not admit the desk', new DeskError('access_revoked'), 2],
    ['the partner asks to wait', new DeskError('rate_limited', pause), 2],
    ['the partner fails', failed, 10],
    ['the program fails', new Error('fault'), 10],
  ])(
    'if %s, the next ones are not asked for after the same failure again',
    async (_what, error, tries) => {
      expect(await triesOf([error])).toEqual({ tries, failures: tries });
    },
  );

  it('the others are read if they fail in another way, or are read in between', async () => {
    expect(await triesOf([lost, failed])).toEqual({ tries: 12, failures: 12 });
    expect(await triesOf([lost, null])).toEqual({ tries: 12, failures: 6 });
  });

  it('none is asked for after the desk was closed', async () => {
    expect(await triesOf([failed], { signal: AbortSignal.abort() })).toEqual({
      tries: 1,
      failures: 1,
    });
  });

  it('those that failed come last the next time, until they are read', async () => {
    const sick = new Set([a]);
    const reading = create({
      readReports(caseId) {
        asked.reports.push(caseId);
        return sick.has(caseId) ? Promise.reject(failed) : Promise.resolve();
      },
    });
    for (let round = 0; round < 4; round += 1) {
      await reading.readReports([a, b, c]);
      if (round === 1) sick.clear();
    }
    expect(asked.reports).toEqual([a, b, c, b, c, a, b, c, a, a, b, c]);
  });
});
