import { createPublicKey } from 'node:crypto';
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { DeskError } from '#shared/desk/contract/errors.ts';
import { createSessionVault } from '#main/engine/keys/vault.ts';
import { enrol } from '#main/engine/workspace/enrolment.ts';
import { systemClock, systemRandom } from '#main/shell/system.ts';
import { faultLog } from '../../../support/fault-log.ts';

/** What the gateway answers; null closes the connection without an answer. */
interface Answer {
  readonly status: number;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

const enrolled = { BaseUrl: 'https://office.example', Audience: 'a', ClientId: 'laptop-1' };
const made: Answer = { status: 201, body: enrolled };
const gatewayHas = 'WXYZ2345';
let answer: Answer | null;
let asked: { url: string; headers: IncomingHttpHeaders; body: unknown }[];
let server: Server;
let gateway: string;
/** With the key of one enrolment that was begun, because making one takes a second. */
let begun: ReadonlyMap<string, string>;
let secrets: Map<string, string>;

async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { method = '', url = '', headers } = request;
  asked.push({ url: `${method} ${url}`, headers, body: await json(request) });
  if (!answer) {
    request.socket.destroy();
    return;
  }
  response.writeHead(answer.status, { 'content-type': 'application/json', ...answer.headers });
  response.end(JSON.stringify(answer.body ?? {}));
}

beforeAll(async () => {
  server = createServer((request, response) => void serve(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  gateway = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
  asked = [];
  secrets = new Map();
  answer = made;
  await enrolHere();
  begun = new Map(secrets);
});
afterAll(() => new Promise((resolve) => server.close(resolve)));
beforeEach(() => {
  asked = [];
  secrets = new Map(begun);
  answer = made;
});

const nowMs = Date.parse('2026-03-02T08:00:00Z');
const clock = { ...systemClock, now: () => nowMs };
const enrolHere = (input: Partial<Parameters<typeof enrol>[1]> = {}) =>
  enrol(
    {
      home: '',
      vault: createSessionVault(secrets),
      clock,
      random: systemRandom,
      log: faultLog,
    },
    { gateway, code: gatewayHas, ...input },
  );
const refused = async (): Promise<unknown> => {
  const error = await enrolHere().catch((failure: unknown) => failure);
  return error instanceof DeskError ? error.problem : error;
};
const pem = () => asked.map(({ body }) => (body as { PublicKeyPem: string }).PublicKeyPem);

describe('a code of the gateway', () => {
  it('is exchanged for a client, whose key is made here and never leaves', async () => {
    const { privateKey, forget, ...client } = await enrolHere();
    expect(client).toEqual({
      baseUrl: enrolled.BaseUrl,
      audience: enrolled.Audience,
      clientId: enrolled.ClientId,
    });
    const publicKey = createPublicKey(privateKey).export({ type: 'spki', format: 'pem' });
    expect(asked).toMatchObject([
      {
        url: 'POST /v1/gateway/enrolments',
        headers: { 'content-type': 'application/json', accept: 'application/json' },
        body: { Code: gatewayHas, PublicKeyPem: publicKey },
      },
    ]);
    expect(privateKey.asymmetricKeyDetails?.modulusLength).toBe(3072);
    expect(secrets).toEqual(begun);
    await forget();
    expect(secrets.size).toBe(0);
  });

  it('is the same however it and the address are typed', async () => {
    await enrolHere({ code: ' wxyz-2345 ', gateway: ` ${gateway}// ` });
    expect(asked).toMatchObject([
      { url: 'POST /v1/gateway/enrolments', body: { Code: gatewayHas } },
    ]);
    expect(secrets).toEqual(begun);
    await enrolHere({ gateway: `${gateway}/office/` }).catch(() => undefined);
    expect(asked[1]?.url).toBe('POST /office/v1/gateway/enrolments');
  });

  it('has a key of its own', async () => {
    answer = { status: 503 };
    await enrolHere({ code: 'AAAA2345' }).catch(() => undefined);
    expect(secrets.size).toBe(begun.size + 1);
    await refused();
    const [other, own] = pem();
    expect(own).not.toBe(other);
  });

  it.each<[Answer | null, unknown]>([
    [null, { code: 'connection_lost' }],
    [{ status: 503 }, { code: 'server_failed', params: { status: 503 } }],
    [{ status: 200, body: enrolled }, { code: 'gateway_missing' }],
    [{ status: 401 }, { code: 'gateway_missing' }],
    [{ status: 404 }, { code: 'gateway_missing' }],
    [{ status: 405 }, { code: 'gateway_missing' }],
    [{ status: 201, body: { ...enrolled, ClientId: '' } }, { code: 'gateway_missing' }],
    [{ status: 201, body: { ...enrolled, BaseUrl: '' } }, { code: 'gateway_missing' }],
    [{ status: 201, body: { ...enrolled, Audience: '' } }, { code: 'gateway_missing' }],
    [{ status: 403 }, { code: 'server_refused' }],
    [{ status: 302, headers: { location: '/' } }, { code: 'redirect_refused' }],
    [{ status: 429, body: { title: 'rate_limited' } }, { code: 'rate_limited' }],
  ])('works again with the same key after %o', async (first, problem) => {
    answer = first;
    expect(await refused()).toMatchObject(problem as object);
    answer = made;
    await enrolHere();
    expect(new Set(pem()).size).toBe(1);
  });

  it.each<[Answer, unknown]>([
    [
      { status: 403, body: { title: 'forbidden' } },
      { code: 'code_refused', params: {} },
    ],
    [
      { status: 422, body: { title: 'x', detail: 'y' }, headers: { 'x-correlation-id': 'c' } },
      {
        code: 'server_refused',
        params: { title: 'x', status: 422, detail: 'y', correlationId: 'c' },
      },
    ],
  ])('that is refused leaves no key: %o', async (refusal, problem) => {
    answer = refusal;
    expect(await refused()).toEqual(problem);
    expect(secrets.size).toBe(0);
  });

  it('is not sent with another key than the one that the keychain fails to give', async () => {
    const vault = {
      ...createSessionVault(),
      get: () => Promise.reject(new DeskError('keychain_locked')),
    };
    const options = { home: '', vault, clock, random: systemRandom, log: faultLog };
    await expect(enrol(options, { gateway, code: gatewayHas })).rejects.toThrow('keychain_locked');
    expect(asked).toEqual([]);
  });
});

it.each([
  ['30', 30],
  ['', 60],
  ['0', 0],
  ['soon', 60],
  [new Date(nowMs + 90_000).toUTCString(), 90],
])('says when a code may be tried again: Retry-After %o', async (header, retryAfterS) => {
  answer = { status: 429, headers: { 'retry-after': header } };
  const until = new Date(nowMs + retryAfterS * 1000).toISOString();
  expect(await refused()).toEqual({ code: 'rate_limited', params: { retryAfterS, until } });
});

it('an absurd Retry-After is no fault of the desk', async () => {
  answer = { status: 429, headers: { 'retry-after': '9'.repeat(20) } };
  expect(await refused()).toMatchObject({ code: 'rate_limited' });
});

it.each([
  ['office.example', 'url'],
  ['ftp://office.example', 'scheme'],
])('an address that is none is refused before anything is made: %s', async (address, rule) => {
  secrets.clear();
  await expect(enrolHere({ gateway: address })).rejects.toMatchObject({
    problem: { code: 'base_url_invalid', params: { rule } },
  });
  expect(secrets.size).toBe(0);
});
