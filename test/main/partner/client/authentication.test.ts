import { createHash, generateKeyPairSync } from 'node:crypto';
import { jwtVerify } from 'jose';
import { describe, expect, it } from 'vitest';
import { grant, type Handler, problem, reset } from '../../../support/partner/hostile-server.ts';
import { createSteppedClock } from '../../engine/support/stepped-clock.ts';
import {
  createTestMemory,
  dpopKeys,
  problemOf,
  rsaKeys,
} from '../../engine/support/test-client.ts';
import { caseId, shareHostilePartner } from './hostile-partner.ts';

const { connect, server } = shareHostilePartner();

describe('authentication', () => {
  it('DPoP proof: typ, alg, public key, htm, ath, a new jti each time, signed', async () => {
    const { client } = connect();
    await client.listCases({ page: 1, size: 50 });
    await client.putComment(caseId, 'x').catch(() => undefined);
    const [list, put] = server().seen;
    const token = String(list?.headers.authorization).replace(/^DPoP /, '');
    for (const seen of server().seen) {
      expect(seen.proofHeader).toMatchObject({ typ: 'dpop+jwt', alg: 'ES256' });
      expect(Object.keys(seen.proofHeader.jwk ?? {}).sort()).toEqual(['crv', 'kty', 'x', 'y']);
      await jwtVerify(String(seen.headers['dpop']), dpopKeys.publicKey);
      expect(seen.headers['user-agent']).toMatch(/^AppraiserDesk\/\d+\.\d+\.\d+$/);
      expect(seen.proof.ath).toBe(createHash('sha256').update(token).digest('base64url'));
    }
    expect(list?.proof.htm).toBe('GET');
    expect(put?.proof.htm).toBe('PUT');
    expect(new Set(server().seen.map(({ proof }) => proof.jti)).size).toBe(server().seen.length);
  });

  it('DPoP htu: the exact address with its query string, or without it if asked', async () => {
    const query = { lastChangedSince: '2026-03-01T08:00:00+01:00', page: 2, size: 200 };
    await connect().client.listCases(query);
    const [seen] = server().seen;
    expect(seen?.url).toBe(
      '/v1/experts/cases?lastChangedSince=2026-03-01T08%3A00%3A00%2B01%3A00&page=2&size=200',
    );
    expect(seen?.proof.htu).toBe(server().baseUrl + String(seen?.url));
    await connect({ htuWithoutQuery: true }).client.listCases(query);
    expect(server().seen[1]?.proof.htu).toBe(`${server().baseUrl}/v1/experts/cases`);
  });

  it('a base address with a path, and paths that IT has set', async () => {
    const { client } = connect(
      { paths: { X2: '/v2/faelle/{caseId}' } },
      `${server().baseUrl}/partner/api/`,
    );
    await client.getCase(caseId).catch(() => undefined);
    expect(server().tokenRequests[0]?.url).toBe('/partner/api/v1/oauth/token');
    expect(server().seen[0]?.url).toBe(`/partner/api/v2/faelle/${caseId}`);
    expect(server().seen[0]?.proof.htu).toBe(server().baseUrl + String(server().seen[0]?.url));
  });

  it('token request: the form, the assertion and a proof without ath', async () => {
    const { client, clock } = connect({ scope: 'cases' });
    await client.listCases({ page: 1, size: 50 });
    const [request] = server().tokenRequests;
    const form = new URLSearchParams(request?.body.toString());
    expect(Object.fromEntries(form)).toMatchObject({
      grant_type: 'client_credentials',
      client_id: 'client-1',
      client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
      scope: 'cases',
    });
    const { payload, protectedHeader } = await jwtVerify(
      form.get('client_assertion') ?? '',
      rsaKeys.publicKey,
      { currentDate: new Date(clock.now()) },
    );
    expect(protectedHeader.alg).toBe('RS256');
    expect(payload).toMatchObject({
      iss: 'client-1',
      sub: 'client-1',
      aud: `${server().baseUrl}/v1/oauth/token`,
    });
    expect((payload.exp ?? 0) - (payload.iat ?? 0)).toBe(600);
    expect(payload.jti).toMatch(/^[0-9a-f-]{36}$/);
    expect(request?.proof).toMatchObject({
      htm: 'POST',
      htu: `${server().baseUrl}/v1/oauth/token`,
    });
    expect(request?.proof.ath).toBeUndefined();
  });

  it('one token request for all callers, stored for the next process of the same connection', async () => {
    const memory = createTestMemory();
    const clock = createSteppedClock();
    const { client } = connect({ memory, clock });
    await Promise.all(Array.from({ length: 5 }, () => client.listCases({ page: 1, size: 50 })));
    await connect({ memory, clock }).client.listCases({ page: 1, size: 50 });
    expect(server().tokenRequests).toHaveLength(1);
    // A token is of use only to whom it was given, for what it was given.
    const dpopKey = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
    for (const other of [{ clientId: 'other' }, { scope: 'cases' }, { dpopKey }]) {
      const before = server().tokenRequests.length;
      const known = createTestMemory();
      known.save(memory.text ?? '');
      await connect({ memory: known, clock, ...other }).client.listCases({ page: 1, size: 50 });
      expect(server().tokenRequests).toHaveLength(before + 1);
    }
  });

  it('a token that lasts no time by its own words is used for a minute', async () => {
    server().token = grant({ expires_in: 0 });
    const { client } = connect();
    await client.listCases({ page: 1, size: 50 });
    await client.listCases({ page: 1, size: 50 });
    expect(server().tokenRequests).toHaveLength(1);
  });

  it('the token is renewed before it expires: expires_in first, then exp, then a minute', async () => {
    const { client, clock } = connect();
    const count = async (ms: number) => {
      await clock.advance(ms);
      await client.listCases({ page: 1, size: 50 });
      return server().tokenRequests.length;
    };
    server().token = grant({ expires_in: 300 });
    expect(await count(0)).toBe(1);
    expect(await count(260_000)).toBe(1);
    const exp = Math.floor(Date.now() / 1000) + 3600;
    const claims = Buffer.from(JSON.stringify({ exp })).toString('base64url');
    server().token = grant({ access_token: `e30.${claims}.x`, expires_in: null });
    expect(await count(20_000)).toBe(2);
    server().token = grant({ expires_in: undefined });
    expect(await count(3_200_000)).toBe(2);
    expect(await count(400_000)).toBe(3);
    expect(await count(40_000)).toBe(3);
    expect(await count(15_000)).toBe(4);
  });

  it.each([
    [10, undefined],
    [4, { requests: 4, windowMs: 60_000 }],
  ])(
    'never more than %i token requests in a minute, over processes too',
    async (most, tokenLimit) => {
      const memory = createTestMemory();
      const clock = createSteppedClock();
      server().always = problem(401, 'unauthorized');
      const runs = (async () => {
        for (let run = 0; run < most + 2; run++) {
          await problemOf(connect({ memory, clock, tokenLimit }).client.getCase(caseId));
        }
      })();
      await clock.waitsFor((ms) => ms > 55_000 && ms !== 60_000);
      expect(server().tokenRequests).toHaveLength(most);
      // A second more: our idea of server time wavers by as much.
      await clock.advance(62_500);
      await runs;
      expect(server().tokenRequests.length).toBeGreaterThan(most);
    },
  );

  it('token requests stay a window apart by the server’s time, which is known to a second', async () => {
    // The first answer has a date that is almost a second old, so the known time goes back.
    const { client, clock } = connect({
      clock: createSteppedClock(Date.parse('2026-03-02T08:00:00.999Z')),
      tokenLimit: { requests: 1, windowMs: 60_000 },
    });
    const askedAt: number[] = [];
    server().token = (...args) => {
      askedAt.push(clock.now());
      return grant()(...args);
    };
    server().always = problem(401, 'unauthorized');
    const asked = problemOf(client.getCase(caseId)).then(() => problemOf(client.getCase(caseId)));
    for (let wait = 0; wait < 2; wait += 1) {
      let ms = 0;
      await clock.waitsFor((delayMs) => {
        ms = delayMs;
        return delayMs > 55_000 && delayMs !== 60_000;
      });
      await clock.advance(ms);
    }
    await asked;
    expect(askedAt).toHaveLength(3);
    const gaps = askedAt.slice(1).map((at, index) => at - (askedAt[index] ?? 0));
    expect(gaps.filter((ms) => ms < 60_000)).toEqual([]);
  });

  it('DPoP-Nonce: the next proof carries it, once and without a loop', async () => {
    const { client } = connect();
    server().token = (response, request, incoming) =>
      request.proof.nonce === 'as-nonce'
        ? grant()(response, request, incoming)
        : problem(
            400,
            'invalid_request',
            { 'dpop-nonce': 'as-nonce' },
            { error: 'use_dpop_nonce' },
          )(response, request, incoming);
    server().next(problem(401, 'invalid_dpop', { 'dpop-nonce': 'rs-nonce' }));
    await client.listCases({ page: 1, size: 50 });
    expect(server().tokenRequests.map(({ proof }) => proof.nonce)).toEqual([undefined, 'as-nonce']);
    // It stays the latest one after an answer without a nonce.
    await client.listCases({ page: 1, size: 50 });
    const nonces = server().seen.map(({ proof }) => proof.nonce);
    expect(nonces).toEqual([undefined, 'rs-nonce', 'rs-nonce']);

    let turn = 0;
    server().always = (...args) =>
      problem(401, 'invalid_dpop', { 'dpop-nonce': `n${++turn}` })(...args);
    expect(await problemOf(client.getCase(caseId))).toMatchObject({ code: 'unauthorized' });
    expect(turn).toBeLessThanOrEqual(3);
  });

  it('a token request that fails is repeated twice', async () => {
    server().token = problem(503, 'unavailable');
    await problemOf(connect().client.getCase(caseId));
    expect(server().tokenRequests).toHaveLength(3);
  });

  it('a token request whose connection breaks is repeated', async () => {
    let isBroken = true;
    server().token = (...args) => {
      const answer = isBroken ? reset : grant();
      isBroken = false;
      return answer(...args);
    };
    await connect().client.listCases({ page: 1, size: 50 });
    expect([server().tokenRequests.length, server().seen.length]).toEqual([2, 1]);
  });

  it('a token request that is answered with no HTTP is not repeated', async () => {
    server().token = (_, __, incoming) => void incoming.socket.end('Please log in\r\n\r\n');
    const code = await problemOf(connect().client.getCase(caseId));
    expect(code).toMatchObject({ code: 'captive_portal' });
    expect(server().tokenRequests).toHaveLength(1);
  });

  it('a token endpoint that fails and names a nonce is asked no more often than another', async () => {
    let turn = 0;
    server().token = (...args) =>
      problem(503, 'unavailable', { 'dpop-nonce': `n${++turn}` })(...args);
    await problemOf(connect().client.getCase(caseId));
    expect(server().tokenRequests).toHaveLength(3);
  });

  it('a clock that is two minutes behind is corrected by the refusal, and the token asked for again', async () => {
    const isNear = (iat = 0) => Math.abs(Date.now() / 1000 - iat) < 60;
    const refused = problem(401, 'invalid_client', {}, { error: 'invalid_client' });
    server().token = (response, request, incoming) =>
      (isNear(request.proof.iat) ? grant() : refused)(response, request, incoming);
    const { client } = connect({ clock: createSteppedClock(Date.now() - 120_000) });
    server().now = () => Date.now();
    await client.listCases({ page: 1, size: 50 });
    const asked = server().tokenRequests.map(({ proof }) => isNear(proof.iat));
    expect([...asked, isNear(server().seen[0]?.proof.iat)]).toEqual([false, true, true]);
  });

  it('a clock that was set back does not count the requests of the time ahead', async () => {
    const memory = createTestMemory();
    const clock = createSteppedClock();
    await clock.advance(86_400_000);
    server().always = problem(401, 'unauthorized');
    const tokenLimit = { requests: 4, windowMs: 60_000 };
    while (server().tokenRequests.length < tokenLimit.requests)
      await problemOf(connect({ memory, clock, tokenLimit }).client.getCase(caseId));
    await problemOf(connect({ memory, tokenLimit }).client.getCase(caseId));
    expect(server().tokenRequests.length).toBeGreaterThan(tokenLimit.requests);
  });

  it('a token endpoint that wants another nonce each time is not asked without an end', async () => {
    let turn = 0;
    server().token = (...args) =>
      problem(
        400,
        'invalid_request',
        { 'dpop-nonce': `n${++turn}` },
        { error: 'use_dpop_nonce' },
      )(...args);
    await problemOf(connect().client.getCase(caseId));
    expect([server().tokenRequests.length, server().seen.length]).toEqual([2, 0]);
  });

  it('a token that is refused late does not take its successor along', async () => {
    const { client } = connect();
    const until = async (isSo: () => boolean) => {
      while (!isSo()) await new Promise((resolve) => setImmediate(resolve));
    };
    // Both are sent with the first token. The second is refused once the first has a new one.
    const refusedAt = (count: number): Handler => {
      return async (...args) => {
        await until(() => server().seen.length === count);
        await problem(401, 'unauthorized')(...args);
      };
    };
    server().next(refusedAt(2), refusedAt(3));
    const read = () => client.listCases({ page: 1, size: 50 });
    await Promise.all([read(), read()]);
    expect(server().tokenRequests).toHaveLength(2);
  });

  it('a refused token is replaced once', async () => {
    const { client } = connect();
    server().next(problem(401, 'unauthorized'));
    await client.listCases({ page: 1, size: 50 });
    expect(server().tokenRequests).toHaveLength(2);
    server().next(problem(401, 'unauthorized'), problem(401, 'unauthorized'));
    expect(await problemOf(client.createDraft(caseId, ''))).toEqual({
      code: 'unauthorized',
      params: { title: 'unauthorized', detail: 'detail of unauthorized' },
    });
  });

  it.each([
    ['the aud of the client assertion is not the address', 'audience_wrong'],
    ['the client assertion is not signed by a key of the organization', 'key_rejected'],
    ['the kid of the client assertion names no key', 'key_rejected'],
    ['the client_id is not known', 'client_id_unknown'],
    ['the exp of the client assertion is in the past', 'clock_wrong'],
    ['unknown client', 'client_id_unknown'],
    // All that node-oidc-provider ever answers.
    ['client authentication failed', 'sign_in_refused'],
    ['no', 'sign_in_refused'],
  ])('a refused token request, "%s": %s', async (detail, code) => {
    server().token = problem(401, 'invalid_client', {}, { detail, error: 'invalid_client' });
    expect(await problemOf(connect().client.getCase(caseId))).toMatchObject({ code });
    expect(server().seen).toHaveLength(0);
  });

  it('invalid_org_context: the organization is of another kind', async () => {
    server().next(problem(403, 'invalid_org_context'));
    expect(await problemOf(connect().client.getCase(caseId))).toMatchObject({
      code: 'organization_kind_wrong',
    });
  });
});
