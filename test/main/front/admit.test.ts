import fastify from 'fastify';
import { describe, expect, test } from 'vitest';
import type { Route } from '#shared/api/routes.ts';
import { admit, admitTo, findCaller } from '#main/front/admit.ts';
import { Problem } from '#main/front/problem.ts';
import { clientOf, shareFront } from './support/front.ts';

/* Who is admitted, and from whose limit a request draws. */

const front = await shareFront();
const { context, draws, exhausted, signed } = front;
const path = '/v1/cases';
const expert = clientOf();
const unauthorized = { title: 'unauthorized', challenge: 'DPoP algs="ES256"' };
const noCaller = { caller: null };

interface Asked {
  readonly headers: Record<string, string>;
  readonly method?: Route['method'];
  readonly audience?: Route['audience'];
  readonly at?: typeof context;
}

/** Who the caller is, or why the request is refused. */
async function ask({ headers, method = 'POST', audience = 'expert', at = context }: Asked) {
  const app = fastify();
  const route: Route = { method, path, success: 200, bucket: 'standard', audience };
  app.setErrorHandler((error, _request, reply) => {
    if (!(error instanceof Problem)) return reply.send({ failure: String(error) });
    const { title, detail, headers: more } = error;
    return reply.send({ title, detail, challenge: more['WWW-Authenticate'] });
  });
  app.route({
    method,
    url: path,
    onRequest: (request) => admitTo(at, route, request),
    handler: (request) => ({ caller: findCaller(request)?.clientId ?? null }),
  });
  const answer = await app.inject({ method, url: path, headers });
  return answer.json<object>();
}

const signedBy = (client = expert) => signed(client, 'POST', path);

describe('an operation that needs a token', () => {
  test('admits who sent one with a proof, and draws from the limit of the client alone', async () => {
    expect(await ask({ headers: await signedBy() })).toEqual({ caller: 'expert-1' });
    expect(draws).toEqual(['standard client:expert-1']);
  });

  test('is one of the partner API by its id', async () => {
    const app = fastify();
    app.get(path, { onRequest: (request) => admit(context, 'X1', request) }, () => 'admitted');
    const { statusCode } = await app.inject(path);
    expect([statusCode, draws]).toEqual([401, ['standard address:127.0.0.1']]);
  });

  test('refuses who sent none, and draws from the limit of the address', async () => {
    const detail = 'the request has no Authorization header';
    expect(await ask({ headers: {} })).toEqual({ ...unauthorized, detail });
    expect(draws).toEqual(['standard address:127.0.0.1']);
  });

  test.each([
    '',
    'Bearer a',
    'DPoP',
    'DPoP a b',
    'xDPoP a',
    'DPoPa',
    'DPoP a,b',
    'DPoP =',
    'DPoP =a',
  ])('does not take "%s" for a token', async (authorization) => {
    const headers = { ...(await signedBy()), authorization };
    const detail = 'the Authorization header is not of the scheme DPoP';
    expect(await ask({ headers })).toEqual({ ...unauthorized, detail });
  });

  test.each(['DPoP  a', 'dpop a  ', 'DPOP a==', 'DPoP a.~+/_-9'])(
    'takes "%s" for a token, which is none of its own',
    async (authorization) => {
      const headers = { ...(await signedBy()), authorization };
      expect(await ask({ headers })).toMatchObject({ detail: 'the access token is not a JWT' });
    },
  );

  test('takes the token wherever blanks are around it', async () => {
    const headers = await signedBy();
    const authorization = headers['authorization']?.replace(' ', '  ');
    expect(await ask({ headers: { ...headers, authorization: `${authorization} ` } })).toEqual({
      caller: 'expert-1',
    });
  });

  test('refuses a token without its proof at the cost of the address, not of the client', async () => {
    const { dpop: _, ...headers } = await signedBy();
    expect(await ask({ headers })).toMatchObject({ title: 'invalid_dpop' });
    expect(draws).toEqual(['standard address:127.0.0.1']);
  });

  test('takes each proof once', async () => {
    const headers = await signedBy();
    expect(await ask({ headers })).toEqual({ caller: 'expert-1' });
    expect(await ask({ headers })).toMatchObject({
      detail: 'replayed jti: the DPoP proof was used before',
    });
    expect(draws).toEqual([
      'standard client:expert-1',
      'standard client:expert-1',
      'standard address:127.0.0.1',
    ]);
  });

  test('refuses a client whose limit is used up, and leaves its proof unused', async () => {
    const headers = await signedBy();
    exhausted.add('standard client:expert-1');
    expect(await ask({ headers })).toMatchObject({ title: 'rate_limited' });
    expect(draws).toEqual(['standard client:expert-1']);
    exhausted.clear();
    expect(await ask({ headers })).toEqual({ caller: 'expert-1' });
  });

  test('refuses an address that has guessed too often as that', async () => {
    exhausted.add('standard address:127.0.0.1');
    expect(await ask({ headers: {} })).toMatchObject({ title: 'rate_limited' });
  });

  test('does not take a failure for a wrong token', async () => {
    const headers = await signedBy();
    const findClient = () => Promise.reject(new Error('the disk is gone'));
    const answer = await ask({ headers, at: { ...context, findClient } });
    expect(answer).toEqual({ failure: 'Error: the disk is gone' });
    expect(draws).toEqual([]);
  });

  test('refuses the other kind of organization, and one without members', async () => {
    const refusals = [
      ['insurer', 1, 'invalid_org_context', 'this operation is for experts'],
      ['insurer', 0, 'invalid_org_context', 'this operation is for experts'],
      ['expert', 0, 'org_without_members', 'the organization of the token has no members'],
    ] as const;
    for (const [kind, members, title, detail] of refusals) {
      const headers = await signedBy(clientOf({ kind, members }));
      expect(await ask({ headers })).toEqual({ title, detail });
    }
  });
});

describe('an operation that needs no token', () => {
  const audience = 'none';

  test('admits anybody, and draws from the limit of the address', async () => {
    expect(await ask({ audience, headers: {} })).toEqual(noCaller);
    expect(draws).toEqual(['standard address:127.0.0.1']);
    exhausted.add('standard address:127.0.0.1');
    expect(await ask({ audience, headers: {} })).toMatchObject({ title: 'rate_limited' });
  });

  test('knows who sent a token, of any kind and without members', async () => {
    const headers = await signedBy(clientOf({ kind: 'insurer', members: 0 }));
    expect(await ask({ audience, headers })).toEqual({ caller: 'expert-1' });
    expect(draws).toEqual(['standard client:expert-1']);
  });

  test('knows nobody by a wrong token, which counts for the address', async () => {
    const { dpop: _, ...headers } = await signedBy();
    expect(await ask({ audience, headers })).toEqual(noCaller);
    expect(draws).toEqual(['standard address:127.0.0.1']);
    exhausted.add('standard address:127.0.0.1');
    expect(await ask({ audience, headers })).toMatchObject({ title: 'rate_limited' });
  });

  test('refuses a client whose limit is used up, although it could go without its token', async () => {
    const headers = await signedBy();
    exhausted.add('standard client:expert-1');
    expect(await ask({ audience, headers })).toMatchObject({ title: 'rate_limited' });
  });
});

describe('the Idempotency-Key', () => {
  const key = { 'idempotency-key': 'tab\there' };
  const refusal = { title: 'invalid_request', detail: 'the Idempotency-Key is not a usable key' };

  test('of a POST must be one, also from nobody', async () => {
    expect(await ask({ headers: { ...(await signedBy()), ...key } })).toEqual(refusal);
    expect(await ask({ audience: 'none', headers: key })).toEqual(refusal);
  });

  test('of another method is not looked at', async () => {
    const headers = { ...(await signed(expert, 'GET', path)), ...key };
    expect(await ask({ method: 'GET', headers })).toEqual({ caller: 'expert-1' });
  });
});
