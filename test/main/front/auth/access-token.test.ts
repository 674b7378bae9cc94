import { sign as signBytes } from 'node:crypto';
import { decodeJwt, generateKeyPair, SignJWT, type CryptoKey } from 'jose';
import { expect, test } from 'vitest';
import { checkAccessToken, issueAccessToken } from '#main/front/auth/access-token.ts';
import type { Problem } from '#main/front/problem.ts';
import { send, sha256, type PartnerAnswer } from '../../service/support/partner.ts';
import { shareService } from '../../service/support/service.ts';

const { service, expert: partner } = await shareService();
const url = `${service.baseUrl}/v1/experts/cases`;

async function get(token: string, authorization = `DPoP ${token}`): Promise<PartnerAnswer> {
  const dpop = await partner.proof('GET', url, { ath: sha256(token) });
  return send('GET', url, { headers: { authorization, dpop } });
}

function expectUnauthorized(answer: PartnerAnswer, detail: string): void {
  expect(answer.status).toBe(401);
  expect(answer.headers['www-authenticate']).toContain('DPoP');
  expect(answer.json).toMatchObject({ title: 'unauthorized', status: 401, detail });
}

test('unauthorized: no Authorization header, answered with WWW-Authenticate', async () => {
  const dpop = await partner.proof('GET', url);
  expectUnauthorized(
    await send('GET', url, { headers: { dpop } }),
    'the request has no Authorization header',
  );
});

test.each(['Bearer', 'Basic', 'DPoPX'])('unauthorized: scheme %s', async (scheme) => {
  const token = await partner.token();
  expectUnauthorized(
    await get(token, `${scheme} ${token}`),
    'the Authorization header is not of the scheme DPoP',
  );
});

test('unauthorized: the scheme is compared without regard to case', async () => {
  const token = await partner.token();
  expect((await get(token, `dpop ${token}`)).status).toBe(200);
});

test('unauthorized: token expired (accessTokenLifetimeS)', async () => {
  // To a whole second, the unit of exp.
  service.clock.advance(1_000 - (service.clock.now() % 1_000));
  const token = await partner.freshToken();
  expect((await get(token)).status).toBe(200);
  service.clock.advance(299_999);
  expect((await get(token)).status).toBe(200);
  service.clock.advance(1);
  expectUnauthorized(await get(token), 'the access token has expired');
});

test('unauthorized: another signature under a token that was accepted before', async () => {
  const token = await partner.freshToken();
  expect((await get(token)).status).toBe(200);
  const at = token.lastIndexOf('.') + 1;
  const other = `${token.slice(0, at)}${token[at] === 'A' ? 'B' : 'A'}${token.slice(at + 1)}`;
  expectUnauthorized(await get(other), 'the access token is not signed by this service');
});

/** A token as the service makes them, but for this. */
async function tokenWith(
  changes: object,
  { typ = 'at+jwt', by }: { typ?: string; by?: CryptoKey } = {},
): Promise<string> {
  return new SignJWT({ ...decodeJwt(await partner.freshToken()), ...changes })
    .setProtectedHeader({ typ, alg: 'ES256' })
    .sign(by ?? service.context.signingKey.privateJwk);
}

test('unauthorized: token forged', async () => {
  const { privateKey } = await generateKeyPair('ES256');
  expectUnauthorized(
    await get(await tokenWith({}, { by: privateKey })),
    'the access token is not signed by this service',
  );
});

test.each(['none', 'HS256', 'ES384'])('unauthorized: alg %s', async (alg) => {
  const [, claims] = (await partner.freshToken()).split('.');
  const header = Buffer.from(JSON.stringify({ typ: 'at+jwt', alg })).toString('base64url');
  // The signature is valid, so that the header is the reason of the refusal.
  const signature = signBytes('sha256', Buffer.from(`${header}.${claims}`), {
    key: service.context.signingKey.privateJwk,
    format: 'jwk',
    dsaEncoding: 'ieee-p1363',
  });
  for (const last of ['', signature.toString('base64url')])
    expectUnauthorized(
      await get(`${header}.${claims}.${last}`),
      'the access token is not signed by this service',
    );
});

test('unauthorized: a JWT of the service that is no access token', async () => {
  expectUnauthorized(
    await get(await tokenWith({}, { typ: 'JWT' })),
    'the typ of the access token is not that of this service',
  );
});

test('unauthorized: a token that is not a JWT', async () => {
  expectUnauthorized(await get('not-a-jwt'), 'the access token is not a JWT');
});

const elsewhere = 'https://elsewhere.example';
test.each([
  [
    'has another iss',
    { iss: elsewhere },
    'the iss of the access token is not that of this service',
  ],
  [
    'has another aud',
    { aud: elsewhere },
    'the aud of the access token is not that of this service',
  ],
  ['lacks a claim', { cnf: undefined }, 'the access token lacks a claim'],
  ['does not end', { exp: undefined }, 'the access token lacks a claim'],
  ['has no iss', { iss: undefined }, 'the access token lacks a claim'],
  ['ended before it was first sent', { exp: 1 }, 'the access token has expired'],
  [
    'names an organization that is gone',
    { sub: 'nobody' },
    'the organization of the access token is gone',
  ],
])('unauthorized: a token of ours that %s', async (_name, changes, detail) => {
  expectUnauthorized(await get(await tokenWith(changes)), detail);
});

const client = {
  clientId: 'c',
  organizationId: 'o',
  kind: 'expert',
  members: 1,
  keys: [],
} as const;

test('token: says its scope and the generation of its client, if there are any', async () => {
  const { context, clock } = service;
  const claims = async (generation: number | undefined, scope: string | undefined) =>
    decodeJwt(
      await issueAccessToken(
        { ...context, clock },
        { ...client, ...(generation !== undefined && { generation }) },
        { jkt: 'j', scope },
      ),
    );
  expect(await claims(7, 'cases')).toMatchObject({ generation: 7, scope: 'cases' });
  const bare = await claims(undefined, undefined);
  expect(Object.keys(bare)).not.toContain('generation');
  expect(Object.keys(bare)).not.toContain('scope');
});

test('unauthorized: a token of a key that was replaced or revoked since, also one that was accepted before', async () => {
  const { clock } = service;
  let generation = 1;
  const findClient = () => Promise.resolve({ ...client, generation });
  const context = { ...service.context, clock, findClient };
  const token = await issueAccessToken(context, await findClient(), { jkt: 'j', scope: undefined });
  const check = () =>
    checkAccessToken(context, token).then(
      ({ jkt }) => jkt,
      (error: unknown) => (error as Problem).detail,
    );
  expect(await check()).toBe('j');
  generation = 2;
  expect(await check()).toBe('the key behind the access token was replaced or revoked');
  generation = 1;
  expect(await check()).toBe('j');
});
