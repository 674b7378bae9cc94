import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { Kysely, KyselyPlugin } from 'kysely';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { DeskError, paramOf } from '#shared/desk/contract/errors.ts';
import { sleep } from '#main/partner/clock.ts';
import { openGatewayStore } from '#main/gateway/context.ts';
import { createPartnerBucket, type PartnerBucket } from '#main/gateway/turns/partner-bucket.ts';
import type { GatewayTables } from '#main/gateway/tables.ts';
import { Tickets } from '#main/gateway/turns/tickets.ts';
import { type Party, Turns, type TurnSignal } from '#main/gateway/turns/turns.ts';
import type { Store } from '#main/front/store/store.ts';
import { smokeOrLong } from '../../../support/long.ts';
import { temporaryFolder } from '../../../support/processes.ts';
import { createSkippingClock, type SkippingClock } from '../../../support/skipping-clock.ts';
import { createDatabase, databaseOf, dropDatabase } from '../../service/support/database.ts';
import { createMemoryLog } from '../../service/support/memory-log.ts';

/*
 * The queue for one bucket of the partner, on a clock on which only waits take time. Two queues
 * over one store are two processes.
 */

/** One request every three seconds, and none saved up. */
const limit = { capacity: 2, refillPerMinute: 20 };
const refillMs = 3000;
const { signal } = new AbortController();

let folder: ReturnType<typeof temporaryFolder>;
let directory: string;
let store: Store<GatewayTables>;
let clock: SkippingClock;

beforeEach(async () => {
  folder = temporaryFolder();
  directory = join(folder.path, randomUUID());
  await createDatabase(directory);
  const { log } = createMemoryLog();
  store = await openGatewayStore({ directory, database: databaseOf(directory), log });
  clock = createSkippingClock(Infinity, undefined, () => 0);
});
afterEach(async () => {
  clock.stop();
  await store.close();
  await dropDatabase(directory);
  folder.remove();
});

/** Tells the clock when a query is under way, so that no time is skipped then. */
function marked<Tables>(db: Kysely<Tables>): Kysely<Tables> {
  const ends = new WeakMap<object, () => void>();
  const plugin: KyselyPlugin = {
    transformQuery({ node, queryId }) {
      ends.set(queryId, clock.begin());
      return node;
    },
    transformResult({ result, queryId }) {
      ends.get(queryId)?.();
      return Promise.resolve(result);
    },
  };
  return db.withPlugin(plugin);
}

interface Turn {
  readonly party: Party;
  readonly waitMs: number;
}

function openBucket(): PartnerBucket {
  const shared = store.limits && { db: marked(store.limits), clock };
  return createPartnerBucket('documents', limit, clock, shared);
}

const openTickets = () => new Tickets(marked(store.db), 'documents', clock, refillMs);

function openTurns(
  served: Turn[],
  {
    notifications,
    bucket = openBucket(),
    tickets = openTickets(),
  }: { notifications?: TurnSignal; bucket?: PartnerBucket; tickets?: Tickets } = {},
): Turns {
  return new Turns({
    bucket,
    tickets,
    refillMs,
    clock,
    signal: notifications,
    onTurn: (party, waitMs) => served.push({ party, waitMs }),
  });
}

async function take(turns: Turns, party: Party): Promise<void> {
  const slot = await turns.lane(party).acquire('person', signal);
  slot.consumed();
}

const nameOf = (party: Party) => (typeof party === 'string' ? party : party.client);

test('turns: a client with one request does not wait behind another one’s ten', async () => {
  const served: Turn[] = [];
  const turns = openTurns(served);
  const refused: string[] = [];
  const ask = (client: string) => take(turns, { client }).catch(() => void refused.push(client));
  const many = Array.from({ length: 6 }, () => ask('many'));
  const all = [...many, ask('one'), ask('other')];
  await Promise.all(all);
  const [first, ...others] = served.slice(0, 4).map(({ party }) => nameOf(party));
  expect([first, ...others.toSorted()]).toEqual(['many', 'many', 'one', 'other']);
});

test('turns: a client that would wait longer than 20 s is told how long, and an aborted request leaves', async () => {
  const turns = openTurns([]);
  const ended = new AbortController();
  turns.lane({ client: 'one' }).throttled(40_000);
  // A shorter pause does not end the longer one.
  turns.lane('poll').throttled(1000);
  const refusal: unknown = await turns
    .lane({ client: 'one' })
    .acquire('person', ended.signal)
    .catch((error: unknown) => error);
  expect(refusal).toBeInstanceOf(DeskError);
  // A tenth before its turn.
  const toldS = Number(paramOf(refusal as DeskError, 'retryAfterS'));
  expect(toldS).toBeGreaterThan(30);
  expect(toldS).toBeLessThan(40);
  const waiting = turns.lane('poll').acquire('person', ended.signal);
  expect(turns.waiting()).toBe(1);
  ended.abort(new Error('ended'));
  await expect(waiting).rejects.toThrow('ended');
  expect(turns.waiting()).toBe(0);
  const late = turns.lane('poll').acquire('person', ended.signal);
  await expect(late).rejects.toThrow('ended');
});

/** A bucket that does something when a token was taken, and counts the tokens whose use has ended. */
function watchedBucket(onTaken: () => Promise<void>) {
  const bucket = openBucket();
  const count = { answered: 0 };
  const watched: PartnerBucket = {
    left: () => bucket.left(),
    async take() {
      const { waitMs, answered } = await bucket.take();
      if (waitMs === 0) await onTaken();
      return {
        waitMs,
        answered: () => {
          count.answered += 1;
          return answered();
        },
      };
    },
  };
  return { bucket: watched, count };
}

test('turns: a request whose turn cannot be recorded is refused, and holds no token', async () => {
  const { bucket, count } = watchedBucket(() => store.db.schema.dropTable('turn_queues').execute());
  const turns = openTurns([], { bucket });
  const all = [take(turns, { client: 'one' }), take(turns, 'poll')];
  const outcomes = await Promise.allSettled(all);
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(count.answered).toBe(1);
});

test('turns: a request that is dropped while its token is taken holds none, and has no turn', async () => {
  const dropped = new AbortController();
  const served: Turn[] = [];
  const { bucket, count } = watchedBucket(() => {
    dropped.abort(new Error('gone'));
    return Promise.resolve();
  });
  const waiting = openTurns(served, { bucket })
    .lane({ client: 'one' })
    .acquire('person', dropped.signal);
  await expect(waiting).rejects.toThrow('gone');
  await vi.waitFor(() => expect(count.answered).toBe(1));
  expect(served).toEqual([]);
});

test('turns: a request that is dropped while its turn is recorded holds no token', async () => {
  const dropped = new AbortController();
  const { bucket, count } = watchedBucket(() => Promise.resolve());
  const turns = openTurns([], {
    bucket,
    // It is called when the turn was recorded.
    notifications: { subscribe: () => undefined, notify: () => dropped.abort(new Error('gone')) },
  });
  const waiting = turns.lane({ client: 'one' }).acquire('person', dropped.signal);
  await expect(waiting).rejects.toThrow('gone');
  await vi.waitFor(() => expect(count.answered).toBe(1));
});

test.each<[Party]>([[{ client: 'one' }], ['refresh'], ['follow_up']])(
  'turns: what waits already comes back later if the partner asks for a long pause (%o)',
  async (party) => {
    const turns = openTurns([], {
      // The request is told that it need not wait; when it asks, the bucket has no token.
      bucket: {
        left: () => 1,
        take() {
          turns.lane('poll').throttled(3_600_000);
          return Promise.resolve({ waitMs: 1, answered: () => Promise.resolve() });
        },
      },
    });
    const refusal: unknown = await take(turns, party).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(DeskError);
    expect(Number(paramOf(refusal as DeskError, 'retryAfterS'))).toBeGreaterThan(3590);
  },
);

test('turns: own reading has a third of the turns while clients wait, the poll first among it', async () => {
  const served: Turn[] = [];
  const turns = openTurns(served);
  await Promise.all([
    ...Array.from({ length: 3 }, () => take(turns, 'ahead')),
    ...Array.from({ length: 3 }, () => take(turns, 'poll')),
    ...['a', 'b', 'c', 'd', 'e'].map((client) => take(turns, { client })),
  ]);
  const order = served.map(({ party }) => (typeof party === 'string' ? party : 'client'));
  const last = order.lastIndexOf('client');
  const own = order.slice(0, last).filter((each) => each !== 'client');
  expect(own.length).toBeLessThanOrEqual(3);
  expect(own.every((each) => each === 'poll')).toBe(true);
  expect(order.slice(last + 1).at(-1)).toBe('ahead');
  expect(order).toHaveLength(11);
});

test('turns: a change that is read again after its turn does not cost the gateway’s own reading its turn', async () => {
  const served: Turn[] = [];
  const turns = openTurns(served);
  const change = async (client: string) => {
    await take(turns, { client });
    await take(turns, 'follow_up');
  };
  await Promise.all([...['a', 'b', 'c', 'd'].map(change), take(turns, 'poll')]);
  const order = served.map(({ party }) => (typeof party === 'string' ? party : 'client'));
  expect(order.indexOf('poll')).toBeLessThan(order.lastIndexOf('client'));
});

test.each([
  ['poll', 10_000],
  ['follow_up', 30_000],
] as const)(
  'turns: what waits already waits through a short pause, too (%s, %i ms)',
  async (party, pauseMs) => {
    const served: Turn[] = [];
    const turns = openTurns(served);
    const waiting = take(turns, party);
    turns.lane('poll').throttled(pauseMs);
    await waiting;
    expect(served[0]?.waitMs).toBeGreaterThanOrEqual(pauseMs);
  },
);

test('turns: a place whose request has left holds nobody up', async () => {
  const served: Turn[] = [];
  const tickets = openTickets();
  const turns = openTurns(served, { tickets });
  // Its process could not remove it, because the database did not answer.
  await tickets.join('left');
  await sleep(clock, 1);
  await take(turns, { client: 'one' });
  expect(served[0]?.waitMs).toBeLessThan(2 * refillMs);
});

test('turns: a client with another request has its next place at once, and a turn without a wait teaches no time', async () => {
  const tickets = openTickets();
  const looked = Promise.withResolvers<undefined>();
  let taken = 0;
  const turns = openTurns([], {
    tickets,
    bucket: {
      left: () => 1,
      async take() {
        taken += 1;
        if (taken > 2) await looked.promise;
        // Only the first turn waits for a token.
        return { waitMs: taken === 1 ? 1 : 0, answered: () => Promise.resolve() };
      },
    },
  });
  const [first, ...others] = ['one', 'one', 'two'].map((client) => take(turns, { client }));
  await first;
  expect((await tickets.rank(await tickets.join('last'))).all).toBe(3);
  looked.resolve(undefined);
  await Promise.all(others);
  expect(await tickets.state()).toMatchObject({ client_turns: 3, turn_ms: refillMs });
});

/** A bucket without a token until `open`; no time passes until then. */
function closedBucket() {
  const opened = Promise.withResolvers<undefined>();
  const bucket: PartnerBucket = {
    left: () => 0,
    async take() {
      await opened.promise;
      return { waitMs: 0, answered: () => Promise.resolve() };
    },
  };
  return { bucket, open: () => opened.resolve(undefined) };
}

test('turns: each further request of a client is told to wait a round more, and the ones before it stay', async () => {
  const { bucket, open } = closedBucket();
  const tickets = openTickets();
  const turns = openTurns([], { bucket, tickets });
  for (const client of ['a', 'b', 'c', 'd']) await tickets.join(client);
  const waiting = [take(turns, { client: 'a' }), take(turns, { client: 'a' })];
  const third = take(turns, { client: 'a' }).catch((error: unknown) => error);
  await vi.waitFor(() => expect(turns.waiting()).toBe(2));
  // Nine turns, and a tenth less.
  expect(paramOf((await third) as DeskError, 'retryAfterS')).toBe(25);
  expect((await tickets.first())?.client).toBe('a');
  open();
  await Promise.all(waiting);
});

test('turns: own reading for a client is told to wait for the clients’ turns between its own', async () => {
  const { bucket, open } = closedBucket();
  const tickets = openTickets();
  const turns = openTurns([], { bucket, tickets });
  // The turn of this client is under way, so its place stays.
  const waiting = [take(turns, { client: 'a' })];
  await vi.waitFor(async () => expect((await tickets.first())?.client).toBe('a'));
  for (let number = 0; number < 3; number += 1) waiting.push(take(turns, 'refresh'));
  const fourth: unknown = await take(turns, 'refresh').catch((error: unknown) => error);
  // Three turns, each after two of clients, and a tenth less.
  expect(paramOf(fourth as DeskError, 'retryAfterS')).toBe(25);
  expect(turns.waiting()).toBe(4);
  open();
  await Promise.all(waiting);
});

test('turns: a client that is told a long wait finds its place when it comes back', async () => {
  const tickets = openTickets();
  const turns = openTurns([], { tickets });
  turns.lane('poll').throttled(300_000);
  await expect(take(turns, { client: 'one' })).rejects.toThrow(DeskError);
  await sleep(clock, 250_000);
  expect((await tickets.rank(await tickets.join('other'))).before).toBe(1);
});

test('turns: a client is absent when the last of its requests is dropped', async () => {
  const { bucket, open } = closedBucket();
  const tickets = openTickets();
  const turns = openTurns([], { bucket, tickets });
  const first = async () => (await tickets.first())?.client;
  const requests = [new AbortController(), new AbortController()].map((ended) => ({
    ended,
    waiting: turns.lane({ client: 'one' }).acquire('person', ended.signal),
  }));
  await tickets.join('one');
  for (const { ended, waiting } of requests) {
    expect(await first()).toBe('one');
    ended.abort(new Error('ended'));
    await expect(waiting).rejects.toThrow('ended');
  }
  await vi.waitFor(async () => expect(await first()).toBeUndefined());
  open();
});

test('turns: a request that is dropped while its wait is estimated leaves no place', async () => {
  const estimated = Promise.withResolvers<number>();
  const bucket = { ...closedBucket().bucket, left: () => estimated.promise };
  const tickets = openTickets();
  const join = vi.spyOn(tickets, 'join');
  const ended = new AbortController();
  const waiting = openTurns([], { bucket, tickets })
    .lane({ client: 'one' })
    .acquire('person', ended.signal);
  ended.abort(new Error('ended'));
  await expect(waiting).rejects.toThrow('ended');
  estimated.resolve(0);
  await vi.waitFor(() => expect(join.mock.settledResults).toMatchObject([{ type: 'fulfilled' }]));
  await vi.waitFor(async () => expect(await tickets.first()).toBeUndefined());
});

test('turns: the next place of a client is in the round after its last one', async () => {
  const tickets = new Tickets(store.db, 'documents', clock, refillMs);
  const places = async (...clients: readonly string[]) => {
    const joined = [];
    for (const client of clients) joined.push(await tickets.join(client));
    return joined.map(({ round }) => round);
  };
  expect(await places('one', 'other')).toEqual([0, 0]);
  // Whether it goes on at once or comes back, those who wait in its round are before it.
  await tickets.served('one', true, false);
  expect(await places('one', 'late')).toEqual([1, 0]);
  await tickets.served('other', false, false);
  expect(await places('other')).toEqual([1]);
  const ranks = [];
  for (const client of ['late', 'one', 'other']) {
    ranks.push((await tickets.rank(await tickets.join(client))).before);
  }
  expect(ranks).toEqual([0, 1, 2]);
  // A round that was over in the meantime is not made up for.
  await tickets.served('late', false, false);
  await tickets.served('one', true, false);
  await tickets.served('one', true, false);
  expect(await places('late')).toEqual([2]);
});

test('turns: a place that nobody takes when it is due lapses after two minutes', async () => {
  const tickets = new Tickets(store.db, 'documents', clock, refillMs);
  const left = await tickets.join('left');
  const other = await tickets.join('other');
  // It is kept for who was told to come back, but does not wait at a process.
  await tickets.leave('left', clock.now() + 1000);
  expect((await tickets.first())?.client).toBe('other');
  expect(await tickets.rank(other)).toEqual({ before: 1, all: 2 });
  await sleep(clock, 1000 + 119_000);
  await tickets.join('other');
  expect((await tickets.rank(other)).before).toBe(1);
  // Also in a round that was over for the others in the meantime.
  await tickets.served('other', true, false);
  await tickets.served('other', true, false);
  expect(await tickets.join('left')).toEqual(left);
  await tickets.leave('left', clock.now());
  await sleep(clock, 121_000);
  expect(await tickets.rank(await tickets.join('other'))).toEqual({ before: 0, all: 1 });
  const again = await tickets.join('left');
  expect(again.since).toBeGreaterThan(left.since);
  // Another process of the gateway takes nobody's place away.
  await new Tickets(store.db, 'documents', clock, refillMs).leave('left', clock.now());
  expect((await tickets.rank(await tickets.join('left'))).all).toBe(2);
});

test('turns: places that count no more are removed, and those of a round that goes on are not', async () => {
  const tickets = new Tickets(store.db, 'documents', clock, refillMs);
  const stored = async () => {
    const rows = await store.db.selectFrom('turn_tickets').select('client_id').execute();
    return rows.map(({ client_id: client }) => client).toSorted();
  };
  for (const client of ['gone', 'one', 'two']) await tickets.join(client);
  await tickets.leave('gone', clock.now());
  await tickets.served('one', false, false);
  // Its next place is in the round after this one.
  expect(await stored()).toEqual(['gone', 'one', 'two']);
  await tickets.served('two', true, false);
  await tickets.served('two', true, false);
  expect(await stored()).toEqual(['gone', 'two']);
  await sleep(clock, 121_000);
  await tickets.join('two');
  await tickets.served('two', true, false);
  expect(await stored()).toEqual(['two']);
  // A client without a place does no harm.
  await tickets.served('nobody', false, false);
  expect(await stored()).toEqual(['two']);
});

test('turns: the time of a turn is learned while clients wait, and their turns are counted', async () => {
  const tickets = new Tickets(store.db, 'documents', clock, refillMs);
  await tickets.join('one');
  await tickets.join('two');
  await tickets.served('one', true, true);
  const first = await tickets.state();
  expect(first).toMatchObject({ client_turns: 1, turn_ms: refillMs, turn_at: clock.now() });
  await sleep(clock, 2 * refillMs);
  await tickets.join('one');
  await tickets.served('one', false, true);
  // A fifth of the way to what the latest one took.
  expect(await tickets.state()).toMatchObject({ client_turns: 2, turn_ms: refillMs * 1.2 });
  await sleep(clock, 2 * refillMs);
  await tickets.join('two');
  // One that did not wait for the bucket says nothing.
  await tickets.served('two', false, false);
  // Nobody waits any more, so the next time between turns is not one of a turn.
  expect(await tickets.state()).toMatchObject({
    client_turns: 3,
    turn_ms: refillMs * 1.2,
    turn_at: 0,
  });
  await tickets.servedGuest();
  expect((await tickets.state()).client_turns).toBe(0);
});

test.each([[1], [2]])(
  'turns: a refused client keeps its place, and waits as long as it was told (%i queues)',
  async (processes) => {
    const laptops = smokeOrLong(12, 30);
    const each = 3;
    const served: Turn[] = [];
    const wakes: (() => void)[] = [];
    const notifications = {
      notify: () => wakes.forEach((wake) => wake()),
      subscribe: (wake: () => void) => void wakes.push(wake),
    };
    const queues = Array.from({ length: processes }, () => openTurns(served, { notifications }));
    const waits: { client: string; toldMs: number; realMs: number; isLast: boolean }[] = [];
    const deliver = async (index: number) => {
      const client = `laptop-${String(index)}`;
      // Of clients that come in the same millisecond, the later one may go first.
      await sleep(clock, index);
      for (let number = 1; number <= each; number += 1) {
        const startedAt = clock.monotonic();
        let toldMs = 0;
        for (let attempt = 0; ; attempt += 1) {
          const queue = queues[(index + attempt) % processes];
          if (!queue) throw new Error('there is a queue');
          try {
            await take(queue, { client });
            break;
          } catch (error) {
            const waitMs = Number(paramOf(error as DeskError, 'retryAfterS')) * 1000;
            toldMs ||= waitMs;
            await sleep(clock, waitMs);
          }
        }
        const realMs = clock.monotonic() - startedAt;
        waits.push({ client, toldMs, realMs, isLast: number === each });
      }
    };
    await Promise.all(Array.from({ length: laptops }, (_, index) => deliver(index)));

    const roundMs = laptops * refillMs;
    const sorted = waits.map(({ realMs }) => realMs).toSorted((a, b) => a - b);
    const p95 = sorted[Math.floor(sorted.length * 0.95)] ?? 0;
    expect(p95 / roundMs).toBeLessThanOrEqual(1.5);
    expect((sorted.at(-1) ?? 0) / roundMs).toBeLessThanOrEqual(2);
    const told = waits.filter(({ toldMs }) => toldMs > 0);
    expect(told.length).toBeGreaterThan(0);
    const isTrue = ({ toldMs, realMs }: (typeof waits)[number]) =>
      Math.abs(realMs - toldMs) <= realMs / 4;
    expect(told.filter(isTrue).length / told.length).toBeGreaterThanOrEqual(0.95);
    // Everybody has the second turn before anybody has the third.
    const counts = new Map<string, number>();
    for (const { party } of served) {
      const count = (counts.get(nameOf(party)) ?? 0) + 1;
      counts.set(nameOf(party), count);
      const least = Math.min(...counts.values(), counts.size < laptops ? 0 : Infinity);
      expect(count - least).toBeLessThanOrEqual(2);
    }
  },
  120_000,
);
