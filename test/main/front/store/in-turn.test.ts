import { queryObjects } from 'node:v8';
import {
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
} from 'kysely';
import type { Driver } from 'kysely';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { inTurn } from '#main/front/store/in-turn.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const patienceMs = 30_000;

/** Opens over a driver that does as the given parts say; all else succeeds. */
function openWith(parts: Partial<Driver>) {
  const driver = Object.assign(new DummyDriver(), parts);
  return new Kysely<object>({
    dialect: inTurn(
      {
        createDriver: () => driver,
        createAdapter: () => new PostgresAdapter(),
        createIntrospector: (db) => new PostgresIntrospector(db),
        createQueryCompiler: () => new PostgresQueryCompiler(),
      },
      patienceMs,
    ),
  });
}

/** A function that fails the first time. */
function failingOnce<Result>(act: () => Promise<Result>): () => Promise<Result> {
  let calls = 0;
  return () => {
    calls += 1;
    return calls === 1 ? Promise.reject(new Error('no')) : act();
  };
}

test.each<[string, (driver: Driver) => Partial<Driver>]>([
  [
    'gets no connection',
    (driver) => ({ acquireConnection: failingOnce(() => driver.acquireConnection()) }),
  ],
  ['cannot begin', () => ({ beginTransaction: failingOnce(() => Promise.resolve()) })],
])('in turn: a transaction that %s does not hold up the next', async (_, partsOf) => {
  const db = openWith(partsOf(new DummyDriver()));
  const outcomes = await Promise.allSettled(
    [1, 2, 3].map((value) => db.transaction().execute(() => Promise.resolve(value))),
  );
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'fulfilled']);
});

test('in turn: if one hangs, all that wait are refused after the same time', async () => {
  const hang = Promise.withResolvers<undefined>();
  const db = openWith({});
  const order: string[] = [];
  const hanging = db.transaction().execute(async () => {
    await hang.promise;
    order.push('first');
  });
  const waiting = [1, 2, 3].map(() =>
    db
      .transaction()
      .execute(() => Promise.resolve(order.push('never')))
      .catch((error: unknown) => String(error)),
  );
  await vi.advanceTimersByTimeAsync(patienceMs);
  expect(await Promise.all(waiting)).toEqual(
    Array.from(waiting, () => 'Error: the transactions before this one did not end in time'),
  );
  // One that comes now still has its turn after the one that hangs.
  const next = db.transaction().execute(() => Promise.resolve(order.push('next')));
  await vi.advanceTimersByTimeAsync(patienceMs / 2);
  hang.resolve(undefined);
  await Promise.all([hanging, next]);
  expect(order).toEqual(['first', 'next']);
});

test('in turn: those that have ended are not held in memory', async () => {
  const db = openWith({});
  const run = async (count: number) => {
    for (let n = 0; n < count; n += 1) await db.transaction().execute(() => Promise.resolve());
    return queryObjects(Array, { format: 'count' });
  };
  const before = await run(100);
  expect(await run(3000)).toBeLessThan(before + 1000);
});
