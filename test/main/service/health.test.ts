import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createHealthCheck } from '#main/service/health.ts';
import { send } from './support/partner.ts';
import { startService, type ServiceForTest } from './support/service.ts';

let service: ServiceForTest;

beforeEach(async () => {
  service = await startService();
});
afterEach(() => service.remove());

const ask = async () => {
  const { status, json } = await send('GET', `${service.baseUrl}/health`);
  return { status, json };
};

test('health: answers without a token', async () => {
  expect(await ask()).toEqual({ status: 200, json: { status: 'ok' } });
});

test('health: 503 while the store can be read but not written, as on a full disk', async () => {
  await sql`pragma query_only = 1`.execute(service.context.db);
  expect(await ask()).toEqual({ status: 503, json: { status: 'failing' } });
  await sql`pragma query_only = 0`.execute(service.context.db);
  service.clock.advance(1000);
  expect(await ask()).toEqual({ status: 200, json: { status: 'ok' } });
});

test('health: the store is asked once a second, however often health is', async () => {
  await ask();
  await sql`pragma query_only = 1`.execute(service.context.db);
  service.clock.advance(999);
  expect((await ask()).status).toBe(200);
  service.clock.advance(1);
  expect((await ask()).status).toBe(503);
});

test('health: a store that does not answer within 2 s is failing', async () => {
  const check = createHealthCheck(service.context);
  const { promise: over, resolve: finish } = Promise.withResolvers<undefined>();
  // The one connection of the store is taken by a transaction that does not end.
  const { promise: begun, resolve: begin } = Promise.withResolvers<undefined>();
  const transaction = service.context.db.transaction().execute(async () => {
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
