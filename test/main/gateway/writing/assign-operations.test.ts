import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { sql } from 'kysely';
import { revokeClient } from '#main/gateway/auth/clients.ts';
import { machineClock } from '../../service/support/fake-clock.ts';
import { send } from '../../service/support/partner.ts';
import { startGateway, type GatewayForTest } from '../support/gateway.ts';
import { startOddPartner, type OddPartner } from '../support/odd-partner.ts';

/* G1 and G2: to whom a dispatcher's desk can assign cases, and what is recorded of it. */

const [one, two] = [randomUUID(), randomUUID()];
let partner: OddPartner;
let gateway: GatewayForTest;
let device: Awaited<ReturnType<GatewayForTest['laptop']>>;
let dispatcher: Awaited<ReturnType<GatewayForTest['laptop']>>;

beforeAll(async () => {
  partner = await startOddPartner(one, two);
  gateway = await startGateway(partner, { visibility: 'assigned' });
  await gateway.context.pull.stop();
  [device, dispatcher] = [await gateway.laptop(), await gateway.laptop(true)];
});
afterAll(async () => {
  await gateway.remove();
  await partner.stop();
});
beforeEach(async () => {
  const { db } = gateway.context;
  await db.deleteFrom('assignments').execute();
  await db.deleteFrom('audit').execute();
});

interface DescribedContent {
  readonly 'application/json': { readonly schema: { readonly required: readonly string[] } };
}
interface DescribedOperation {
  readonly requestBody?: { readonly required: boolean; readonly content: DescribedContent };
  readonly responses: Readonly<
    Record<string, { readonly description: string; readonly content?: DescribedContent }>
  >;
}

const people = async (client: typeof device) =>
  (await client.request('GET', '/v1/gateway/people')).json;
const handOver = (client: typeof device, ClientId: string, CaseIds: readonly string[]) =>
  client.request('PUT', '/v1/gateway/assignments', { body: { ClientId, CaseIds } });
const assignments = () =>
  gateway.context.db.selectFrom('assignments').selectAll().orderBy('client_id').execute();
const audit = async () =>
  (await gateway.context.db.selectFrom('audit').selectAll().orderBy('id').execute()).map(
    ({ client_id, operation, subject, status }) => [client_id, operation, subject, status],
  );

test('G1: a dispatcher is told whom it can assign to, by name; nobody else is told anybody', async () => {
  const { db } = gateway.context;
  const revoked = await gateway.laptop();
  await revokeClient(db, machineClock, revoked.clientId);
  const named = (client: typeof device, name: string) =>
    db.updateTable('clients').set({ name }).where('client_id', '=', client.clientId).execute();
  for (const names of [
    ['A', 'B'],
    ['B', 'A'],
    ['A', 'A'],
  ] as const) {
    await named(device, names[0]);
    await named(dispatcher, names[1]);
    const Items = [
      { ClientId: device.clientId, Name: names[0] },
      { ClientId: dispatcher.clientId, Name: names[1] },
    ].toSorted((a, b) => (`${a.Name} ${a.ClientId}` < `${b.Name} ${b.ClientId}` ? -1 : 1));
    expect(await people(dispatcher)).toEqual({ MayAssign: true, Visibility: 'assigned', Items });
  }
  expect(await people(device)).toEqual({ MayAssign: false, Visibility: 'assigned', Items: [] });
});

test('G2: each case is a line of its own once, also one that is not there or was delisted', async () => {
  const { db } = gateway.context;
  const unknown = randomUUID();
  await db.updateTable('cases').set({ delisted: 1 }).where('id', '=', two).execute();
  const answer = await handOver(dispatcher, device.clientId, [one, unknown, two, one]);
  await db.updateTable('cases').set({ delisted: 0 }).where('id', '=', two).execute();
  expect([answer.status, answer.json]).toEqual([
    200,
    {
      Items: [
        { CaseId: one, IsAssigned: true },
        { CaseId: unknown, IsAssigned: false },
        { CaseId: two, IsAssigned: false },
      ],
    },
  ]);
  expect(await assignments()).toEqual([{ case_id: one, client_id: device.clientId }]);
  expect(await audit()).toEqual(
    [
      [one, 200],
      [unknown, 404],
      [two, 404],
    ].map(([id, status]) => [
      dispatcher.clientId,
      'hand_over',
      `${String(id)} ${device.clientId}`,
      status,
    ]),
  );
});

test('G2: nothing is assigned by a device, to a person that is unknown or revoked, or without a case', async () => {
  const revoked = await gateway.laptop();
  await revokeClient(gateway.context.db, machineClock, revoked.clientId);
  await gateway.context.db.deleteFrom('audit').execute();
  const refused = async (client: typeof device, clientId: string, ids: readonly string[]) => {
    const { status, json } = await handOver(client, clientId, ids);
    return [status, json];
  };
  expect(await refused(device, device.clientId, [one])).toMatchObject([
    403,
    {
      title: 'forbidden',
      detail: 'this client may not assign cases; who runs the gateway can allow it',
    },
  ]);
  for (const clientId of ['nobody', revoked.clientId]) {
    expect(await refused(dispatcher, clientId, [one])).toMatchObject([
      404,
      { title: 'not_found', detail: 'There is no such client.' },
    ]);
  }
  expect(await refused(dispatcher, device.clientId, [])).toMatchObject([400, {}]);
  expect(await assignments()).toEqual([]);
  expect((await audit()).filter(([, operation]) => operation === 'hand_over')).toEqual([]);
});

test('G2: the line is there before the case is assigned, and stays open if that fails', async () => {
  const { db } = gateway.context;
  await sql`create trigger fails before insert on assignments
    begin select raise(abort, 'no assignment'); end`.execute(db);
  const answer = await handOver(dispatcher, device.clientId, [one]);
  await sql`drop trigger fails`.execute(db);
  expect(answer.status).toBe(500);
  expect(await audit()).toEqual([
    [dispatcher.clientId, 'hand_over', `${one} ${device.clientId}`, null],
  ]);
});

test('G1 and G2: the OpenAPI document has them for devices, with what they take and answer', async () => {
  const { json } = await send('GET', `${gateway.baseUrl}/openapi.json`);
  const { paths } = json as { paths: Record<string, Record<string, DescribedOperation>> };
  const [list, assign] = [paths['/v1/gateway/people'], paths['/v1/gateway/assignments']];
  expect([Object.keys(list ?? {}), Object.keys(assign ?? {})]).toEqual([['get'], ['put']]);
  const refusals = ['400', '401', '403', '429', '500'];
  for (const [operation, id, name, statuses, members] of [
    [list?.['get'], 'listPeople', 'G1', refusals, ['MayAssign', 'Visibility', 'Items']],
    [assign?.['put'], 'handOverCases', 'G2', [...refusals, '404'], ['Items']],
  ] as const) {
    expect(operation).toMatchObject({
      operationId: id,
      summary: expect.stringContaining(name) as string,
      description: expect.stringMatching(/\w/) as string,
      tags: ['experts'],
      security: [{ dpop: [], proof: [] }],
      parameters: [{ $ref: '#/components/parameters/CorrelationId' }],
    });
    expect(Object.keys(operation?.responses ?? {})).toEqual(['200', ...statuses].toSorted());
    const { description, content } = operation?.responses['200'] ?? {};
    expect([description, content?.['application/json'].schema.required]).toEqual([
      'Success.',
      members,
    ]);
  }
  const { required, content } = assign?.['put']?.requestBody ?? {};
  const { schema } = content?.['application/json'] ?? {};
  expect([required, schema?.required]).toEqual([true, ['ClientId', 'CaseIds']]);
  // A member that the gateway does not know is no fault of a device.
  expect(schema).not.toHaveProperty('additionalProperties');
});
