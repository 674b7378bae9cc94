import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { isPostgres } from '#main/front/store/store.ts';
import {
  createCode,
  createReplacementCode,
  openCodes,
  revokeClient,
  revokeCode,
} from '#main/gateway/auth/clients.ts';
import { openGatewayStore } from '#main/gateway/context.ts';
import { findStaleCases } from '#main/gateway/reading/stale-cases.ts';
import { acceptedCase, contents, upload } from '../service/support/claims.ts';
import { databaseOf } from '../service/support/database.ts';
import { createMemoryLog } from '../service/support/memory-log.ts';
import { startService } from '../service/support/service.ts';
import { machineClock } from '../service/support/fake-clock.ts';
import { enrol, newKey, startGateway } from './support/gateway.ts';

/*
 * A day of a gateway over PostgreSQL. Every rule of keys, lists and reports is tested over SQLite, and
 * by `npm run test:long` over both; here is what their statements have to do in the other dialect.
 */

const cases = '/v1/experts/cases';

test('shared store: a laptop is enrolled, lists, sends a report once, is revoked and comes back', async () => {
  await using stack = new AsyncDisposableStack();
  const service = await startService({ clock: machineClock });
  stack.defer(() => service.remove());
  const insurer = await service.partner('insurer');
  const [first, other] = [
    await acceptedCase(service, insurer),
    await acceptedCase(service, insurer),
  ];
  const gateway = await startGateway(service);
  stack.defer(() => gateway.remove());
  const { db } = gateway.context;
  expect(isPostgres(db)).toBe(true);
  await gateway.context.pull.now();
  const laptop = await gateway.laptop();

  const idsOf = async (query: string) => {
    const { json } = await laptop.request('GET', `${cases}?${query}`);
    return (json as { Items: { Id: string }[] }).Items.map(({ Id }) => Id);
  };
  expect(new Set(await idsOf(''))).toEqual(new Set([first.Id, other.Id]));
  expect(await idsOf(`q=${first.ExternalKey}`)).toEqual([first.Id]);
  expect(await idsOf('status=Final')).toEqual([]);
  expect(await idsOf('sortBy=CreatedAt&order=desc&size=1')).toEqual([other.Id]);
  const stale = findStaleCases(db, { limit: 20, except: new Set() }).compile();
  const plan = await db.connection().execute(async (session) => {
    await sql`set enable_seqscan = off`.execute(session);
    return session.executeQuery({ ...stale, sql: `explain ${stale.sql}` });
  });
  expect(JSON.stringify(plan.rows)).toContain('cases_stale');

  const draft = { body: { Comment: 'Seen.' }, idempotencyKey: 'draft' };
  const created = await laptop.request('POST', `${cases}/${first.Id}/reports:draft`, draft);
  expect(created.status).toBe(201);
  const again = await laptop.request('POST', `${cases}/${first.Id}/reports:draft`, draft);
  expect(again.headers['idempotency-replayed']).toBe('true');
  expect(again.body).toEqual(created.body);
  const report = `/v1/experts/reports/${(created.json as { Id: string }).Id}`;
  const document = { body: upload(contents.pdf), idempotencyKey: 'document' };
  for (let times = 0; times < 2; times += 1)
    expect((await laptop.request('POST', `${report}/documents`, document)).status).toBe(201);
  const documents = await (await service.partner('expert')).request('GET', `${report}/documents`);
  expect(documents.json).toMatchObject({ Total: 1 });

  const withdrawn = await createReplacementCode(db, machineClock, laptop.clientId);
  await revokeClient(db, machineClock, laptop.clientId);
  expect(await openCodes(db, machineClock)).toEqual([]);
  const enrolWith = (code = '') => enrol(gateway.baseUrl, code, newKey().publicPem);
  expect((await enrolWith(withdrawn?.code)).status).toBe(403);
  const replacement = await createReplacementCode(db, machineClock, laptop.clientId);
  expect((await enrolWith(replacement?.code)).status).toBe(201);
  expect((await enrolWith(replacement?.code)).status).toBe(403);
  expect((await laptop.request('GET', cases)).status).toBe(401);
});

test('shared store: a code is withdrawn before or after it is redeemed, and not in between', async () => {
  await using stack = new AsyncDisposableStack();
  const service = await startService({ clock: machineClock });
  stack.defer(() => service.remove());
  const gateway = await startGateway(service);
  stack.defer(() => gateway.remove());
  const { db } = gateway.context;
  const { directory } = gateway;
  const { log } = createMemoryLog();
  const command = await openGatewayStore({ directory, database: databaseOf(directory), log });
  stack.defer(() => command.close());
  const { code } = await createCode(db, machineClock, { name: 'L', isDispatcher: false });
  // A redemption is a transaction, too.
  const withdrawn = await db.transaction().execute(async () => {
    const over = new AbortController();
    const ended = revokeCode(command.db, code).finally(() => over.abort());
    const waits = async () => {
      const waiting = sql`select from pg_locks where locktype = 'advisory' and not granted`;
      while (!over.signal.aborted) if ((await waiting.execute(db)).rows.length > 0) return 'waits';
      return 'ended';
    };
    expect(await waits()).toBe('waits');
    return { ended };
  });
  expect(await withdrawn.ended).toEqual(['L']);
});
