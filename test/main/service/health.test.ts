import { sql, type Kysely } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createHealthCheck } from '#main/service/open-endpoints.ts';
import type { Database } from '#main/service/store/tables.ts';
import { databaseOf } from './support/database.ts';
import { send } from './support/partner.ts';
import { startService, type ServiceForTest } from './support/service.ts';

let service: ServiceForTest;

beforeEach(async () => {
  service = await startService();
});
afterEach(() => service.remove());

/* Run over both stores. */

const isShared = () => databaseOf(service.directory) !== undefined;

/** From now on the store can be read but not written, or it can be written again. */
async function letWrite(isAllowed: boolean): Promise<void> {
  const { db } = service.context;
  if (!isShared()) await sql`pragma query_only = ${sql.raw(isAllowed ? '0' : '1')}`.execute(db);
  else if (isAllowed) await sql`alter table counters drop constraint full_disk`.execute(db);
  else await sql`alter table counters add constraint full_disk check (false) not valid`.execute(db);
}

/** Makes the transaction block the row that the health check writes. */
async function stand(transaction: Kysely<Database>): Promise<void> {
  // SQLite has one connection, which the transaction has.
  if (isShared()) await sql`lock table counters`.execute(transaction);
}

const ask = async () => {
  const { status, json } = await send('GET', `${service.baseUrl}/health`);
  return { status, json };
};

test('/health: answers without a token', async () => {
  expect(await ask()).toEqual({ status: 200, json: { status: 'ok' } });
});

test('health: 503 while the store can be read but not written, as on a full disk', async () => {
  await letWrite(false);
  expect(await ask()).toEqual({ status: 503, json: { status: 'failing' } });
  await letWrite(true);
  service.clock.advance(1000);
  expect(await ask()).toEqual({ status: 200, json: { status: 'ok' } });
});

test('health: the store is asked once a second, however often health is', async () => {
  await ask();
  await letWrite(false);
  service.clock.advance(999);
  expect((await ask()).status).toBe(200);
  service.clock.advance(1);
  expect((await ask()).status).toBe(503);
});

test('health: a store that does not answer within 2 s is failing', async () => {
  const check = createHealthCheck(service.context);
  const { promise: over, resolve: finish } = Promise.withResolvers<undefined>();
  // What it needs is taken by a transaction that does not end.
  const { promise: begun, resolve: begin } = Promise.withResolvers<undefined>();
  const transaction = service.context.db.transaction().execute(async (db) => {
    await stand(db);
    begin(undefined);
    await over;
  });
  await begun;
  const health = check();
  service.clock.advance(2000);
  await expect(health).resolves.toBe('failing');
  finish(undefined);
  await transaction;
});
