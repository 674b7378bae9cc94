import { readdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createCode, revokeClient } from '#main/gateway/auth/clients.ts';
import { openGatewayStore } from '#main/gateway/context.ts';
import { readState, writeState } from '#main/gateway/state.ts';
import type { GatewayTables } from '#main/gateway/tables.ts';
import { smokeOrLong } from '../../support/long.ts';
import {
  startGatewayProcess,
  temporaryFolder,
  type RunningGatewayProcess,
} from '../../support/processes.ts';
import { acceptedCase, backoffice, contents, upload } from '../service/support/claims.ts';
import { createDatabase, databaseOf, dropDatabase } from '../service/support/database.ts';
import { createMemoryLog } from '../service/support/memory-log.ts';
import { createPartner } from '../service/support/partner.ts';
import { startService, type ServiceForTest } from '../service/support/service.ts';
import { machineClock } from '../service/support/fake-clock.ts';
import { enrol, newKey } from './support/gateway.ts';

/* Two gateways behind one address, on one PostgreSQL, started at once on an empty database. */

const publicUrl = 'https://gateway.example';
const cases = '/v1/experts/cases';
const folder = temporaryFolder();
const database = join(folder.path, `shared-${basename(folder.path)}`);
let service: ServiceForTest;
let gateways: RunningGatewayProcess[] = [];

beforeAll(async () => {
  service = await startService({ clock: machineClock });
  await createDatabase(database);
  const { expert } = service.credentials;
  const { audience } = service.context.address;
  const credentials = { baseUrl: service.baseUrl, audience, expert };
  writeFileSync(join(folder.path, 'credentials.json'), JSON.stringify(credentials));
});
afterAll(async () => {
  await Promise.all(gateways.map((gateway) => gateway.stop()));
  await dropDatabase(database);
  await service.remove();
  folder.remove();
});

function start(name: string): Promise<RunningGatewayProcess> {
  return startGatewayProcess([
    '--data',
    join(folder.path, name),
    '--database',
    databaseOf(database)?.url ?? '',
    '--upstream-credentials',
    join(folder.path, 'credentials.json'),
    '--public-url',
    publicUrl,
  ]);
}

/** Works on the store as a command does. */
async function inStore<T>(work: (db: Kysely<GatewayTables>) => Promise<T>): Promise<T> {
  const { log } = createMemoryLog();
  const directory = join(folder.path, 'command');
  const store = await openGatewayStore({ directory, database: databaseOf(database), log });
  try {
    return await work(store.db);
  } finally {
    await store.close();
  }
}

/** Enrols a laptop; the result makes it a caller of either gateway. */
async function enrolLaptop(gateway: RunningGatewayProcess) {
  const { code } = await inStore((db) =>
    createCode(db, machineClock, { name: 'L', isDispatcher: false }),
  );
  const { publicPem, privatePem } = newKey();
  const { json } = await enrol(gateway.baseUrl, code, publicPem);
  const { ClientId: clientId } = json as { ClientId: string };
  const at = ({ baseUrl }: RunningGatewayProcess) =>
    createPartner({ clientId, privateKeyPem: privatePem }, baseUrl, { publicUrl });
  return Object.assign(at, { clientId });
}

test('two gateways: one is killed with an upload under way, and the other one goes on with everything', async ({
  signal,
}) => {
  const insurer = await service.partner('insurer');
  const { Id: caseId } = await acceptedCase(service, insurer);
  gateways = await Promise.all([start('first'), start('second')]);
  const [first, second] = gateways;
  if (!first || !second) throw new Error('there are two gateways');
  const laptopAt = await enrolLaptop(first);
  const [atFirst, atSecond] = await Promise.all([laptopAt(first), laptopAt(second)]);

  const draft = { body: { Comment: 'Seen.' }, idempotencyKey: 'draft' };
  const created = await atFirst.request('POST', `${cases}/${caseId}/reports:draft`, draft);
  const { Id: submissionId } = created.json as { Id: string };
  const documents = `/v1/experts/reports/${submissionId}/documents`;
  // Carried out, and never answered.
  const never = { Effect: 'delay', DelayMs: 600_000, Times: 1 };
  await backoffice(service, 'PUT', '/faults', {
    Rules: [{ Method: 'POST', Path: '/documents$', ...never }],
  });
  const sent = { body: upload(contents.pdf), idempotencyKey: 'document' };
  const lost = atFirst.request('POST', documents, sent).catch(() => 'lost');
  const expert = await service.partner('expert');
  const total = async () =>
    ((await expert.request('GET', documents)).json as { Total: number }).Total;
  while ((await total()) === 0) signal.throwIfAborted();
  await first.kill();
  expect(await lost).toBe('lost');

  const { Id: newId } = await acceptedCase(service, insurer);
  const again = await atSecond.request('POST', documents, sent);
  expect([again.status, again.headers['idempotency-replayed']]).toEqual([201, 'true']);
  expect(await total()).toBe(1);
  const submit = `/v1/experts/reports/${submissionId}/submit`;
  expect((await atSecond.request('POST', submit, { idempotencyKey: 'submit' })).status).toBe(200);
  await inStore((db) => writeState(db, 'polled_at', '0'));
  const listed = async () =>
    ((await atSecond.request('GET', cases)).json as { Items: { Id: string }[] }).Items;
  while (!(await listed()).some(({ Id }) => Id === newId)) {
    signal.throwIfAborted();
    await setTimeout(1000);
  }
  expect((await listed()).map(({ Id }) => Id).toSorted()).toEqual([caseId, newId].toSorted());

  // The operator's command is known to every process at once.
  await inStore((db) => revokeClient(db, machineClock, laptopAt.clientId));
  expect((await atSecond.request('GET', cases)).status).toBe(401);

  // Started again it clears away what it had received, and ends in order.
  const uploads = join(folder.path, 'first', 'uploads');
  expect(readdirSync(uploads)).toHaveLength(1);
  gateways = [await start('first'), second];
  expect(readdirSync(uploads)).toEqual([]);
  expect(await gateways[0]?.stop()).toBe(0);
  await second.stop();
});

test('two gateways: the one that polls is killed in its pull, and the other one takes the next turn', async ({
  signal,
}) => {
  const insurer = await service.partner('insurer');
  await inStore((db) => writeState(db, 'polled_at', '0'));
  const pulledAt = () => inStore((db) => readState(db, 'pulled_at'));
  const before = await pulledAt();
  const never = { Effect: 'delay', DelayMs: 600_000 };
  await backoffice(service, 'PUT', '/faults', {
    Rules: [{ Method: 'GET', Path: '/experts/cases$', ...never }],
  });
  // The only one there takes the turn at once, and its pull never ends.
  const polling = await start('first');
  gateways = [polling];
  await inStore(async (db) => {
    while ((await readState(db, 'polled_at')) === '0') signal.throwIfAborted();
  });
  const other = await start('second');
  gateways = [polling, other];
  const laptop = await (await enrolLaptop(other))(other);
  await polling.kill();
  expect(await pulledAt()).toBe(before);

  await backoffice(service, 'PUT', '/faults', { Rules: [] });
  const { Id: newId } = await acceptedCase(service, insurer);
  // Half a minute later, which the long run waits for.
  if (smokeOrLong(true, false)) await inStore((db) => writeState(db, 'polled_at', '0'));
  const listed = async () =>
    ((await laptop.request('GET', cases)).json as { Items: { Id: string }[] }).Items;
  while (!(await listed()).some(({ Id }) => Id === newId)) {
    signal.throwIfAborted();
    // The laptop polls within its own limits, one request a second.
    await setTimeout(1000);
  }
});
