import { generateKeyPairSync } from 'node:crypto';
import fastify from 'fastify';
import { decodeJwt, exportJWK } from 'jose';
import { beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { mountTokenEndpoint } from '#main/front/auth/token-endpoint.ts';
import { Problem } from '#main/front/problem.ts';
import { signAssertion, tokenForm } from '../../service/support/partner.ts';
import { clientOf, publicUrl, shareFront } from '../support/front.ts';

/* What the token endpoint asks for, and from whose limit a request draws. */

const front = await shareFront();
const { context, draws, exhausted, clients, clock } = front;
const path = '/v1/oauth/token';
const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const client = clientOf({ keys: [{ kid: 'k', jwk: await exportJWK(publicKey) }] });
const { clientId } = client;
beforeEach(() => void clients.set(clientId, client));

const assertion = () =>
  signAssertion(privateKey, { clientId, audience: publicUrl + path, nowMs: clock.now() });

interface Asked {
  readonly payload?: string;
  readonly headers?: Record<string, string>;
  readonly dpop?: string;
  readonly at?: typeof context;
}

async function ask({ payload, headers = {}, dpop, at = context }: Asked = {}) {
  const app = fastify();
  app.setErrorHandler((error, _request, reply) => {
    if (!(error instanceof Problem)) return reply.send({ failure: String(error) });
    const { title, detail, errors, oauthError } = error;
    return reply.send({ title, detail, errors, oauthError });
  });
  mountTokenEndpoint(app, at);
  const answer = await app.inject({
    method: 'POST',
    url: path,
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      dpop: dpop ?? (await front.proof('POST', path)),
      ...headers,
    },
    payload: payload ?? tokenForm(clientId, await assertion()),
  });
  return answer.json<object>();
}
const formWith = async (fields: Record<string, string>) =>
  tokenForm(clientId, await assertion(), fields);

const granted = { access_token: expect.any(String) as string, token_type: 'DPoP', expires_in: 300 };
const ofClient = 'token client:expert-1';
const ofAddress = 'token address:127.0.0.1';

test('token endpoint: is one of the operations', async () => {
  const before = context.operations.length;
  const app = fastify();
  const configs: unknown[] = [];
  app.addHook('onRoute', ({ config }) => void configs.push(config));
  mountTokenEndpoint(app, context);
  await app.ready();
  expect(configs).toEqual([expect.objectContaining({ operation: 'token' })]);
  expect(context.operations.slice(before)).toEqual([
    { id: 'token', body: expect.anything() as object },
  ]);
});

describe('the limits', () => {
  test('of a token are those of its client', async () => {
    expect(await ask()).toEqual(granted);
    expect(draws).toEqual([ofClient]);
  });

  test('refuse a client once, and not its address too', async () => {
    exhausted.add(ofClient);
    expect(await ask()).toMatchObject({ title: 'rate_limited' });
    expect(draws).toEqual([ofClient]);
  });

  test('of a refused request are those of its address', async () => {
    expect(await ask({ dpop: 'none' })).toMatchObject({ title: 'invalid_dpop' });
    expect(draws).toEqual([ofAddress]);
    exhausted.add(ofAddress);
    expect(await ask({ dpop: 'none' })).toMatchObject({ title: 'rate_limited' });
  });

  test('of a failure are nobody’s', async () => {
    const findClient = () => Promise.reject(new Error('the disk is gone'));
    const answer = await ask({ at: { ...context, findClient } });
    expect(answer).toEqual({ failure: 'Error: the disk is gone' });
    expect(draws).toEqual([]);
  });
});

describe('a request', () => {
  test('that comes again is refused for its proof, and one with its assertion for that', async () => {
    const [payload, dpop] = [await formWith({}), await front.proof('POST', path)];
    expect(await ask({ payload, dpop })).toEqual(granted);
    expect(await ask({ payload, dpop })).toMatchObject({ title: 'invalid_dpop' });
    expect(await ask({ payload })).toMatchObject({
      title: 'invalid_client',
      detail: 'the client assertion was used before',
    });
    expect(draws).toEqual([ofClient, ofClient, ofAddress, ofClient, ofAddress]);
  });

  test('must not be compressed', async () => {
    expect(await ask({ headers: { 'content-encoding': 'gzip' } })).toMatchObject({
      title: 'invalid_request',
      errors: { 'Content-Encoding': ['must be left out, or identity.'] },
    });
  });

  test.each([
    [64 * 1024, { detail: 'the form lacks a field' }],
    [64 * 1024 + 1, { failure: expect.stringContaining('is too large') as string }],
  ])('of %i bytes is read or not', async (size, answer) => {
    expect(await ask({ payload: 'x'.repeat(size) })).toMatchObject(answer);
  });

  test('without a form lacks every field', async () => {
    const errors = Object.fromEntries(
      ['grant_type', 'client_id', 'client_assertion_type', 'client_assertion'].map((name) => [
        name,
        ['is required, once.'],
      ]),
    );
    expect(await ask({ payload: '' })).toEqual({
      title: 'invalid_request',
      detail: 'the form lacks a field',
      errors,
      oauthError: 'invalid_request',
    });
  });

  test.each(['grant_type', 'client_id', 'client_assertion_type', 'client_assertion'])(
    'has a value for %s',
    async (name) => {
      expect(await ask({ payload: await formWith({ [name]: '' }) })).toMatchObject({
        errors: { [name]: ['must not be empty.'] },
      });
    },
  );

  test('is of the one kind of grant and of assertion', async () => {
    expect(await ask({ payload: await formWith({ grant_type: 'password' }) })).toEqual({
      title: 'unsupported_grant_type',
      detail: 'the grant_type is not client_credentials',
      oauthError: 'unsupported_grant_type',
    });
    expect(await ask({ payload: await formWith({ client_assertion_type: 'x' }) })).toEqual({
      title: 'invalid_request',
      detail: 'the client_assertion_type is not that of a JWT',
      errors: {
        client_assertion_type: ['must be urn:ietf:params:oauth:client-assertion-type:jwt-bearer.'],
      },
      oauthError: 'invalid_request',
    });
  });
});

describe('a scope', () => {
  test.each(['a', 'cases reports', '!#[]~', 'a b c'])('is granted as asked: %s', async (scope) => {
    const answer = await ask({ payload: await formWith({ scope }) });
    expect(answer).toEqual({ ...granted, scope });
    const { access_token } = z.object({ access_token: z.string() }).parse(answer);
    expect(decodeJwt(access_token)).toMatchObject({ cnf: { jkt: front.jkt }, scope });
  });

  test('that is empty is none', async () => {
    expect(await ask({ payload: await formWith({ scope: '' }) })).toEqual(granted);
  });

  test.each([
    ' a',
    'a ',
    'a  b',
    'a"',
    '"a',
    'a\\',
    'a "',
    '" a',
    'ä',
    'a ä',
    'a\x7f',
    ' ',
    'a\tb',
  ])('is malformed: "%s"', async (scope) => {
    expect(await ask({ payload: await formWith({ scope }) })).toEqual({
      title: 'invalid_scope',
      detail: 'the scope is malformed',
      oauthError: 'invalid_scope',
    });
  });

  test('is given once', async () => {
    const payload = `${await formWith({ scope: 'a' })}&scope=b`;
    expect(await ask({ payload })).toMatchObject({ errors: { scope: ['must be given once.'] } });
  });
});
