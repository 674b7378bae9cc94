import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { createCode } from '#main/gateway/auth/clients.ts';
import { createSignInCode } from '#main/gateway/dispatch/dispatch-session.ts';
import { addresses } from '#main/front/command-line.ts';
import { send } from '../service/support/partner.ts';
import { startService, type ServiceForTest } from '../service/support/service.ts';
import { machineClock } from '../service/support/fake-clock.ts';
import { newKey, startGateway, type GatewayForTest } from './support/gateway.ts';

/* The gateway behind a proxy: whose limits a request draws on, and who sees the figures. */

let service: ServiceForTest;
let gateway: GatewayForTest | undefined;

beforeAll(async () => {
  service = await startService({ clock: machineClock });
});
afterEach(async () => {
  await gateway?.remove();
  gateway = undefined;
});
afterAll(() => service.remove());

const enrolFrom = (address: string, code: string) =>
  send('POST', `${gateway?.baseUrl ?? ''}/v1/gateway/enrolments`, {
    headers: { 'content-type': 'application/json', 'x-forwarded-for': address },
    body: JSON.stringify({ Code: code, PublicKeyPem: newKey().publicPem }),
  });
const statusOf = async (answer: Promise<{ status: number }>) => (await answer).status;

test('proxy: wrong codes and wrong tokens of one laptop do not block another one', async () => {
  gateway = await startGateway(service, { limits: 'on', trustedProxies: ['127.0.0.0/8'] });
  const { db } = gateway.context;
  const wrong: number[] = [];
  while (wrong.at(-1) !== 429) wrong.push(await statusOf(enrolFrom('10.0.0.1', 'AAAA')));
  expect(wrong.slice(0, -1).every((status) => status === 403)).toBe(true);
  const { code } = await createCode(db, machineClock, { name: 'L', isDispatcher: false });
  expect(await statusOf(enrolFrom('10.0.0.2', code))).toBe(201);

  const guess = (address: string) =>
    statusOf(
      send('GET', `${gateway?.baseUrl ?? ''}/v1/experts/cases`, {
        headers: { authorization: 'DPoP none', 'x-forwarded-for': address },
      }),
    );
  const guesses = await Promise.all(Array.from({ length: 40 }, () => guess('10.0.0.1')));
  expect(guesses).toContain(429);
  expect(await guess('10.0.0.2')).toBe(401);
});

test('proxy: the page of a dispatcher has a cookie that no script and no other page gets, and few guesses', async () => {
  const publicUrl = 'https://office.example';
  gateway = await startGateway(service, { limits: 'on', publicUrl });
  const { baseUrl, context } = gateway;
  const { clientId } = await gateway.laptop(true);
  const signIn = (code: string) =>
    fetch(`${baseUrl}/dispatch/sign-in`, {
      method: 'POST',
      redirect: 'manual',
      headers: { origin: publicUrl },
      body: new URLSearchParams({ code }),
    });
  const made = await createSignInCode(context.db, machineClock, clientId);
  const { headers } = await signIn(made?.code ?? '');
  const [, ...attributes] = (headers.get('set-cookie') ?? '').split('; ');
  expect(attributes).toEqual([
    'Path=/dispatch',
    'Max-Age=36000',
    'HttpOnly',
    'SameSite=Strict',
    'Secure',
  ]);
  const wrong: number[] = [];
  for (let number = 1; number <= 25 && wrong.at(-1) !== 429; number += 1)
    wrong.push(await statusOf(signIn('AAAA')));
  expect(new Set(wrong)).toEqual(new Set([403, 429]));
});

test('proxy: X-Forwarded-For of anybody else counts for nothing', async () => {
  gateway = await startGateway(service, { limits: 'on' });
  const wrong: number[] = [];
  for (let number = 1; number <= 25 && wrong.at(-1) !== 429; number += 1) {
    wrong.push(await statusOf(enrolFrom(`10.0.0.${String(number)}`, 'AAAA')));
  }
  expect(wrong.at(-1)).toBe(429);
});

test('proxy: /health and /metrics answer this machine alone, or have a port of their own', async () => {
  gateway = await startGateway(service);
  const { baseUrl } = gateway;
  for (const path of ['/health', '/ready', '/live', '/metrics']) {
    expect(await statusOf(send('GET', baseUrl + path))).toBe(200);
    const headers = { 'x-forwarded-for': '10.0.0.1' };
    expect(await statusOf(send('GET', baseUrl + path, { headers }))).toBe(404);
  }
  await gateway.remove();
  gateway = await startGateway(service, { statusPort: 0 });
  const { statusUrl = '' } = gateway;
  for (const path of ['/health', '/ready', '/live', '/metrics']) {
    expect(await statusOf(send('GET', statusUrl + path))).toBe(200);
    expect(await statusOf(send('GET', gateway.baseUrl + path))).toBe(404);
  }
  expect((await send('GET', `${gateway.baseUrl}/openapi.json`)).text).not.toContain('/metrics');
});

test('proxy: a proxy on this machine that is not trusted shows /health and /metrics to nobody', async () => {
  gateway = await startGateway(service, { trustedProxies: ['10.0.0.5'] });
  const headers = { 'x-forwarded-for': '10.0.0.1' };
  expect(await statusOf(send('GET', `${gateway.baseUrl}/metrics`, { headers }))).toBe(404);
  await gateway.remove();
  gateway = await startGateway(service, { trustedProxies: ['127.0.0.1'] });
  expect(await statusOf(send('GET', `${gateway.baseUrl}/metrics`, { headers }))).toBe(404);
  const own = { 'x-forwarded-for': '127.0.0.1' };
  expect(await statusOf(send('GET', `${gateway.baseUrl}/metrics`, { headers: own }))).toBe(200);
});

test('proxy: an address or a network names a proxy, anything else is refused', () => {
  expect(addresses('10.0.0.5')).toEqual(['10.0.0.5']);
  expect(addresses('fd00::/8', ['10.0.0.0/8'])).toEqual(['10.0.0.0/8', 'fd00::/8']);
  for (const text of ['proxy', '10.0.0.0/33', '10.0.0', '10.0.0.0/x', '']) {
    expect(() => addresses(text)).toThrow('address or a network');
  }
});
