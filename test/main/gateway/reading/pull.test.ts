import { beforeEach, expect, test, vi } from 'vitest';
import type { z } from 'zod';
import { DeskError } from '#shared/desk/contract/errors.ts';
import { createPull, listedCase, StorePull } from '#main/gateway/reading/pull.ts';
import { readFindings, readState, writeState } from '#main/gateway/state.ts';
import type { Upstream } from '#main/gateway/upstream.ts';
import { noFindings, type Reading, type ReceivedPage } from '#main/partner/pull/pull-store.ts';
import { createFakeClock, type FakeClock } from '../../service/support/fake-clock.ts';
import { createMemoryLog, type MemoryLog } from '../../service/support/memory-log.ts';
import { shareGatewayStore } from '../support/store.ts';

/* The gateway's own reading: when it asks the partner, and what its store has afterwards. */

const store = shareGatewayStore();
const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;

interface Asked {
  readonly asker: Parameters<Upstream['read']>[0];
  readonly operation: string;
  readonly caseId: string;
  readonly since: string | undefined;
}

let log: MemoryLog;
let clock: FakeClock;
let asked: Asked[];
/** The partner's cases by id. */
let cases: Map<string, ReturnType<typeof caseOf>>;
/** What the partner answers in place of its lists and cases; undefined leaves it to them. */
let instead: (what: Asked) => unknown;
let waiting: { standard: number; documents: number };
let left: { standard: number; documents: number };

beforeEach(() => {
  log = createMemoryLog();
  clock = createFakeClock(Date.UTC(2026, 2, 2));
  asked = [];
  cases = new Map(['a', 'b'].map((id) => [id, caseOf(id)]));
  instead = () => undefined;
  waiting = { standard: 0, documents: 0 };
  left = { standard: 100, documents: 100 };
});

const caseOf = (Id: string, day = 1, more: object = {}) => ({
  Id,
  Status: 'Accepted',
  LastChangedAt: `2026-03-0${String(day)}T10:00:00.000Z`,
  PayloadJson: '{}',
  ...more,
});
const listOf = (Items: readonly unknown[], more: object = {}) => ({
  Total: Items.length,
  Page: 1,
  Size: 200,
  Items,
  ...more,
});

function refused(status: number): DeskError {
  const cause = { status, title: 'no', detail: '', sentence: '', errors: {} };
  return new DeskError('server_refused', { title: 'no', status }, { cause });
}
const lost = () => new DeskError('connection_lost', { host: 'partner.example' });

function answerTo(what: Asked, page: string | undefined): unknown {
  if (what.operation === 'X2') {
    const found = cases.get(what.caseId);
    if (!found) throw refused(404);
    return found;
  }
  const isFirst = page === undefined || page === '1';
  const listed = [...cases.values()].filter(
    ({ LastChangedAt }) => LastChangedAt >= (what.since ?? ''),
  );
  return listOf(what.operation === 'X1' && isFirst ? listed : [], {
    Total: what.operation === 'X1' ? listed.length : 0,
  });
}

const parts = () => ({
  db: store().db,
  clock,
  log: log.log,
  upstream: {
    serverNow: () => clock.now(),
    turns: {
      standard: { waiting: () => waiting.standard, left: () => left.standard },
      documents: {
        waiting: () => waiting.documents,
        left: () => Promise.resolve(left.documents),
      },
    },
    read: (async (asker, schema, { operation, params, query }) => {
      const what = {
        asker,
        operation,
        caseId: params?.['caseId'] ?? '',
        since: query?.['lastChangedSince'],
      };
      asked.push(what);
      const answer = (await instead(what)) ?? answerTo(what, query?.['page']);
      const found = schema.safeParse(answer);
      if (!found.success) throw new DeskError('answer_invalid', { operation, detail: '' });
      return { value: found.data, status: 200, correlationId: '', serverDateMs: null };
    }) satisfies Upstream['read'],
  },
});

/** Starts a process, lets it do what is due, and stops it. @returns what it asked */
async function runOnce(): Promise<Asked[]> {
  asked = [];
  const pull = createPull(parts());
  pull.start();
  await pull.stop();
  return asked;
}
const askedOf = async (operation: string, asker?: Asked['asker']) =>
  (await runOnce()).filter(
    (each) => each.operation === operation && (asker === undefined || each.asker === asker),
  );
const rows = () =>
  store()
    .db.selectFrom('cases')
    .select(['id', 'status', 'delisted', 'documents_as_of', 'reports_as_of'])
    .orderBy('id')
    .execute();
const delisted = async () =>
  (await rows()).filter(({ delisted: is }) => is === 1).map(({ id }) => id);

test('pull: changes are read every half minute, and the whole list if the partner has no other', async () => {
  expect((await askedOf('X1', 'pull')).map(({ since }) => since)).toEqual([undefined, undefined]);
  expect((await rows()).map(({ id }) => id)).toEqual(['a', 'b']);
  clock.advance(29_999);
  expect(await askedOf('X1', 'pull')).toEqual([]);
  cases.set('c', caseOf('c', 2));
  clock.advance(1);
  const [first] = await askedOf('X1', 'pull');
  expect(first?.since).toBeDefined();
  expect((await rows()).map(({ id }) => id)).toEqual(['a', 'b', 'c']);

  const findings = await readFindings(store().db);
  await writeState(
    store().db,
    'pull_findings',
    JSON.stringify({ ...findings, ignoresSince: true }),
  );
  clock.advance(5 * minuteMs - 1);
  expect(await askedOf('X1', 'pull')).toEqual([]);
  clock.advance(1);
  expect((await askedOf('X1', 'pull')).length).toBeGreaterThan(0);
});

test('pull: after it the store has what the partner had when it was asked for', async () => {
  const pull = createPull(parts());
  const answers = [Promise.withResolvers<null>(), Promise.withResolvers<null>()];
  let reading = 0;
  instead = async ({ operation, since }) => {
    // The first page of a reading.
    if (operation === 'X1' && asked.filter((each) => each.since === since).length === 1) {
      await answers[reading++]?.promise;
    }
    return undefined;
  };
  const first = pull.now();
  await vi.waitFor(() => expect(asked).toHaveLength(1));
  const others = [pull.now(), pull.now()];
  expect(others[0]).toBe(others[1]);
  expect(others[0]).not.toBe(first);
  answers[0]?.resolve(null);
  await first;
  cases.set('c', caseOf('c', 2));
  answers[1]?.resolve(null);
  await Promise.all(others);
  expect((await rows()).map(({ id }) => id)).toEqual(['a', 'b', 'c']);
  // Nothing runs any more, so that the next one starts at once.
  const before = asked.length;
  await pull.now();
  expect(asked.length).toBeGreaterThan(before);
});

test('pull: one that failed fails for its own caller, and the next one is carried out', async () => {
  const pull = createPull(parts());
  const answer = Promise.withResolvers<null>();
  instead = async () => {
    if (asked.length > 1) return undefined;
    await answer.promise;
    throw lost();
  };
  const first = pull.now();
  await vi.waitFor(() => expect(asked).toHaveLength(1));
  const next = pull.now();
  answer.resolve(null);
  await expect(first).rejects.toMatchObject({ code: 'connection_lost' });
  await next;
  expect((await rows()).map(({ id }) => id)).toEqual(['a', 'b']);
});

test('pull: one that fails is logged, and the next one follows', async () => {
  const pull = createPull(parts());
  let isAway = true;
  instead = () => {
    if (isAway) throw lost();
    return undefined;
  };
  pull.start();
  await vi.waitFor(() => expect(log.lines.join('')).toContain('the pull failed'));
  isAway = false;
  clock.advance(25_000);
  await vi.waitFor(async () => {
    clock.advance(5000);
    expect((await rows()).map(({ id }) => id)).toEqual(['a', 'b']);
  });
  await pull.stop();
});

test('pull: a process that ends waits for its reading, and complains of nothing', async () => {
  const pull = createPull(parts());
  const answer = Promise.withResolvers<null>();
  let isRunning = false;
  instead = async () => {
    isRunning = true;
    await answer.promise;
    isRunning = false;
    throw lost();
  };
  pull.start();
  await vi.waitFor(() => expect(asked).toHaveLength(2));
  const stopped = pull.stop();
  answer.resolve(null);
  await stopped;
  expect([isRunning, log.lines]).toEqual([false, []]);
  clock.advance(dayMs);
  expect(asked).toHaveLength(2);

  // The same holds for a pull that somebody asked for.
  const other = createPull(parts());
  const later = Promise.withResolvers<null>();
  let hasEnded = false;
  instead = async () => {
    await later.promise;
    hasEnded = true;
    throw lost();
  };
  const wanted = other.now().catch(() => null);
  const ended = other.stop().then(() => hasEnded);
  await vi.waitFor(() => expect(asked).toHaveLength(3));
  later.resolve(null);
  expect(await ended).toBe(true);
  await wanted;

  // And for the next one, which others wait for.
  const third = createPull(parts());
  const answers = [Promise.withResolvers<null>(), Promise.withResolvers<null>()];
  let begun = 0;
  let done = 0;
  instead = async () => {
    const answered = answers[begun]?.promise;
    begun += 1;
    await answered;
    done += 1;
    throw lost();
  };
  const first = third.now().catch(() => null);
  await vi.waitFor(() => expect(begun).toBe(1));
  const second = third.now().catch(() => null);
  const over = third.stop().then(() => done);
  answers[0]?.resolve(null);
  await vi.waitFor(() => expect(begun).toBe(2));
  answers[1]?.resolve(null);
  expect(await over).toBe(2);
  await Promise.all([first, second]);
});

test('pull: a list that was not read whole is said, and does not count as in step', async () => {
  instead = ({ operation }) =>
    operation === 'X1' ? listOf([caseOf('a')], { Total: 3 }) : undefined;
  await createPull(parts()).now();
  expect(log.lines.join('')).toContain('the partner’s list could not be read completely');
  expect((await readFindings(store().db)).incomplete).not.toBeNull();
  expect(await readState(store().db, 'pulled_at')).toBeNull();
  instead = () => undefined;
  await createPull(parts()).now();
  expect(await readFindings(store().db)).toMatchObject({ incomplete: null });
  expect(await readState(store().db, 'pulled_at')).toBe(String(clock.now()));
  expect(log.lines).toHaveLength(1);
});

test('pull: a partner that ignores lastChangedSince is said', async () => {
  await createPull(parts()).now();
  expect(log.lines).toEqual([]);
  instead = ({ operation, since }) =>
    operation === 'X1' && since !== undefined
      ? listOf([caseOf('a', 1, { LastChangedAt: '2020-01-01T00:00:00.000Z' }), caseOf('b')])
      : undefined;
  clock.advance(minuteMs);
  await createPull(parts()).now();
  expect(log.lines.join('')).toContain('the partner ignores lastChangedSince');
});

const reading: Reading = {
  since: null,
  nextPage: 2,
  startedMs: 0,
  total: 1,
  shrank: false,
  highest: null,
  items: 1,
  older: 0,
  longestPage: 0,
};
const pageOf = (...items: readonly object[]) => ({
  total: items.length,
  size: 200,
  items: items.map((each) => listedCase.parse(each)),
  unreadable: [],
});
const received = (page: ReceivedPage<z.output<typeof listedCase>>['page'], isFirst: boolean) => ({
  page,
  serverMs: clock.now(),
  isFirst,
});

test('pull: a reading that starts again has seen nothing yet, and what cannot be read was seen', async () => {
  const pulled = new StorePull(parts());
  pulled.asked();
  await pulled.savePage(received(pageOf(caseOf('a')), true), reading);
  await pulled.savePage(received(pageOf(caseOf('b')), false), reading);
  expect([pulled.seen(), [...pulled.ids]]).toEqual([2, ['a', 'b']]);
  expect(log.lines).toEqual([]);
  const odd = { ...pageOf(caseOf('b')), unreadable: [{ id: '#1', place: 'Id', json: '{}' }] };
  await pulled.savePage(received(odd, true), reading);
  expect([...pulled.ids]).toEqual(['b', '#1']);
  expect(log.lines).toEqual([expect.stringContaining('the partner lists a case without an id')]);
});

test('pull: an answer that was asked for before a later one was stored does not replace it', async () => {
  const early = new StorePull(parts());
  early.asked();
  clock.advance(1000);
  const late = new StorePull(parts());
  late.asked();
  await late.savePage(received(pageOf(caseOf('a', 2, { Status: 'Final' })), true), reading);
  await early.savePage(received(pageOf(caseOf('a', 1)), true), reading);
  expect(await rows()).toMatchObject([{ id: 'a', status: 'Final' }]);
  // A partner that was restored from a backup has an earlier state.
  clock.advance(1000);
  early.asked();
  await early.savePage(received(pageOf(caseOf('a', 1)), true), reading);
  expect(await rows()).toMatchObject([{ id: 'a', status: 'Accepted' }]);
});

test('pull: a cursor that another process has moved meanwhile stays', async () => {
  const end = { ...noFindings, wholeSinceMs: null, restoredTo: null };
  const [one, other] = [new StorePull(parts()), new StorePull(parts())];
  expect(await one.begin()).toEqual({ ...noFindings, cursor: null, reading: null });
  await other.begin();
  await one.end({ ...end, cursor: '2026-03-02T00:00:00.000Z', longestPage: 7 });
  await other.end({ ...end, cursor: '2026-03-01T00:00:00.000Z' });
  const { db } = store();
  expect(await readState(db, 'cursor')).toBe('2026-03-02T00:00:00.000Z');
  const next = new StorePull(parts());
  expect(await next.begin()).toMatchObject({ cursor: '2026-03-02T00:00:00.000Z' });
  await next.end({ ...end, cursor: null });
  expect(await readState(db, 'cursor')).toBe('');
  expect(await new StorePull(parts()).begin()).toMatchObject({ cursor: null });
});

test('rescan: once a day a case that the partner has no more is no more in the list, and only that', async () => {
  await runOnce();
  cases.delete('a');
  clock.advance(dayMs - 1);
  expect(await askedOf('X1', 'ahead')).toEqual([]);
  expect(await delisted()).toEqual([]);
  clock.advance(1);
  const read = await runOnce();
  expect(read.find(({ asker }) => asker === 'ahead')).toMatchObject({
    operation: 'X1',
    since: undefined,
  });
  expect(read.filter(({ operation }) => operation === 'X2')).toEqual([
    { asker: { client: '' }, operation: 'X2', caseId: 'a', since: undefined },
  ]);
  expect(await delisted()).toEqual(['a']);
  // It is not asked for again, and comes back with the list.
  clock.advance(dayMs);
  expect(await askedOf('X2')).toEqual([]);
  cases.set('a', caseOf('a', 2));
  clock.advance(minuteMs);
  await runOnce();
  expect(await delisted()).toEqual([]);
});

test('rescan: a case that the list lacks and the partner has stays, with its state', async () => {
  await runOnce();
  const unlisted = caseOf('a', 2, { Status: 'Final' });
  cases.delete('a');
  instead = ({ operation }) => (operation === 'X2' ? unlisted : undefined);
  clock.advance(dayMs);
  await runOnce();
  expect(await rows()).toMatchObject([
    { id: 'a', status: 'Final', delisted: 0 },
    { id: 'b', delisted: 0 },
  ]);
});

test('rescan: after a list that was not read whole no case is taken for gone', async () => {
  await runOnce();
  cases.delete('a');
  instead = ({ operation }) =>
    operation === 'X1' ? listOf([caseOf('b')], { Total: 3 }) : undefined;
  clock.advance(dayMs);
  expect(await askedOf('X2')).toEqual([]);
  expect(await delisted()).toEqual([]);
});

test.each([
  ['was not read whole', (): unknown => listOf([caseOf('b')], { Total: 3 })],
  [
    'was not answered',
    (): unknown => {
      throw lost();
    },
  ],
])(
  'rescan: a list that %s is read again after an hour, and then a day later',
  async (_, answer) => {
    const hourMs = 60 * minuteMs;
    await runOnce();
    cases.delete('a');
    instead = ({ asker }) => (asker === 'ahead' ? answer() : undefined);
    clock.advance(dayMs);
    await runOnce();
    instead = () => undefined;
    clock.advance(hourMs - 1);
    expect(await askedOf('X1', 'ahead')).toEqual([]);
    clock.advance(1);
    await runOnce();
    expect(await delisted()).toEqual(['a']);
    clock.advance(dayMs - 1);
    expect(await askedOf('X1', 'ahead')).toEqual([]);
    clock.advance(1);
    expect(await askedOf('X1', 'ahead')).not.toEqual([]);
  },
);

test('rescan: a case that came meanwhile is not looked for', async () => {
  await runOnce();
  clock.advance(dayMs);
  instead = async ({ operation, asker }) => {
    if (operation !== 'X1' || asker !== 'ahead') return undefined;
    const later = new StorePull(parts());
    await later.savePage(received(pageOf(caseOf('c', 2)), true), reading);
    return listOf([caseOf('a'), caseOf('b')]);
  };
  expect(await askedOf('X2')).toEqual([]);
  expect((await rows()).map(({ id }) => id)).toEqual(['a', 'b', 'c']);
});

test.each([
  ['is forbidden', ['a', 'b'], () => refused(403)],
  ['cannot be read', ['b'], () => new DeskError('answer_invalid', { operation: 'X2', detail: '' })],
  ['gets no answer', [], lost],
  ['is a failure of the partner', [], () => refused(500)],
])('rescan: if the first case %s, these are gone: %o', async (_, gone, failure) => {
  await runOnce();
  cases.clear();
  cases.set('c', caseOf('c', 2));
  instead = ({ operation, caseId }) => {
    if (operation === 'X2' && caseId === 'a') throw failure();
    return undefined;
  };
  clock.advance(dayMs);
  await runOnce();
  expect((await delisted()).toSorted()).toEqual(gone);
});

const lists = (all: readonly Asked[]) =>
  all
    .filter(({ operation }) => operation === 'X6' || operation === 'X10')
    .map(({ operation, caseId }) => `${operation} ${caseId}`);

test('reading ahead: the lists of changed cases are read for nobody, the latest change first, and once', async () => {
  cases.set('c', caseOf('c', 1, { Status: 'Final' }));
  await createPull(parts()).now();
  cases.set('a', caseOf('a', 2));
  clock.advance(minuteMs);
  const read = await runOnce();
  expect(lists(read)).toEqual(['X6 a', 'X10 a', 'X6 b', 'X10 b']);
  expect(read.find(({ operation }) => operation === 'X6')?.asker).toEqual({ client: '' });
  const at = (day: number) => `2026-03-0${String(day)}T10:00:00.000Z`;
  expect(await rows()).toMatchObject([
    { documents_as_of: at(2), reports_as_of: at(2) },
    { documents_as_of: at(1), reports_as_of: at(1) },
    { documents_as_of: null },
  ]);
  clock.advance(5000);
  expect(lists(await runOnce())).toEqual([]);
  const { db } = store();
  await db.updateTable('cases').set({ reports_as_of: null }).where('id', '=', 'b').execute();
  clock.advance(4999);
  expect(lists(await runOnce())).toEqual([]);
  clock.advance(1);
  expect(lists(await runOnce())).toEqual(['X10 b']);
});

test('reading ahead: a turn reads twenty cases', async () => {
  for (let number = 0; number < 25; number += 1) cases.set(`c${number}`, caseOf(`c${number}`));
  await createPull(parts()).now();
  expect(lists(await runOnce())).toHaveLength(2 * 20);
  clock.advance(5000);
  expect(lists(await runOnce())).toHaveLength(2 * 7);
});

test.each([
  [{ standard: 1 }, {}, ['X6 a', 'X6 b']],
  [{ documents: 1 }, {}, ['X10 a', 'X10 b']],
  [{}, { standard: 10 }, ['X6 a', 'X6 b']],
  [{}, { standard: 11 }, ['X6 a', 'X10 a', 'X6 b', 'X10 b']],
  [{}, { documents: 5 }, ['X10 a', 'X10 b']],
  [{}, { documents: 6 }, ['X6 a', 'X10 a', 'X6 b', 'X10 b']],
])(
  'reading ahead: it leaves turns to those who wait (%o), and tokens to others (%o)',
  async (many, few, read) => {
    await createPull(parts()).now();
    waiting = { ...waiting, ...many };
    left = { ...left, ...few };
    expect(lists(await runOnce()).toSorted()).toEqual(read.toSorted());
  },
);

test.each([
  ['is refused', () => refused(500), 4],
  ['is no list', () => new DeskError('answer_invalid', { operation: 'X6', detail: '' }), 4],
  ['gets no answer', lost, 1],
  ['fails in the gateway', () => new Error('the store is full'), 1],
])(
  'reading ahead: if the first list %s, the others are read unless the partner is away',
  async (_, failure, count) => {
    await createPull(parts()).now();
    instead = ({ operation, caseId }) => {
      if (operation === 'X6' && caseId === 'b') throw failure();
      if (operation === 'X6' && caseId === 'a' && count === 1) throw failure();
      return undefined;
    };
    expect(lists(await runOnce())).toHaveLength(count);
  },
);

test.each([
  ['has an item that cannot be read', listOf([{ Id: 'd', SizeBytes: 'x' }])],
  ['lacks an item', listOf([], { Total: 2 })],
])('reading ahead: a list that %s is not read again at once', async (_, answer) => {
  clock.advance(dayMs);
  await createPull(parts()).now();
  await writeState(store().db, 'rescanned_at', String(clock.now()));
  await writeState(store().db, 'polled_at', String(clock.now() + minuteMs));
  instead = ({ operation, caseId }) => (operation === 'X6' && caseId === 'a' ? answer : undefined);
  asked = [];
  const pull = createPull(parts());
  pull.start();
  const times = () => lists(asked).filter((each) => each === 'X10 b').length;
  await vi.waitFor(() => expect(times()).toBe(1));
  const before = lists(asked).filter((each) => each === 'X6 a').length;
  expect(before).toBeGreaterThan(0);
  const { db } = store();
  for (let turn = 0; turn < 2; turn += 1) {
    await vi.waitFor(async () => {
      const state = await readState(db, 'read_ahead_at');
      clock.advance(5000);
      await vi.waitFor(async () => expect(await readState(db, 'read_ahead_at')).not.toBe(state));
    });
  }
  await pull.stop();
  expect(lists(asked).filter((each) => each === 'X6 a')).toHaveLength(before);
});

test('reading ahead: a case whose lists were read is read again once it has changed', async () => {
  await createPull(parts()).now();
  await writeState(store().db, 'rescanned_at', String(clock.now()));
  const pull = createPull(parts());
  pull.start();
  const reads = () => lists(asked).filter((each) => each === 'X6 a').length;
  await vi.waitFor(() => expect(reads()).toBe(1));
  cases.set('a', caseOf('a', 2));
  await vi.waitFor(() => {
    clock.advance(5000);
    expect(reads()).toBe(2);
  });
  await pull.stop();
});
