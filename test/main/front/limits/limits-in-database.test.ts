import { randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Kysely } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  createSharedBucket,
  createSharedWindow,
  purgeSharedLimits,
} from '#main/front/limits/limits-in-database.ts';
import {
  createFixedWindow,
  createTokenBucket,
  type Limit,
} from '#main/front/limits/limits-in-memory.ts';
import { createSecurity } from '#main/front/store/front-schema.ts';
import { postgresDialect } from '#main/front/store/shared-store.ts';
import type { LimitTables } from '#main/front/store/tables.ts';
import { createDatabase, databaseOf, dropDatabase } from '../../service/support/database.ts';
import { createFakeClock, type FakeClock } from '../../service/support/fake-clock.ts';

/* Over PostgreSQL alone: the limits of several processes are those that one has in its memory. */

const directory = join(tmpdir(), randomUUID());
let db: Kysely<LimitTables>;
let clock: FakeClock;
const startMs = Date.UTC(2026, 2, 1);

beforeAll(async () => {
  await createDatabase(directory);
  const dialect = await postgresDialect({
    url: databaseOf(directory)?.url ?? '',
    connections: 4,
    durability: 'process',
    onError: () => undefined,
  });
  db = new Kysely({ dialect });
  await createSecurity(new Kysely({ dialect }));
});
afterAll(async () => {
  await db.destroy();
  await dropDatabase(directory);
});
beforeEach(async () => {
  await db.deleteFrom('rate_limits').execute();
  clock = createFakeClock(startMs);
});

const names = async () =>
  (await db.selectFrom('rate_limits').select('name').orderBy('name').execute()).map(
    ({ name }) => name,
  );
const bucketLimit = { capacity: 3, refillPerMinute: 20 };
const bucket = (limit = bucketLimit) => createSharedBucket('documents', limit, { db, clock });
const windowLimit = { requests: 2, windowMs: 60_000 };
const windowOf = (limit = windowLimit) => createSharedWindow('token', limit, { db, clock });

describe('limits in a database: a bucket', () => {
  test('is that of memory, request by request', async () => {
    const [shared, own] = [bucket(), createTokenBucket(bucketLimit, clock)];
    const steps: [waitMs: number, partition: string, reserved?: number, tokens?: 0 | 1][] = [
      [0, 'a'],
      [0, 'a'],
      [0, 'b'],
      [10, 'a'],
      [0, 'a'],
      [2989, 'a'],
      [1, 'a'],
      [0, 'a'],
      [1000, 'a', 1],
      [7000, 'a', 1, 0],
      [0, 'a', 1],
      [0, 'a'],
      [0, 'new', 1],
      [0, 'new', 1],
      [0, 'new', 1],
      [0, 'new', 3, 1],
      [0, 'untouched', 1, 0],
      [600_000, 'a', 0, 0],
      [0, 'a', 0, 1],
    ];
    for (const [waitMs, ...asked] of steps) {
      clock.advance(waitMs);
      const [one, other] = [await shared.take(...asked), own.take(...asked)];
      expect([asked, Math.round(one * 1000)]).toEqual([asked, Math.round(other * 1000)]);
      const [left, ownLeft] = [await shared.left(asked[0]), await own.left(asked[0])];
      expect(left).toBeCloseTo(ownLeft, 6);
    }
  });

  test('is full of nobody’s requests', async () => {
    expect(await bucket().left('nobody')).toBe(3);
    await bucket().take('a');
    clock.advance(600_000);
    expect(await bucket().left('a')).toBe(3);
  });

  test('gives one token once, however many ask at a time', async () => {
    const waits = await Promise.all(Array.from({ length: 12 }, async () => bucket().take('a')));
    expect(waits.filter((waitMs) => waitMs === 0)).toHaveLength(3);
    expect(waits.filter((waitMs) => waitMs === 3000)).toHaveLength(9);
  });

  test('of a process whose time is behind gives no token twice', async () => {
    for (let times = 0; times < 3; times += 1) await bucket().take('a');
    const before = clock;
    clock = createFakeClock(startMs - 60_000);
    expect([await bucket().left('a'), await bucket().take('a')]).toEqual([0, 3000]);
    clock = before;
    expect(await bucket().take('a')).toBe(3000);
  });

  test('is another one for another limit and another client', async () => {
    await bucket().take('a');
    await createSharedBucket('standard', bucketLimit, { db, clock }).take('a');
    await windowOf().take('a');
    expect(await names()).toEqual(['documents a', 'standard a', 'token a']);
  });
});

describe('limits in a database: a window', () => {
  test('is that of memory, request by request', async () => {
    clock.advance(12_345);
    const [shared, own]: Limit[] = [windowOf(), createFixedWindow(windowLimit, clock)];
    for (const [waitMs, partition] of [
      [0, 'a'],
      [0, 'a'],
      [0, 'a'],
      [100, 'a'],
      [0, 'b'],
      [47_554, 'a'],
      [1, 'a'],
      [0, 'a'],
      [0, 'a'],
      [59_999, 'a'],
      [1, 'a'],
      [600_000, 'a'],
    ] as const) {
      clock.advance(waitMs);
      expect(await shared?.take(partition)).toBe(await own?.take(partition));
    }
  });

  test('lets as many through as it says, however many ask at a time', async () => {
    const waits = await Promise.all(Array.from({ length: 12 }, async () => windowOf().take('a')));
    expect(waits.filter((waitMs) => waitMs === 0)).toHaveLength(2);
    expect(waits.filter((waitMs) => waitMs === 60_000)).toHaveLength(10);
  });

  test('of a process whose time is behind is not begun again', async () => {
    for (let times = 0; times < 2; times += 1) expect(await windowOf().take('a')).toBe(0);
    clock = createFakeClock(startMs - 1);
    expect(await windowOf().take('a')).toBe(60_001);
    clock = createFakeClock(startMs + 59_999);
    expect(await windowOf().take('a')).toBe(1);
  });
});

test('limits in a database: a row is deleted once it has no effect', async () => {
  await bucket().take('a');
  await windowOf().take('b');
  // The bucket counts as used for one token more than it has.
  clock.advance(12_000 - 1);
  await purgeSharedLimits({ db, clock });
  expect(await names()).toEqual(['documents a', 'token b']);
  clock.advance(1);
  await purgeSharedLimits({ db, clock });
  expect(await names()).toEqual(['token b']);
  clock.advance(48_000);
  await purgeSharedLimits({ db, clock });
  expect(await names()).toEqual([]);
});
