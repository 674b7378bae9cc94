import { sql, type Kysely } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { storeSentences } from '#main/front/status/store-check.ts';
import { createHealthCheck } from '#main/service/health-check.ts';
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

const ok = { status: 'ok', store: 'ok', documents: 'ok', detail: 'The store can be written.' };

test('/health: answers without a token', async () => {
  expect(await ask()).toEqual({ status: 200, json: ok });
});

test('/ready and /live: a process that drains is not ready, lives, and keeps no connection', async () => {
  const at = async (path: string) => {
    const { status, json, headers } = await send('GET', service.baseUrl + path);
    return { status, said: (json as { status: string }).status, connection: headers['connection'] };
  };
  const keepAlive = 'keep-alive';
  expect(await at('/ready')).toEqual({ status: 200, said: 'ready', connection: keepAlive });
  expect(await at('/live')).toEqual({ status: 200, said: 'live', connection: keepAlive });
  service.context.draining.isOn = true;
  expect(await at('/ready')).toEqual({ status: 503, said: 'draining', connection: 'close' });
  expect(await at('/live')).toEqual({ status: 200, said: 'live', connection: 'close' });
  expect((await at('/health')).status).toBe(200);
});

test('health: 503 with its reason while the store can be read but not written', async () => {
  await letWrite(false);
  // In PostgreSQL a constraint stands for the full disk, and its code says nothing of disks.
  const detail = isShared() ? storeSentences.failing : storeSentences.read_only;
  const failing = { ...ok, status: 'failing', store: 'failing', detail };
  expect(await ask()).toEqual({ status: 503, json: failing });
  const ready = await send('GET', `${service.baseUrl}/ready`);
  expect([ready.status, ready.json]).toEqual([503, { status: 'failing', detail }]);
  await letWrite(true);
  service.clock.advance(1000);
  expect(await ask()).toEqual({ status: 200, json: ok });
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
  await expect(health).resolves.toBe('slow');
  finish(undefined);
  await transaction;
});
