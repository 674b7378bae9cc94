import type { Pool, PoolClient } from 'pg';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { limitQueries } from '#main/front/store/limited-pool.ts';
import { watchWait, type StoreWait, type StoreWatch } from '#main/front/store/store-watch.ts';

/* Over a pool that answers when a test says so; the real one is behind the shared store's tests. */

let asked: unknown[];
let answer: PromiseWithResolvers<unknown>;
let client: Pick<PoolClient, 'query' | 'end' | 'release'>;
let pool: Pool;
let waits: StoreWait[];
const watch: StoreWatch = { waited: (wait) => waits.push(wait), addPool: () => undefined };

beforeEach(() => {
  vi.useFakeTimers();
  asked = [];
  waits = [];
  answer = Promise.withResolvers();
  client = {
    query: (...args: unknown[]) => {
      asked.push(args);
      return answer.promise;
    },
    end: () => {
      asked.push('end');
      return Promise.reject(new Error('it was gone already'));
    },
    release: (isLost: unknown) => void asked.push(['release', isLost]),
  } as unknown as typeof client;
  // The function uses these parts of a pool only.
  pool = {
    options: { max: 3 },
    connect: () => Promise.resolve(client),
    end: () => Promise.resolve(asked.push('end of the pool')),
  } as unknown as Pool;
});
afterEach(() => {
  vi.useRealTimers();
});

const open = (limitMs: number | undefined, watched?: StoreWatch) =>
  limitQueries(pool, limitMs, { name: 'reads', watch: watched });

test('limited pool: a query that is answered in time keeps its connection', async () => {
  const limited = await open(100).connect();
  const query = limited.query('select $1', ['a', 1]);
  await vi.advanceTimersByTimeAsync(99);
  answer.resolve({ rows: [] });
  expect(await query).toEqual({ rows: [] });
  await vi.advanceTimersByTimeAsync(1000);
  expect(asked).toEqual([['select $1', ['a', 1]]]);
  expect(vi.getTimerCount()).toBe(0);
});

test('limited pool: a query that is late ends its connection', async () => {
  const limited = await open(100).connect();
  const query = limited.query('select 1', []);
  await vi.advanceTimersByTimeAsync(100);
  expect(asked).toEqual([['select 1', []], 'end']);
  answer.reject(new Error('the connection ended'));
  await expect(query).rejects.toThrow('the connection ended');
  expect(vi.getTimerCount()).toBe(0);
});

test('limited pool: a query may wait if nothing limits it', async () => {
  const limited = await open(undefined).connect();
  const query = limited.query('select 1', []);
  expect(vi.getTimerCount()).toBe(0);
  await vi.advanceTimersByTimeAsync(1e9);
  answer.resolve(7);
  expect([await query, asked]).toEqual([7, [['select 1', []]]]);
});

test('limited pool: a text has no NUL, which the database would refuse', async () => {
  const limited = await open(100).connect();
  answer.resolve(null);
  await limited.query('select', ['a\0b\0', 1, null, Buffer.from('\0')]);
  expect(asked).toEqual([['select', ['a\ufffdb\ufffd', 1, null, Buffer.from('\0')]]]);
});

test('limited pool: a connection is the same object each time, and is given back as it is', async () => {
  const limited = open(100);
  const one = await limited.connect();
  expect(await limited.connect()).toBe(one);
  client = { ...client };
  expect(await limited.connect()).not.toBe(one);
  one.release(true);
  expect(limited.options).toBe(pool.options);
  await limited.end();
  expect(asked).toEqual([['release', true], 'end of the pool']);
});

test('limited pool: the wait for a connection is reported', async () => {
  await open(100, watch).connect();
  expect(waits).toEqual([{ wait: 'connection', pool: 'reads', ms: 0 }]);
});

test('a wait is reported with its time, also if it fails', async () => {
  const work = async () => {
    await vi.advanceTimersByTimeAsync(7);
    return 'done';
  };
  const wait = { wait: 'turn', pool: 'file' } as const;
  expect(await watchWait(watch, wait, work)).toBe('done');
  const failing = watchWait(watch, wait, async () => {
    await work();
    throw new Error('no');
  });
  await expect(failing).rejects.toThrow('no');
  expect(waits).toEqual([
    { ...wait, ms: 7 },
    { ...wait, ms: 7 },
  ]);
  expect(await watchWait(undefined, wait, work)).toBe('done');
  expect(waits).toHaveLength(2);
});
