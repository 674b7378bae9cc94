import { SignJWT } from 'jose';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { revokeClient } from '#main/gateway/auth/clients.ts';
import { machineClock } from '../../service/support/fake-clock.ts';
import { createMemoryLog } from '../../service/support/memory-log.ts';
import { send, tokenForm, type Partner } from '../../service/support/partner.ts';
import { enrol, newKey, startGateway, type GatewayForTest } from '../support/gateway.ts';
import { problem } from '../../../support/partner/hostile-server.ts';
import { startOddPartner, type OddPartner } from '../support/odd-partner.ts';

/* What is in the audit of attempts that were refused, by whom, and once. */

const { log, lines } = createMemoryLog();
let partner: OddPartner;
let gateway: GatewayForTest;
let device: Partner & { readonly clientId: string };

beforeAll(async () => {
  partner = await startOddPartner('a', 'b');
  gateway = await startGateway(partner, { visibility: 'assigned', log });
  await gateway.context.pull.stop();
  device = await gateway.laptop();
  await device.token();
});
afterAll(async () => {
  await gateway.remove();
  await partner.stop();
});
beforeEach(async () => {
  await gateway.context.db.deleteFrom('audit').execute();
});
afterEach(() => vi.restoreAllMocks());

const cases = '/v1/experts/cases';
const people = '/v1/gateway/people';
const hash = 'application/x-www-form-urlencoded';

/** The entries, once there are as many. An entry is written after the answer. */
async function entries(count: number) {
  const read = () => gateway.context.db.selectFrom('audit').selectAll().orderBy('id').execute();
  await expect.poll(read).toHaveLength(count);
  return (await read()).map(({ client_id, operation, subject, status }) => [
    client_id,
    operation,
    subject,
    status,
  ]);
}
const ask = (path: string, headers: Record<string, string> = {}) =>
  send('GET', gateway.baseUrl + path, { headers });
const post = (path: string, type: string, text: string) =>
  send('POST', gateway.baseUrl + path, { headers: { 'content-type': type }, body: text });

test('refused: a device is named with the case or the submission that it asked for', async () => {
  const reports = '/v1/experts/reports';
  await gateway.context.db
    .insertInto('reports')
    .values({ id: 'r', case_id: 'b', position: 0, body_json: '{}' })
    .execute();
  await device.request('GET', `${cases}/b`);
  await device.request('GET', `${cases}/b/documents/d`);
  await device.request('POST', `${reports}/r/submit`);
  const body = { ClientId: device.clientId, CaseIds: ['a'] };
  await device.request('PUT', '/v1/gateway/assignments', { body });
  expect(await entries(4)).toEqual([
    [device.clientId, 'X2', 'b', 403],
    [device.clientId, 'X7', 'b', 403],
    [device.clientId, 'X15', 'r', 403],
    [device.clientId, 'hand_over_refused', '', 403],
  ]);
});

test('refused: whoever is not known is named as it names itself, with its address', async () => {
  const token = (sub: unknown) =>
    // The cast is wrong on purpose for what is no text.
    new SignJWT({ sub } as { sub: string })
      .setProtectedHeader({ alg: 'HS256' })
      .sign(Buffer.alloc(32));
  await enrol(gateway.baseUrl, 'AAAA', newKey().publicPem);
  await ask(people);
  await ask(cases, { authorization: `DPoP ${await token('somebody')}` });
  await ask(cases, { authorization: `dpop  ${await token('x\n\u0000é'.repeat(40))}` });
  await ask(cases, { authorization: `DPoP ${await token(7)}` });
  await ask(cases, { authorization: 'Bearer none' });
  await post('/v1/oauth/token', hash, tokenForm('nobody at all', 'none'));
  expect(await entries(7)).toEqual([
    ['', 'enrol_refused', 'from 127.0.0.1', 403],
    ['', 'refused', 'from 127.0.0.1', 401],
    ['', 'X1', 'somebody from 127.0.0.1', 401],
    ['', 'X1', `${'x???'.repeat(25)} from 127.0.0.1`, 401],
    ['', 'X1', 'from 127.0.0.1', 401],
    ['', 'X1', 'from 127.0.0.1', 401],
    ['', 'token', 'nobody?at?all from 127.0.0.1', 401],
  ]);
});

test('refused: the page of the dispatcher names what was tried', async () => {
  const form = (path: string, text: string) =>
    send('POST', `${gateway.baseUrl}/dispatch/${path}`, {
      headers: { 'content-type': hash, origin: 'https://evil.example' },
      body: text,
    });
  for (const path of ['sign-in', 'assign', 'sign-out']) await form(path, 'code=AAAA');
  expect((await entries(3)).map(([, operation]) => operation)).toEqual([
    'sign_in_refused',
    'assign_refused',
    'sign_out_refused',
  ]);
});

test('refused: what was passed on has its own entry alone, and other refusals have none', async () => {
  await gateway.context.db
    .insertInto('assignments')
    .values({ case_id: 'a', client_id: device.clientId })
    .execute();
  const amounts = { body: { CostEstimateAmount: 1, ApprovedAmount: null } };
  partner.next(problem(403, 'forbidden'));
  expect((await device.request('PUT', `${cases}/a/amounts`, amounts)).status).toBe(403);
  expect((await device.request('GET', `${cases}/none`)).status).toBe(404);
  expect((await device.request('GET', `${cases}?page=x`)).status).toBe(400);
  await device.request('GET', cases);
  await device.request('GET', `${cases}/b`);
  expect(await entries(2)).toEqual([
    [device.clientId, 'X4', 'a', 403],
    [device.clientId, 'X2', 'b', 403],
  ]);
});

test('refused: an entry that cannot be written is logged, and the answer is the same', async () => {
  vi.spyOn(gateway.context.db, 'insertInto').mockImplementation(() => {
    throw new Error('no database');
  });
  expect((await ask(people)).status).toBe(401);
  await expect.poll(() => lines.join('')).toContain('a refused attempt was not recorded');
});

test('refused: a device that was revoked is named as such', async () => {
  const other = await gateway.laptop();
  await other.token();
  await gateway.context.db.deleteFrom('audit').execute();
  await revokeClient(gateway.context.db, machineClock, other.clientId);
  expect((await other.request('GET', cases)).status).toBe(401);
  expect(await entries(1)).toEqual([['', 'X1', `${other.clientId} from 127.0.0.1`, 401]]);
});
