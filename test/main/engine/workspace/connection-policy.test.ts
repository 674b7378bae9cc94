import { createPublicKey, verify } from 'node:crypto';
import { expect, it } from 'vitest';
import {
  clientPolicy,
  createProbe,
  enteredPolicy,
} from '#main/engine/workspace/connection-policy.ts';
import { systemClock, systemRandom } from '#main/shell/system.ts';
import { faultLog } from '../../../support/fault-log.ts';
import { recordedTransport } from '../support/recorded-transport.ts';
import { rsaKeys } from '../support/test-client.ts';
import { testKeychain } from '../support/test-engine.ts';

const set = {
  baseUrl: 'https://office.example',
  audience: 'a',
  scope: 's',
  htuWithoutQuery: false,
  changedSinceParameter: 'since',
};

it('of a policy only what it sets takes precedence, each value by itself', () => {
  const connection = { ...set, clientId: 'c' };
  expect(enteredPolicy(connection)).toStrictEqual(connection);
  for (const [name, value] of Object.entries(connection))
    expect(enteredPolicy({ [name]: value })).toStrictEqual({ [name]: value });
  expect(enteredPolicy()).toStrictEqual({});
});

it('a stored connection keeps its client id, because another one is another organization', () => {
  const connection = { ...set, clientId: 'c' };
  expect(clientPolicy({ policy: { connection } })).toEqual(set);
  expect(clientPolicy({})).toEqual({});
});

it('a client has the limits, paths, proxy and network that IT and the shell set', () => {
  const bucket = { capacity: 1, refillPerMinute: 1 };
  const policy = {
    limits: { standard: bucket, documents: bucket },
    paths: { X1: '/cases' },
    proxy: { url: 'http://proxy.example' },
  };
  const network = { certificateAuthorities: ['pem'] };
  expect(clientPolicy({ policy, network })).toEqual({ ...policy, ...network });
});

it('a probe asks as the entered connection would, and stores nothing', async () => {
  const lost = { status: 503, body: {} };
  const { createTransport, sent } = recordedTransport(({ url }, number) =>
    url.pathname.endsWith('/token') || number > 2 ? null : lost,
  );
  const secrets = new Map<string, string>();
  let tries = 0;
  const random = { ...systemRandom, fraction: () => (tries++, 0) };
  const logged: string[] = [];
  const onRequest = ({ operation }: { operation: string }) => void logged.push(operation);
  const client = createProbe(
    {
      home: '',
      vault: testKeychain(secrets),
      clock: systemClock,
      random,
      log: faultLog,
      onRequest,
      network: { createTransport },
    },
    {
      baseUrl: ' https://partner.example/api ',
      audience: ' https://partner.example/token ',
      clientId: 'laptop-1',
      scope: 'cases',
      htuWithoutQuery: true,
      changedSinceParameter: 'since',
    },
    rsaKeys.privateKey,
  );
  await client.listCases({ page: 1, size: 1, lastChangedSince: 'then' });
  await client.close();
  const list = 'https://partner.example/api/v1/experts/cases?since=then&page=1&size=1';
  expect(sent.map(({ url }) => url.href)).toEqual([
    'https://partner.example/api/v1/oauth/token',
    list,
    list,
  ]);
  expect(tries).toBeGreaterThan(0);
  expect(logged).toEqual(['token', 'X1', 'X1']);
  const form = new URLSearchParams(sent[0]?.text);
  expect([form.get('client_id'), form.get('scope')]).toEqual(['laptop-1', 'cases']);
  const [head = '', claims = '', signature = ''] = (form.get('client_assertion') ?? '').split('.');
  const read = (part = '') => JSON.parse(Buffer.from(part, 'base64url').toString()) as unknown;
  expect(read(claims)).toMatchObject({ aud: 'https://partner.example/token', sub: 'laptop-1' });
  const signed = Buffer.from(`${head}.${claims}`);
  const publicKey = createPublicKey(rsaKeys.privateKey);
  expect(verify('sha256', signed, publicKey, Buffer.from(signature, 'base64url'))).toBe(true);
  const [, proof] = (sent[1]?.headers['dpop'] ?? '').split('.');
  expect(read(proof)).toMatchObject({ htu: 'https://partner.example/api/v1/experts/cases' });
  expect(secrets.size).toBe(0);
});
