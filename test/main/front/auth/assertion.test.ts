import { createPrivateKey, generateKeyPairSync, randomUUID, type KeyObject } from 'node:crypto';
import { CompactSign, decodeJwt, decodeProtectedHeader } from 'jose';
import { describe, expect, test } from 'vitest';
import { isoTime } from '#shared/api/conventions.ts';
import { checkAssertion } from '#main/front/auth/assertion.ts';
import { registerKey } from '#main/service/organizations/organizations.ts';
import {
  createPartner,
  send,
  signAssertion,
  tokenForm,
  type PartnerAnswer,
} from '../../service/support/partner.ts';
import { startService, shareService } from '../../service/support/service.ts';

const { service, expert: partner } = await shareService();
const key = createPrivateKey(service.credentials.expert.privateKeyPem);
const { clientId } = service.credentials.expert;
const tokenUrl = `${service.baseUrl}/v1/oauth/token`;

function nowS(): number {
  return Math.floor(service.clock.now() / 1000);
}

function assertionWith(claims: object = {}, header: object = {}, by = key): Promise<string> {
  return signAssertion(by, {
    clientId,
    audience: tokenUrl,
    nowMs: service.clock.now(),
    claims: { ...claims },
    header: { ...header },
  });
}

async function ask(body: string, headers: object = {}): Promise<PartnerAnswer> {
  return send('POST', tokenUrl, {
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      dpop: await partner.proof('POST', tokenUrl),
      ...headers,
    },
    body,
  });
}

async function askWith(assertion: string, client = clientId): Promise<PartnerAnswer> {
  return ask(tokenForm(client, assertion));
}

function expectRefusal(
  answer: PartnerAnswer,
  refusal: { title: string; status: number; detail: string },
): void {
  expect(answer.headers['content-type']).toBe('application/problem+json');
  expect(answer.json).toMatchObject({
    ...refusal,
    type: 'about:blank',
    instance: answer.headers['x-correlation-id'],
    error: refusal.title,
    error_description: refusal.detail,
  });
  // The body names the error: OAuth libraries would read the challenge instead.
  expect(answer.headers['www-authenticate']).toBeUndefined();
  expect(answer.headers['cache-control']).toBe('no-store');
}

async function expectInvalidClient(
  assertion: string,
  detail: string,
  client = clientId,
): Promise<void> {
  const answer = await askWith(assertion, client);
  expectRefusal(answer, { title: 'invalid_client', status: 401, detail });
}

describe('token', () => {
  test('token: a right request gets a token bound to its key, with Cache-Control: no-store', async () => {
    const answer = await askWith(await assertionWith());
    expect(answer.status).toBe(200);
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(answer.json).toEqual({
      access_token: expect.any(String) as string,
      token_type: 'DPoP',
      expires_in: 300,
    });
    const { access_token: token } = answer.json as { access_token: string };
    expect(decodeProtectedHeader(token)).toMatchObject({ typ: 'at+jwt', alg: 'ES256' });
    expect(decodeJwt(token)).toMatchObject({
      iss: service.baseUrl,
      sub: clientId,
      aud: service.baseUrl,
      iat: nowS(),
      exp: nowS() + 300,
      organization_id: service.credentials.expert.organizationId,
      organization_kind: 'expert',
      cnf: { jkt: expect.any(String) as string },
      jti: expect.any(String) as string,
    });
  });

  test('token: a well-formed scope is granted as asked', async () => {
    const form = tokenForm(clientId, await assertionWith(), { scope: 'cases reports' });
    const { json } = await ask(form);
    expect(json).toMatchObject({ scope: 'cases reports' });
    const { access_token: token } = json as { access_token: string };
    expect(decodeJwt(token)).toMatchObject({ scope: 'cases reports' });
  });

  test.each([
    ['invalid_scope', { scope: 'a "b"' }, 'the scope is malformed'],
    [
      'unsupported_grant_type',
      { grant_type: 'password' },
      'the grant_type is not client_credentials',
    ],
    [
      'invalid_request',
      { client_assertion_type: 'x' },
      'the client_assertion_type is not that of a JWT',
    ],
  ])('token: it is %s with %j (invalid_scope, unsupported_grant_type)', async (...row) => {
    const [title, fields, detail] = row;
    const form = tokenForm(clientId, await assertionWith(), fields);
    expectRefusal(await ask(form), { title, status: 400, detail });
  });

  test('token: an empty scope is no scope', async () => {
    const answer = await ask(tokenForm(clientId, await assertionWith(), { scope: '' }));
    expect(answer.status).toBe(200);
    expect(answer.json).not.toHaveProperty('scope');
  });

  test.each(['grant_type', 'client_id', 'client_assertion_type', 'client_assertion'])(
    'token: without %s it is invalid_request',
    async (name) => {
      const form = new URLSearchParams(tokenForm(clientId, await assertionWith()));
      form.delete(name);
      const answer = await ask(form.toString());
      expectRefusal(answer, {
        title: 'invalid_request',
        status: 400,
        detail: 'the form lacks a field',
      });
      expect(answer.json).toMatchObject({ errors: { [name]: ['is required, once.'] } });
    },
  );

  test('token: a field that comes twice is invalid_request, however many fields are between', async () => {
    const form = tokenForm(clientId, await assertionWith());
    for (const [between, again] of [
      ['', clientId],
      ['&x'.repeat(1500), 'other'],
    ] as const) {
      expect((await ask(`${form}${between}&client_id=${again}`)).json).toMatchObject({
        title: 'invalid_request',
        errors: { client_id: ['is required, once.'] },
      });
    }
    expect((await ask(`${'x&'.repeat(1500)}${form}`)).status).toBe(200);
  });

  test('token: the form’s media type may have another case and a charset', async () => {
    // RFC 9110 section 8.3.1.
    const headers = { 'content-type': 'Application/X-WWW-Form-Urlencoded; charset=UTF-8' };
    const answer = await ask(tokenForm(clientId, await assertionWith()), headers);
    expect(answer.status).toBe(200);
  });

  test.each(['application/json', 'application/x-www-form-urlencoded-2', 'text/plain'])(
    'token: a form sent as %s is no form: invalid_request, every field missing',
    async (contentType) => {
      const form = tokenForm(clientId, await assertionWith());
      const answer = await ask(form, { 'content-type': contentType });
      expect(answer.status).toBe(400);
      expect(answer.json).toMatchObject({
        title: 'invalid_request',
        error: 'invalid_request',
        errors: {
          grant_type: ['is required, once.'],
          client_id: ['is required, once.'],
          client_assertion_type: ['is required, once.'],
          client_assertion: ['is required, once.'],
        },
      });
    },
  );

  test('token: a body over 64 KB is refused', async () => {
    const answer = await ask(`x=${'y'.repeat(70_000)}`);
    expect(answer.json).toMatchObject({ title: 'size_limit_exceeded', status: 400 });
  });

  test('token: without a proof it is invalid_dpop', async () => {
    const answer = await send('POST', tokenUrl, {
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: tokenForm(clientId, await assertionWith()),
    });
    expect(answer.json).toMatchObject({
      title: 'invalid_dpop',
      status: 401,
      error: 'invalid_dpop_proof',
      detail: 'the request has no DPoP proof',
    });
  });

  test('token: a proof that was refused leaves the assertion usable', async () => {
    const assertion = await assertionWith();
    const wrong = await partner.proof('GET', tokenUrl);
    expect((await ask(tokenForm(clientId, assertion), { dpop: wrong })).status).toBe(401);
    expect((await askWith(assertion)).status).toBe(200);
  });

  test('token: an assertion that was refused leaves the proof usable', async () => {
    const dpop = await partner.proof('POST', tokenUrl);
    const wrong = tokenForm(clientId, await assertionWith({ sub: 'another' }));
    expect((await ask(wrong, { dpop })).status).toBe(401);
    const right = tokenForm(clientId, await assertionWith());
    expect((await ask(right, { dpop })).status).toBe(200);
  });
});

describe('client assertion', () => {
  test('assertion: not a JWT', () =>
    expectInvalidClient('nothing', 'the client assertion is not a JWT'));

  test('assertion: alg none', async () => {
    const [, claims] = (await assertionWith()).split('.');
    const header = Buffer.from('{"alg":"none"}').toString('base64url');
    await expectInvalidClient(
      `${header}.${claims}.`,
      'the alg of the client assertion is not RS256',
    );
  });

  test('assertion: PS256', async () => {
    await expectInvalidClient(
      await assertionWith({}, { alg: 'PS256' }),
      'the alg of the client assertion is not RS256',
    );
  });

  test('assertion crit: an extension that is not understood', async () => {
    const claims = decodeJwt(await assertionWith());
    const assertion = await new CompactSign(Buffer.from(JSON.stringify(claims)))
      .setProtectedHeader({ alg: 'RS256', crit: ['x'], x: 1 })
      .sign(key, { crit: { x: true } });
    await expectInvalidClient(assertion, 'the client assertion has a critical header extension');
  });

  const unsigned = 'the client assertion is not signed by a key of the organization';
  const noJwt = 'the client assertion is not a JWT';
  test.each([
    ['missing', unsigned, () => ''],
    ['cut off', unsigned, (signature: string) => signature.slice(0, -4)],
    ['padded', noJwt, (signature: string) => `${signature}==`],
    // The same bytes: the signature verifies.
    [
      'base64 and not base64url',
      noJwt,
      (signature: string) => `${signature.replaceAll('-', '+').replaceAll('_', '/')}=`,
    ],
    [
      'with a space in it',
      noJwt,
      (signature: string) => `${signature.slice(0, 9)} ${signature.slice(9)}`,
    ],
  ])('assertion: signature %s', async (_name, detail, change) => {
    const [header, claims, signature = ''] = (await assertionWith()).split('.');
    await expectInvalidClient(`${header}.${claims}.${change(signature)}`, detail);
  });

  const otherAud = 'the aud of the client assertion is not the address of the token endpoint';
  test.each([
    ['wrong', () => 'https://elsewhere.example/v1/oauth/token'],
    ['missing', () => undefined],
    ['the base address', () => service.baseUrl],
    ['an array with another beside it', () => [tokenUrl, 'https://elsewhere.example']],
    ['an empty array', () => []],
  ])('assertion: aud %s', async (_name, aud) => {
    await expectInvalidClient(await assertionWith({ aud: aud() }), otherAud);
  });

  test('assertion: aud an array of just the token endpoint is accepted', async () => {
    expect((await askWith(await assertionWith({ aud: [tokenUrl] }))).status).toBe(200);
  });

  test.each<[string, () => object, string]>([
    [
      'iss other than the client id',
      () => ({ iss: 'another' }),
      'the iss of the client assertion is not the client_id',
    ],
    [
      'iss other than sub',
      () => ({ sub: 'another' }),
      'the sub of the client assertion is not the client_id',
    ],
    ['without exp', () => ({ exp: undefined }), 'the client assertion has no exp'],
    [
      'too long-lived',
      () => ({ exp: nowS() + 601 }),
      'the client assertion is valid for longer than 600 s',
    ],
    ['without iat', () => ({ iat: undefined }), 'the client assertion has no iat'],
    ['nbf not a number', () => ({ nbf: 'now' }), 'the nbf of the client assertion is not a number'],
    ['without jti', () => ({ jti: undefined }), 'the client assertion has no jti'],
    ['jti empty', () => ({ jti: '' }), 'the client assertion has no jti'],
    [
      'jti too long',
      () => ({ jti: 'x'.repeat(256) }),
      'the jti of the client assertion is too long',
    ],
  ])('assertion: %s (assertionLifetimeS)', async (_name, claims, detail) => {
    await expectInvalidClient(await assertionWith(claims()), detail);
  });

  test('assertion: a jti of 255 characters is accepted', async () => {
    expect((await askWith(await assertionWith({ jti: 'x'.repeat(255) }))).status).toBe(200);
  });

  test.each<[string, (second: number) => object, string]>([
    [
      'expired',
      (second) => ({ iat: nowS() - 400, exp: nowS() - 59 - second }),
      'the client assertion has expired',
    ],
    [
      'iat ahead',
      (second) => ({ iat: nowS() + 60 + 2 * second, exp: nowS() + 300 }),
      'the iat of the client assertion is ahead of time, by 62 s; the time of this server is NOW',
    ],
    [
      'nbf ahead',
      (second) => ({ nbf: nowS() + 60 + 2 * second }),
      'the client assertion is not valid yet',
    ],
  ])('assertion: %s by more than the leeway (assertionLeewayS)', async (_name, claims, detail) => {
    const said = detail.replace('NOW', isoTime(service.clock.now()));
    await expectInvalidClient(await assertionWith(claims(1)), said);
    expect((await askWith(await assertionWith(claims(0)))).status).toBe(200);
  });

  test('assertion: replayed', async () => {
    const assertion = await assertionWith();
    expect((await askWith(assertion)).status).toBe(200);
    await expectInvalidClient(assertion, 'the client assertion was used before');
  });

  test('assertion: an unknown client is invalid_client', async () => {
    const assertion = await assertionWith({ iss: 'nobody', sub: 'nobody' });
    await expectInvalidClient(assertion, 'there is no client of this client_id', 'nobody');
  });

  test("assertion: foreign key, also another organization's", async () => {
    const detail = 'the client assertion is not signed by a key of the organization';
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    await expectInvalidClient(await assertionWith({}, {}, privateKey), detail);
    const insurer = createPrivateKey(service.credentials.insurer.privateKeyPem);
    await expectInvalidClient(await assertionWith({}, {}, insurer), detail);
  });
});

const pemOf = (key: KeyObject) => key.export({ type: 'spki', format: 'pem' }).toString();

describe('keys', () => {
  test('assertion: several keys of an organization, each named by its kid or not at all', async () => {
    const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const { organizationId } = service.credentials.expert;
    const kid = await registerKey(
      service.context.db,
      organizationId,
      pemOf(publicKey),
      service.clock.now(),
    );
    expect((await askWith(await assertionWith({}, {}, privateKey))).status).toBe(200);
    expect((await askWith(await assertionWith({}, { kid }, privateKey))).status).toBe(200);
    expect((await askWith(await assertionWith())).status).toBe(200);
    await expectInvalidClient(
      await assertionWith({}, { kid }),
      'the client assertion is not signed by a key of the organization',
    );
    await expectInvalidClient(
      await assertionWith({}, { kid: randomUUID() }, privateKey),
      'the kid of the client assertion names no key of the organization',
    );
    await service.context.db.deleteFrom('client_keys').where('kid', '=', kid).execute();
    expect((await askWith(await assertionWith({}, {}, privateKey))).status).toBe(401);
  });

  test('assertion: --audience is what aud is held against', async () => {
    const audience = 'https://idp.example/token';
    const other = await startService({ listen: { audience } });
    const { expert } = other.credentials;
    const now = () => other.clock.now();
    const right = await createPartner(expert, other.baseUrl, { audience, now });
    await expect(right.token()).resolves.toBeTypeOf('string');
    const wrong = await createPartner(expert, other.baseUrl, { now });
    await expect(wrong.token()).rejects.toThrow(/aud of the client assertion/);
    await other.remove();
  });
});

describe('an assertion that is checked', () => {
  const nowMs = Date.UTC(2026, 2, 1);
  const nowAtS = nowMs / 1000;
  const check = (assertion: string) => {
    const clock = { ...service.clock, now: () => nowMs };
    return checkAssertion({ ...service.context, clock }, assertion, clientId);
  };
  const signed = (claims: object) =>
    assertionWith({ jti: 'one', iat: nowAtS, exp: nowAtS + 300, ...claims });

  test('assertion jti: is remembered, for its client, until the leeway after its exp is over', async () => {
    const { jti } = await check(await signed({}));
    const expiresAtMs = nowMs + (300 + 60) * 1000;
    expect(jti).toEqual({ owner: `assertion:${clientId}`, jti: 'one', expiresAtMs });
  });

  test('assertion iat: may be ahead by its leeway', async () => {
    const ahead = (s: number) => signed({ iat: nowAtS + s, exp: nowAtS + s + 300 });
    await expect(check(await ahead(60))).resolves.toMatchObject({ jti: { jti: 'one' } });
    await expect(check(await ahead(61))).rejects.toMatchObject({ title: 'invalid_client' });
  });

  test('assertion: a signed text that is not JSON is no JWT', async () => {
    const text = await new CompactSign(Buffer.from('no claims'))
      .setProtectedHeader({ alg: 'RS256' })
      .sign(key);
    await expect(check(text)).rejects.toMatchObject({
      detail: 'the client assertion is not a JWT',
    });
  });
});
