import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { CompactSign, exportJWK, generateKeyPair, type JWK } from 'jose';
import { describe, expect, test } from 'vitest';
import { isoTime } from '#shared/api/conventions.ts';
import type { FastifyRequest } from 'fastify';
import { arrivedAt, checkProof, isAddressOf } from '#main/front/auth/proof.ts';
import type { Problem } from '#main/front/problem.ts';
import {
  send,
  sha256,
  signProof,
  type PartnerAnswer,
  type RawRequest,
} from '../../service/support/partner.ts';
import { shareService } from '../../service/support/service.ts';

const path = '/v1/experts/cases?page=1&size=2';

const { service, expert: partner } = await shareService();
const token = await partner.token();
const url = service.baseUrl + path;

/** A good request's headers, with a proof made by hand. */
function withProof(dpop: string | string[]): RawRequest {
  return { headers: { authorization: `DPoP ${token}`, dpop } };
}

async function get(dpop: string | string[]): Promise<PartnerAnswer> {
  return send('GET', url, withProof(dpop));
}

/** A proof that is right but for the given claims and header members. */
function proofWith(claims: object = {}, header: object = {}): Promise<string> {
  return partner.proof('GET', url, { ath: sha256(token), ...claims }, { ...header });
}

/** A proof that is right but for what it is signed with, and its header. */
function proofBy(
  key: Parameters<typeof signProof>[0],
  jwk: JWK,
  header: Readonly<Record<string, unknown>> = {},
): Promise<string> {
  const claims = { ath: sha256(token) };
  return signProof(key, jwk, { method: 'GET', url, nowMs: service.clock.now(), claims, header });
}

function nowS(): number {
  return Math.floor(service.clock.now() / 1000);
}

function expectRefusal(answer: PartnerAnswer, detail: string): void {
  expect(answer.headers['content-type']).toBe('application/problem+json');
  expect(answer.headers['www-authenticate']).toContain('invalid_dpop_proof');
  expect(answer.json).toEqual({
    type: 'about:blank',
    title: 'invalid_dpop',
    status: 401,
    detail,
    instance: answer.headers['x-correlation-id'],
  });
}

test('DPoP: a right proof is accepted', async () => {
  expect((await get(await proofWith())).status).toBe(200);
});

describe('header', () => {
  test('DPoP: no proof', async () => {
    const answer = await send('GET', url, { headers: { authorization: `DPoP ${token}` } });
    expectRefusal(answer, 'the request has no DPoP proof');
  });

  test('DPoP: two proofs', async () => {
    expectRefusal(
      await get([await proofWith(), await proofWith()]),
      'the request has more than one DPoP proof',
    );
  });

  test.each(['', 'x', 'a.b', 'a.b.c', 'e30.e30.', 'e30.W10.AA', 'e30.e30.e30.e30'])(
    'DPoP: malformed %j',
    async (text) => {
      const answer = await get(text);
      expect(answer.status).toBe(401);
      expect(answer.json).toMatchObject({ title: 'invalid_dpop' });
    },
  );

  test('DPoP typ: wrong', async () => {
    expectRefusal(
      await get(await proofWith({}, { typ: 'JWT' })),
      'the typ of the DPoP proof is not dpop+jwt',
    );
  });

  test('DPoP alg: none', async () => {
    const [, claims] = (await proofWith()).split('.');
    const header = Buffer.from(
      JSON.stringify({ typ: 'dpop+jwt', alg: 'none', jwk: partner.dpopKey.publicJwk }),
    ).toString('base64url');
    expectRefusal(await get(`${header}.${claims}.`), 'the alg of the DPoP proof is not ES256');
  });

  test.each(['ES384', 'RS256', 'PS256'])('DPoP alg: %s', async (alg) => {
    const keys = await generateKeyPair(alg, { extractable: true });
    const proof = await proofBy(keys.privateKey, await exportJWK(keys.publicKey), { alg });
    expectRefusal(await get(proof), 'the alg of the DPoP proof is not ES256');
  });

  test('DPoP alg: HS256 keyed with the public key', async () => {
    const secret = Buffer.from(JSON.stringify(partner.dpopKey.publicJwk));
    const proof = await proofBy(secret, partner.dpopKey.publicJwk, { alg: 'HS256' });
    expectRefusal(await get(proof), 'the alg of the DPoP proof is not ES256');
  });

  test('DPoP crit: an extension that is not understood', async () => {
    const proof = await proofWith();
    const [, claims, signature] = proof.split('.');
    const header = Buffer.from(
      JSON.stringify({
        typ: 'dpop+jwt',
        alg: 'ES256',
        jwk: partner.dpopKey.publicJwk,
        crit: ['x'],
        x: 1,
      }),
    ).toString('base64url');
    expectRefusal(
      await get(`${header}.${claims}.${signature}`),
      'the DPoP proof has a critical header extension',
    );
  });
});

describe('jwk and signature', () => {
  const notP256 = 'the jwk of the DPoP proof is not a public P-256 key';
  const offCurve = () => {
    const { x } = partner.dpopKey.publicJwk;
    return { kty: 'EC', crv: 'P-256', x, y: randomBytes(32).toString('base64url') };
  };
  const ed25519 = () => generateKeyPairSync('ed25519').publicKey.export({ format: 'jwk' });
  const ownPrivate = () => exportJWK(partner.dpopKey.privateKey);
  test.each<[string, () => unknown, string]>([
    ['missing', () => undefined, 'the DPoP proof has no jwk'],
    ['not an object', () => 'key', notP256],
    ['private', ownPrivate, 'the jwk of the DPoP proof holds a private key'],
    ['a point that is not on the curve', offCurve, notP256],
    ['a key of another type', ed25519, notP256],
  ])('DPoP jwk: %s', async (_name, jwk, detail) => {
    expectRefusal(await get(await proofWith({}, { jwk: await jwk() })), detail);
  });

  test('DPoP jwk: another key than the one the token is bound to', async () => {
    const other = await generateKeyPair('ES256', { extractable: true });
    const proof = await proofBy(other.privateKey, await exportJWK(other.publicKey));
    expectRefusal(await get(proof), 'the access token is not bound to the DPoP proof key');
  });

  test("DPoP signature: by another key under the token's jwk", async () => {
    const other = await generateKeyPair('ES256');
    const proof = await proofBy(other.privateKey, partner.dpopKey.publicJwk);
    expectRefusal(await get(proof), 'the signature of the DPoP proof is wrong');
  });

  test.each([
    ['missing', () => ''],
    ['cut off', (signature: string) => signature.slice(0, -4)],
    ['longer than R and S', (signature: string) => `${signature.slice(0, -2)}AAAA`],
    ['all zero', () => Buffer.alloc(64).toString('base64url')],
  ])('DPoP signature: %s', async (_name, change) => {
    const [header, claims, signature = ''] = (await proofWith()).split('.');
    expectRefusal(
      await get(`${header}.${claims}.${change(signature)}`),
      'the signature of the DPoP proof is wrong',
    );
  });

  test('DPoP signature: padded, which base64url in a JWT is not', async () => {
    expectRefusal(await get(`${await proofWith()}==`), 'the DPoP proof is not a JWT');
  });

  test('DPoP signature: claims changed after signing', async () => {
    const [header, , signature] = (await proofWith()).split('.');
    const [, claims] = (await proofWith()).split('.');
    expectRefusal(
      await get(`${header}.${claims}.${signature}`),
      'the signature of the DPoP proof is wrong',
    );
  });
});

describe('htm and htu', () => {
  const htmMismatch = 'htm mismatch: it is not the method of the request';
  const htuMismatch = 'htu mismatch: it is not the address of the request, with its query';

  test.each(['POST', 'get', undefined])('DPoP htm: %s', async (htm) => {
    expectRefusal(await get(await proofWith({ htm })), htmMismatch);
  });

  const wrong: [string, (base: string) => unknown][] = [
    ['another path', (base) => `${base}/v1/experts/case?page=1&size=2`],
    ['query missing', (base) => `${base}/v1/experts/cases`],
    ['query reordered', (base) => `${base}/v1/experts/cases?size=2&page=1`],
    ['query encoded otherwise', (base) => `${base}/v1/experts/cases?page=%31&size=2`],
    ['a fragment', (base) => `${base}${path}#x`],
    ['another host', (base) => base.replace('127.0.0.1', 'localhost') + path],
    ['another port', (base) => base.replace(/:\d+$/, ':1') + path],
    ['no port', (base) => base.replace(/:\d+$/, '') + path],
    ['https for http', (base) => base.replace('http:', 'https:') + path],
    ['a path in other case', (base) => base + path.replace('cases', 'Cases')],
    ['no address', () => path],
    ['not a string', () => 7],
    ['missing', () => undefined],
  ];
  test.each(wrong)('DPoP htu: %s', async (_name, htu) => {
    expectRefusal(await get(await proofWith({ htu: htu(service.baseUrl) })), htuMismatch);
  });

  test('DPoP htu: scheme and host are compared without regard to case', async () => {
    const htu = url.replace('http://', 'HTTP://');
    expect((await get(await proofWith({ htu }))).status).toBe(200);
  });
});

describe('jti, iat, ath', () => {
  test.each([
    ['missing', undefined, 'the DPoP proof has no jti'],
    ['oversized', 'x'.repeat(129), 'the jti of the DPoP proof is not 1 to 128 characters'],
    ['empty', '', 'the jti of the DPoP proof is not 1 to 128 characters'],
    ['a number', 5, 'the jti of the DPoP proof is not 1 to 128 characters'],
  ])('DPoP jti: %s', async (_name, jti, detail) => {
    expectRefusal(await get(await proofWith({ jti })), detail);
  });

  test('DPoP jti: 128 characters are accepted (jtiMaxLength)', async () => {
    expect((await get(await proofWith({ jti: 'y'.repeat(128) }))).status).toBe(200);
  });

  test('DPoP jti: replayed', async () => {
    const proof = await proofWith();
    expect((await get(proof)).status).toBe(200);
    expectRefusal(await get(proof), 'replayed jti: the DPoP proof was used before');
  });

  test('DPoP jti: a proof that was refused has used nothing up', async () => {
    const jti = 'kept for later';
    expect((await get(await proofWith({ jti, htm: 'PUT' }))).status).toBe(401);
    expect((await get(await proofWith({ jti }))).status).toBe(200);
  });

  const atServer = 'the time of this server is NOW';
  const tooOld = 'iat outside the window: the DPoP proof is too old';
  const ahead = 'iat outside the window: the DPoP proof is ahead of time';
  test.each([
    ['missing', () => undefined, 'the DPoP proof has no iat'],
    ['text', () => String(nowS()), 'the iat of the DPoP proof is not valid'],
    ['61 s old', () => nowS() - 61, `${tooOld}, by 61 s; ${atServer}`],
    ['11 s ahead', () => nowS() + 11, `${ahead}, by 11 s; ${atServer}`],
  ])('DPoP iat: %s (proofMaxAgeS, proofMaxAheadS)', async (_name, iat, detail) => {
    const text = detail.replace('NOW', isoTime(service.clock.now()));
    expectRefusal(await get(await proofWith({ iat: iat() })), text);
  });

  test.each([
    ['60 s old', -60],
    ['10 s ahead', 10],
  ])('DPoP iat: %s is accepted', async (_name, ageS) => {
    expect((await get(await proofWith({ iat: nowS() + ageS }))).status).toBe(200);
  });

  test.each([
    ['missing', undefined, 'ath mismatch: the DPoP proof has no ath'],
    ['of another token', sha256('another'), 'ath mismatch: it is not the hash of the access token'],
  ])('DPoP ath: %s', async (_name, ath, detail) => {
    expectRefusal(await get(await proofWith({ ath })), detail);
  });
});

const accepted: [string, string, string][] = [
  ['https://api.example/v1/x?a=b', 'https://api.example', '/v1/x?a=b'],
  ['https://API.example:443/v1/x?a=b', 'https://api.example', '/v1/x?a=b'],
  ['https://api.example/v1/x', 'https://api.example:443', '/v1/x'],
  ['http://api.example:80/v1/x', 'http://api.example', '/v1/x'],
  ['HTTPS://api.example/base/v1/x', 'https://api.example/base', '/v1/x'],
  ['https://api.example', 'https://api.example', ''],
];
test.each(accepted)('DPoP htu: %s is %s%s', (htu, publicUrl, target) => {
  expect(isAddressOf(htu, publicUrl, target)).toBe(true);
});

const refused: [unknown, string, string][] = [
  [['https://api.example/v1/x'], 'https://api.example', '/v1/x'],
  [undefined, 'https://api.example', '/v1/x'],
  ['x', 'no address', '/v1/x'],
  [' https://api.example/v1/x', 'https://api.example', '/v1/x'],
  ['https://api.example:80/v1/x', 'https://api.example', '/v1/x'],
  ['http://api.example/v1/x', 'https://api.example', '/v1/x'],
  ['https://api.example/v1/x', 'https://api.example:8443', '/v1/x'],
  ['https://api.example/v1/x?', 'https://api.example', '/v1/x'],
  ['https://api.example/v1/./x', 'https://api.example', '/v1/x'],
  ['https://user@api.example/v1/x', 'https://api.example', '/v1/x'],
  ['https://api.example.evil/v1/x', 'https://api.example', '/v1/x'],
  ['', 'https://api.example', '/v1/x'],
];
test.each(refused)('DPoP htu: %j is not %s%s', (htu, publicUrl, target) => {
  expect(isAddressOf(htu, publicUrl, target)).toBe(false);
});

describe('a request that waited', () => {
  const publicUrl = 'https://api.example';
  const address = { publicUrl, audience: '' };
  const arrivedMs = Date.UTC(2026, 2, 1);

  /** Checks a proof of that age at the arrival of its request, `laterS` after the arrival. */
  async function checkedLater(laterS: number, claims: Readonly<Record<string, unknown>>) {
    const { privateKey, publicJwk } = partner.dpopKey;
    const options = { method: 'GET', url: publicUrl + path, nowMs: arrivedMs, claims };
    const headers = { dpop: await signProof(privateKey, publicJwk, options) };
    // The members that are read of a request.
    const request = { headers, method: 'GET', originalUrl: path, [arrivedAt]: arrivedMs };
    const clock = { ...service.clock, now: () => arrivedMs + laterS * 1000 };
    return checkProof({ address, clock }, request as unknown as FastifyRequest);
  }
  const refusalOf = (laterS: number, claims: Readonly<Record<string, unknown>>) =>
    checkedLater(laterS, claims).then(
      () => null,
      (error: unknown) => (error as Problem).detail,
    );
  const arrivedS = arrivedMs / 1000;

  test('DPoP iat: the age is that at the arrival, or now if the clock was set back since', async () => {
    expect(await refusalOf(100, { iat: arrivedS - 60 })).toBeNull();
    expect(await refusalOf(100, { iat: arrivedS - 61 })).toContain('too old, by 61 s');
    expect(await refusalOf(-20, { iat: arrivedS })).toContain('ahead of time, by 20 s');
    // A part of a second does not count.
    expect(await refusalOf(0, { iat: arrivedS - 60.5 })).toContain('too old, by 61 s');
  });

  test('DPoP exp, nbf: are kept to at the arrival, if a proof has them', async () => {
    expect(await refusalOf(100, { exp: arrivedS + 1 })).toBeNull();
    expect(await refusalOf(0, { exp: arrivedS - 1 })).toBe(
      'the exp of the DPoP proof is not valid',
    );
    expect(await refusalOf(0, { nbf: arrivedS + 1 })).toBe(
      'the nbf of the DPoP proof is not valid',
    );
  });

  test('DPoP jti: is remembered for as long as a repetition may wait, for its key', async () => {
    const { jkt, jti } = await checkedLater(30, { jti: 'one' });
    const { publicJwk } = partner.dpopKey;
    const { crv, kty, x, y } = publicJwk;
    expect(jkt).toBe(sha256(JSON.stringify({ crv, kty, x, y })));
    const expiresAtMs = arrivedMs + (30 + 120) * 1000;
    expect(jti).toEqual({ owner: `dpop:${jkt}`, jti: 'one', expiresAtMs });
  });
});

describe('a proof that is none', () => {
  const address = { publicUrl: 'https://api.example', audience: '' };
  /** Why a proof is refused, as the front says it. */
  const refusalOf = (dpop: string) =>
    checkProof({ address, clock: service.clock }, {
      headers: { dpop },
      method: 'GET',
      originalUrl: path,
    } as unknown as FastifyRequest).then(
      () => null,
      (error: unknown) => error,
    );

  test('DPoP: an empty header has no proof', async () => {
    expect(await refusalOf('')).toMatchObject({
      detail: 'the request has no DPoP proof',
      oauthError: 'invalid_dpop_proof',
    });
  });

  test('DPoP jwk: null is no key', async () => {
    const header = { typ: 'dpop+jwt', alg: 'ES256', jwk: null };
    const text = `${Buffer.from(JSON.stringify(header)).toString('base64url')}.e30.a`;
    expect(await refusalOf(text)).toMatchObject({
      detail: 'the jwk of the DPoP proof is not a public P-256 key',
    });
  });

  test('DPoP: a signed text that is not JSON is no JWT', async () => {
    const { privateKey, publicJwk: jwk } = partner.dpopKey;
    const signed = await new CompactSign(Buffer.from('no claims'))
      .setProtectedHeader({ typ: 'dpop+jwt', alg: 'ES256', jwk })
      .sign(privateKey);
    expect(await refusalOf(signed)).toMatchObject({ detail: 'the DPoP proof is not a JWT' });
  });
});

test('DPoP: a refusal names the scheme’s error and algorithm', async () => {
  const answer = await get('x');
  expect(answer.headers['www-authenticate']).toBe('DPoP error="invalid_dpop_proof", algs="ES256"');
});
