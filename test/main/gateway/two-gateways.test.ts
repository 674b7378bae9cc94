import { readdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createCode } from '#main/gateway/clients.ts';
import { openGatewayStore } from '#main/gateway/open-context.ts';
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
import { enrol, machineClock, newKey } from './support/gateway.ts';

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
    ...['--data', join(folder.path, name)],
    ...['--database', databaseOf(database)?.url ?? ''],
    ...['--upstream-credentials', join(folder.path, 'credentials.json')],
    ...['--public-url', publicUrl],
  ]);
}

async function newCode(): Promise<string> {
  const { log } = createMemoryLog();
  const directory = join(folder.path, 'command');
  const store = await openGatewayStore({ directory, database: databaseOf(database), log });
  const { code } = await createCode(store.db, machineClock, { name: 'L', isDispatcher: false });
  await store.close();
  return code;
}

test('two gateways: one is killed with an upload under way, and the other one goes on with everything', async ({
  signal,
}) => {
  const insurer = await service.partner('insurer');
  const { Id: caseId } = await acceptedCase(service, insurer);
  gateways = await Promise.all([start('first'), start('second')]);
  const [first, second] = gateways;
  if (!first || !second) throw new Error('there are two gateways');
  const { publicPem, privatePem } = newKey();
  const { json } = await enrol(first.baseUrl, await newCode(), publicPem);
  const { ClientId: clientId } = json as { ClientId: string };
  const laptopAt = ({ baseUrl }: RunningGatewayProcess) =>
    createPartner({ clientId, privateKeyPem: privatePem }, baseUrl, { publicUrl });
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
  const held = async () =>
    ((await expert.request('GET', documents)).json as { Total: number }).Total;
  while ((await held()) === 0) signal.throwIfAborted();
  await first.kill();
  expect(await lost).toBe('lost');

  const { Id: newId } = await acceptedCase(service, insurer);
  const again = await atSecond.request('POST', documents, sent);
  expect([again.status, again.headers['idempotency-replayed']]).toEqual([201, 'true']);
  expect(await held()).toBe(1);
  const submit = `/v1/experts/reports/${submissionId}/submit`;
  expect((await atSecond.request('POST', submit, { idempotencyKey: 'submit' })).status).toBe(200);
  const list = (await atSecond.request('GET', cases)).json as { Items: { Id: string }[] };
  expect(list.Items.map(({ Id }) => Id).toSorted()).toEqual([caseId, newId].toSorted());

  // Started again it clears away what it had received, and ends in order.
  const uploads = join(folder.path, 'first', 'uploads');
  expect(readdirSync(uploads)).toHaveLength(1);
  gateways = [await start('first'), second];
  expect(readdirSync(uploads)).toEqual([]);
  expect(await gateways[0]?.stop()).toBe(0);
});
