import { createPrivateKey } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  send,
  sha256,
  signAssertion,
  tokenForm,
  type Partner,
  type PartnerAnswer,
} from '../../service/support/partner.ts';
import { startService, type ServiceForTest } from '../../service/support/service.ts';

const cases = '/v1/experts/cases';
const documents = '/v1/experts/cases/8b0d4b2e-6f6a-4b6e-9d6b-0c1f0e2d3a4b/documents';

let service: ServiceForTest;
let partner: Partner;

beforeEach(async () => {
  service = await startService({ limits: 'on' });
  // The next clock minute begins in a minute, so that no test runs over its end.
  service.clock.advance(60_000 - (service.clock.now() % 60_000));
  partner = await service.partner('expert');
  await partner.token();
});
afterEach(() => service.remove());

async function statuses(count: number, ask: () => Promise<PartnerAnswer>): Promise<number[]> {
  const list: number[] = [];
  for (let index = 0; index < count; index += 1) list.push((await ask()).status);
  return list;
}

function expectRateLimited(answer: PartnerAnswer, retryAfter: string, policy: string): void {
  expect(answer.status).toBe(429);
  expect(answer.headers).toMatchObject({
    'content-type': 'application/problem+json',
    'retry-after': retryAfter,
    'x-ratelimit-policy': policy,
  });
  expect(answer.json).toMatchObject({
    title: 'rate_limited',
    status: 429,
    instance: answer.headers['x-correlation-id'],
  });
}

describe('standard bucket', () => {
  const policy = 'standard; token-bucket; 60/min; burst=20';

  test('limits: standardBucket, a burst of 20, then one a second; else rate_limited, with X-RateLimit-Policy', async () => {
    const ask = () => partner.request('GET', cases);
    expect(new Set(await statuses(20, ask))).toEqual(new Set([200]));
    expectRateLimited(await ask(), '1', policy);
    service.clock.advance(980);
    expectRateLimited(await ask(), '1', policy);
    service.clock.advance(20);
    expect((await ask()).status).toBe(200);
    expectRateLimited(await ask(), '1', policy);
    service.clock.advance(3_000);
    expect(await statuses(4, ask)).toEqual([200, 200, 200, 429]);
  });

  test('limits: clients do not share it', async () => {
    await statuses(21, () => partner.request('GET', cases));
    const other = await service.partner('otherExpert');
    expect((await other.request('GET', cases)).status).toBe(200);
  });
});

describe('documents bucket', () => {
  const policy = 'documents; token-bucket; 20/min; burst=10';

  test('limits: documentsBucket, a burst of 10, then one every 3 s', async () => {
    const ask = () => partner.request('GET', documents);
    expect(new Set(await statuses(10, ask))).toEqual(new Set([404]));
    expectRateLimited(await ask(), '3', policy);
    service.clock.advance(1_500);
    expectRateLimited(await ask(), '2', policy);
    service.clock.advance(1_500);
    expect((await ask()).status).toBe(404);
  });

  test('limits: Retry-After is the exact wait rounded up, whatever the refills sum up to', async () => {
    const ask = () => partner.request('GET', documents);
    await statuses(10, ask);
    // Ten refills of a thirtieth are a little less than a third in floating point.
    for (let asked = 0; asked < 9; asked += 1) {
      service.clock.advance(100);
      expectRateLimited(await ask(), '3', policy);
    }
    service.clock.advance(100);
    expectRateLimited(await ask(), '2', policy);
  });
});

describe('windows', () => {
  test('limits: tokenWindow, 10 tokens in each clock minute, per client', async () => {
    service.clock.advance(60_000);
    for (let count = 0; count < 10; count += 1) await partner.freshToken();
    await expect(partner.freshToken()).rejects.toThrow(/^token: 429 .*rate_limited/);
    const other = await service.partner('otherExpert');
    await expect(other.freshToken()).resolves.toBeTypeOf('string');
    service.clock.advance(60_000);
    await expect(partner.freshToken()).resolves.toBeTypeOf('string');
  });

  test('limits: 10 refused token requests in each clock minute, per address', async () => {
    const guess = () => send('POST', `${service.baseUrl}/v1/oauth/token`);
    expect(new Set(await statuses(10, guess))).toEqual(new Set([401]));
    service.clock.advance(15_500);
    expectRateLimited(await guess(), '45', 'token; fixed-window; 10/min');
    await expect(partner.freshToken()).resolves.toBeTypeOf('string');
  });

  test('limits: validateWindow, 10 validations in each clock minute, per address', async () => {
    const ask = () =>
      send('POST', `${service.baseUrl}/v1/insurers/claims:validate`, {
        headers: { 'content-type': 'application/json' },
        body: '{"Category":"none","PayloadJson":"{}"}',
      });
    expect(new Set(await statuses(10, ask))).toEqual(new Set([400]));
    expectRateLimited(await ask(), '60', 'validate; fixed-window; 10/min');
    service.clock.advance(60_000);
    expect((await ask()).status).toBe(400);
  });

  test('limits: validations with a token count for the client', async () => {
    const ask = () =>
      partner.request('POST', '/v1/insurers/claims:validate', { body: { Category: 'none' } });
    expect((await statuses(11, ask)).lastIndexOf(400)).toBe(9);
    const anonymous = await send('POST', `${service.baseUrl}/v1/insurers/claims:validate`);
    expect(anonymous.status).toBe(400);
  });
});

describe('a request that is refused with 429 has used up nothing', () => {
  test('limits: its proof is accepted later', async () => {
    const url = service.baseUrl + cases;
    const token = await partner.token();
    const dpop = await partner.proof('GET', url, { ath: sha256(token) });
    const ask = () => send('GET', url, { headers: { authorization: `DPoP ${token}`, dpop } });
    await statuses(20, () => partner.request('GET', cases));
    expect((await ask()).status).toBe(429);
    service.clock.advance(1_000);
    expect((await ask()).status).toBe(200);
    service.clock.advance(1_000);
    expect((await ask()).status).toBe(401);
  });

  test('limits: its assertion and its proof are accepted later', async () => {
    const url = `${service.baseUrl}/v1/oauth/token`;
    const { clientId, privateKeyPem } = service.credentials.otherExpert;
    const other = await service.partner('otherExpert');
    for (let count = 0; count < 10; count += 1) await other.freshToken();
    const key = createPrivateKey(privateKeyPem);
    const nowMs = service.clock.now();
    const assertion = await signAssertion(key, { clientId, audience: url, nowMs });
    const dpop = await other.proof('POST', url);
    const ask = () =>
      send('POST', url, {
        headers: { 'content-type': 'application/x-www-form-urlencoded', dpop },
        body: tokenForm(clientId, assertion),
      });
    expect((await ask()).status).toBe(429);
    service.clock.advance(60_000);
    expect((await ask()).status).toBe(200);
    expect((await ask()).status).toBe(401);
  });
});

test('limits: health, schemas and OpenAPI are outside of them', async () => {
  for (const path of ['/health', '/v1/schemas/claims/vehicle.json', '/openapi.json']) {
    const list = await statuses(25, () => send('GET', service.baseUrl + path));
    expect(new Set(list)).toEqual(new Set([200]));
  }
});

test('limits: x2 doubles burst and refill', async () => {
  const double = await startService({ limits: 2 });
  const client = await double.partner('expert');
  const ask = () => client.request('GET', cases);
  expect((await statuses(41, ask)).lastIndexOf(200)).toBe(39);
  expectRateLimited(await ask(), '1', 'standard; token-bucket; 120/min; burst=40');
  double.clock.advance(500);
  expect((await ask()).status).toBe(200);
  await double.remove();
});
