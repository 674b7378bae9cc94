import { randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Kysely } from 'kysely';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { LimitTables } from '#main/front/store/tables.ts';
import type { Store } from '#main/front/store/store.ts';
import { openGatewayStore } from '#main/gateway/context.ts';
import type { GatewayTables } from '#main/gateway/tables.ts';
import { createPartnerBucket, type PartnerBucket } from '#main/gateway/turns/partner-bucket.ts';
import { createDatabase, databaseOf, dropDatabase } from '../../service/support/database.ts';
import { createFakeClock, type FakeClock } from '../../service/support/fake-clock.ts';
import { createMemoryLog } from '../../service/support/memory-log.ts';

/* The partner's bucket that the processes of a database share. */

const directory = join(tmpdir(), randomUUID());
const limit = { capacity: 4, refillPerMinute: 60 };
let store: Store<GatewayTables>;
let db: Kysely<LimitTables>;
let clock: FakeClock;
let one: PartnerBucket;
let other: PartnerBucket;

beforeAll(async () => {
  await createDatabase(directory);
  const database = databaseOf(directory);
  store = await openGatewayStore({ directory, database, log: createMemoryLog().log });
  if (!store.limits) throw new Error('the store is not shared');
  db = store.limits;
});
afterAll(async () => {
  await store.close();
  await dropDatabase(directory);
});
beforeEach(async () => {
  await db.deleteFrom('rate_limits').execute();
  clock = createFakeClock();
  const open = () => createPartnerBucket('standard', limit, clock, { db, clock });
  [one, other] = [open(), open()];
});

const onTheWay = async () =>
  (await db.selectFrom('rate_limits').select('name').execute()).filter(({ name }) =>
    name.includes('on its way'),
  ).length;

test('bucket in a database: processes take from one bucket, which spares one token', async () => {
  expect(await one.left()).toBe(3);
  const waits = [];
  for (const bucket of [one, other, one, other]) waits.push((await bucket.take()).waitMs);
  expect(waits).toEqual([0, 0, 0, 1000]);
  expect([await onTheWay(), await other.left()]).toEqual([3, 0]);
});

test('bucket in a database: a request keeps its token until its answer, also from another process', async () => {
  const sent = await one.take();
  // The partner may not have received it yet, so its bucket may have lost this time.
  clock.advance(10_000);
  const second = await other.take();
  const third = await other.take();
  expect([second, third, await one.take()].map(({ waitMs }) => waitMs)).toEqual([0, 0, 1000]);
  await sent.answered();
  expect([await onTheWay(), await one.left()]).toEqual([2, 0]);
  // What came back during the request is counted before the request is removed.
  clock.advance(5000);
  for (const each of [second, third]) await each.answered();
  expect([await onTheWay(), (await one.take()).waitMs]).toEqual([0, 0]);
});

test('bucket in a database: a request that has to wait keeps nothing', async () => {
  for (let times = 0; times < 3; times += 1) await one.take();
  const refused = await other.take();
  await expect(refused.answered()).resolves.toBeUndefined();
  expect([refused.waitMs, await onTheWay()]).toEqual([1000, 3]);
});

test('bucket in a database: the requests of the other bucket do not count', async () => {
  const documents = createPartnerBucket('documents', limit, clock, { db, clock });
  for (let times = 0; times < 3; times += 1) await documents.take();
  expect([(await one.take()).waitMs, await one.left()]).toEqual([0, 2]);
});

test('bucket in a database: the request of a process that ended counts for two minutes', async () => {
  await one.take();
  clock.advance(120_000 - 1);
  const last = async () => {
    const waits = [];
    for (let times = 0; times < 3; times += 1) waits.push((await other.take()).waitMs);
    return waits;
  };
  expect(await last()).toEqual([0, 0, 1000]);
  await db.deleteFrom('rate_limits').where('name', 'like', '%on its way%').execute();
  clock.advance(10_000);
  await one.take();
  clock.advance(120_000);
  expect(await last()).toEqual([0, 0, 0]);
});

test('bucket in a database: an answer is no failure if the database is away, and its request still counts', async () => {
  const sent = await one.take();
  await sql`alter table rate_limits rename to away`.execute(db);
  await sent.answered();
  await sql`alter table away rename to rate_limits`.execute(db);
  expect(await onTheWay()).toBe(1);
});
