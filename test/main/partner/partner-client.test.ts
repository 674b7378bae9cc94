import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { jwtVerify } from 'jose';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { readPages } from '#main/partner/list-reading.ts';
import type { UploadSource } from '#main/partner/document-bodies.ts';
import {
  emptyPage,
  grant,
  json,
  loginPage,
  problem,
  reset,
  startHostileServer,
  type Handler,
  type HostileServer,
} from '../../support/partner/hostile-server.ts';
import { createSteppedClock } from '../engine/support/stepped-clock.ts';
import {
  createTestClient,
  createTestMemory,
  dpopKeys,
  problemOf,
  rsaKeys,
} from '../engine/support/test-client.ts';

const caseId = randomUUID();
const submissionId = randomUUID();
const documentId = randomUUID();
const at = '2026-03-01T08:00:00.000Z';

let server: HostileServer;
const closers: (() => Promise<void>)[] = [];
beforeEach(async () => {
  server = await startHostileServer();
});
afterEach(async () => {
  await Promise.all(closers.splice(0).map((close) => close()));
  await server.stop();
});

function connect(options: Parameters<typeof createTestClient>[1] = {}, baseUrl = server.baseUrl) {
  const made = createTestClient(baseUrl, options);
  server.now = () => made.clock.now();
  closers.push(() => made.client.close());
  return made;
}

const host = () => new URL(server.baseUrl).host;

const caseRecord = {
  Id: caseId,
  ExternalKey: 'SCH-1',
  Category: 'vehicle',
  Status: 'Accepted',
  CreatedAt: at,
  UpdatedAt: at,
  ExpertComment: '',
  PayloadJson: '{}',
  ArchiveState: false,
  Insurer: { Name: 'Muster', Responsible: { Name: 'A', Email: 'a@b.ch', Phone: '1' } },
  HailDriveInAccepted: false,
  LastChangedAt: at,
  CostEstimateAmount: 1234.56,
  ApprovedAmount: null,
  SavingsAmount: null,
};
const submissionRecord = {
  Id: submissionId,
  ClaimId: caseId,
  SequenceNo: 1,
  Status: 'Draft',
  Comment: 'c',
  SubmittedAt: null,
  CreatedAt: at,
  UpdatedAt: at,
};
const documentRecord = {
  Id: documentId,
  FileName: 'a.pdf',
  ContentType: 'application/pdf',
  SizeBytes: 3,
  CreatedAt: at,
};
const uploadedRecord = {
  ...documentRecord,
  SubmissionId: submissionId,
  ClaimId: caseId,
  Kind: 'Report',
  IsSalvageSale: false,
};

const sourceOf = (content: Buffer, pieceBytes = 10_000): UploadSource => ({
  fileName: 'Bericht "Züri".pdf',
  contentType: 'application/pdf',
  sizeBytes: content.length,
  isSalvageSale: true,
  open: () =>
    Readable.from(
      Array.from({ length: Math.ceil(content.length / pieceBytes) }, (_, index) =>
        content.subarray(index * pieceBytes, (index + 1) * pieceBytes),
      ),
    ),
});

describe('authentication', () => {
  it('DPoP proof: typ, alg, public key, htm, ath, a new jti each time, signed', async () => {
    const { client } = connect();
    await client.listCases({ page: 1, size: 50 });
    await client.putComment(caseId, 'x').catch(() => undefined);
    const [list, put] = server.seen;
    const token = String(list?.headers.authorization).replace(/^DPoP /, '');
    for (const seen of server.seen) {
      expect(seen.proofHeader).toMatchObject({ typ: 'dpop+jwt', alg: 'ES256' });
      expect(Object.keys(seen.proofHeader.jwk ?? {}).sort()).toEqual(['crv', 'kty', 'x', 'y']);
      await jwtVerify(String(seen.headers['dpop']), dpopKeys.publicKey);
      expect(seen.headers['user-agent']).toMatch(/^AppraiserDesk\/\d+\.\d+\.\d+$/);
      expect(seen.proof.ath).toBe(createHash('sha256').update(token).digest('base64url'));
    }
    expect(list?.proof.htm).toBe('GET');
    expect(put?.proof.htm).toBe('PUT');
    expect(new Set(server.seen.map(({ proof }) => proof.jti)).size).toBe(server.seen.length);
  });

  it('DPoP htu: the exact address with its query string, or without it if asked', async () => {
    const query = { lastChangedSince: '2026-03-01T08:00:00+01:00', page: 2, size: 200 };
    await connect().client.listCases(query);
    const [seen] = server.seen;
    expect(seen?.url).toBe(
      '/v1/experts/cases?lastChangedSince=2026-03-01T08%3A00%3A00%2B01%3A00&page=2&size=200',
    );
    expect(seen?.proof.htu).toBe(server.baseUrl + String(seen?.url));
    await connect({ htuWithoutQuery: true }).client.listCases(query);
    expect(server.seen[1]?.proof.htu).toBe(`${server.baseUrl}/v1/experts/cases`);
  });

  it('a base address with a path, and paths that IT has set', async () => {
    const { client } = connect(
      { paths: { X2: '/v2/faelle/{caseId}' } },
      `${server.baseUrl}/partner/api/`,
    );
    await client.getCase(caseId).catch(() => undefined);
    expect(server.tokenRequests[0]?.url).toBe('/partner/api/v1/oauth/token');
    expect(server.seen[0]?.url).toBe(`/partner/api/v2/faelle/${caseId}`);
    expect(server.seen[0]?.proof.htu).toBe(server.baseUrl + String(server.seen[0]?.url));
  });

  it('token request: the form, the assertion and a proof without ath', async () => {
    const { client, clock } = connect({ scope: 'cases' });
    await client.listCases({ page: 1, size: 50 });
    const [request] = server.tokenRequests;
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
      aud: `${server.baseUrl}/v1/oauth/token`,
    });
    expect((payload.exp ?? 0) - (payload.iat ?? 0)).toBe(600);
    expect(payload.jti).toMatch(/^[0-9a-f-]{36}$/);
    expect(request?.proof).toMatchObject({ htm: 'POST', htu: `${server.baseUrl}/v1/oauth/token` });
    expect(request?.proof.ath).toBeUndefined();
  });

  it('one token request for all callers, stored for the next process of the same connection', async () => {
    const memory = createTestMemory();
    const clock = createSteppedClock();
    const { client } = connect({ memory, clock });
    await Promise.all(Array.from({ length: 5 }, () => client.listCases({ page: 1, size: 50 })));
    await connect({ memory, clock }).client.listCases({ page: 1, size: 50 });
    expect(server.tokenRequests).toHaveLength(1);
    await connect({ memory, clock, clientId: 'other' }).client.listCases({ page: 1, size: 50 });
    expect(server.tokenRequests).toHaveLength(2);
  });

  it('the token is renewed before it expires: expires_in first, then exp, then a minute', async () => {
    const { client, clock } = connect();
    const count = async (ms: number) => {
      await clock.advance(ms);
      await client.listCases({ page: 1, size: 50 });
      return server.tokenRequests.length;
    };
    server.token = grant({ expires_in: 300 });
    expect(await count(0)).toBe(1);
    expect(await count(260_000)).toBe(1);
    const exp = Math.floor(Date.now() / 1000) + 3600;
    const claims = Buffer.from(JSON.stringify({ exp })).toString('base64url');
    server.token = grant({ access_token: `e30.${claims}.x`, expires_in: null });
    expect(await count(20_000)).toBe(2);
    server.token = grant({ expires_in: undefined });
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
      server.always = problem(401, 'unauthorized');
      const runs = (async () => {
        for (let run = 0; run < most + 2; run++) {
          await problemOf(connect({ memory, clock, tokenLimit }).client.getCase(caseId));
        }
      })();
      await clock.waitsFor((ms) => ms > 55_000 && ms !== 60_000);
      expect(server.tokenRequests).toHaveLength(most);
      // A second more: our idea of server time wavers by as much.
      await clock.advance(62_500);
      await runs;
      expect(server.tokenRequests.length).toBeGreaterThan(most);
    },
  );

  it('DPoP-Nonce: the next proof carries it, once and without a loop', async () => {
    const { client } = connect();
    server.token = (response, request, incoming) =>
      request.proof.nonce === 'as-nonce'
        ? grant()(response, request, incoming)
        : problem(
            400,
            'invalid_request',
            { 'dpop-nonce': 'as-nonce' },
            { error: 'use_dpop_nonce' },
          )(response, request, incoming);
    server.next(problem(401, 'invalid_dpop', { 'dpop-nonce': 'rs-nonce' }));
    await client.listCases({ page: 1, size: 50 });
    expect(server.tokenRequests.map(({ proof }) => proof.nonce)).toEqual([undefined, 'as-nonce']);
    expect(server.seen.map(({ proof }) => proof.nonce)).toEqual([undefined, 'rs-nonce']);

    let turn = 0;
    server.always = (...args) =>
      problem(401, 'invalid_dpop', { 'dpop-nonce': `n${++turn}` })(...args);
    expect(await problemOf(client.getCase(caseId))).toMatchObject({ code: 'unauthorized' });
    expect(turn).toBeLessThanOrEqual(3);
  });

  it('a refused token is replaced once', async () => {
    const { client } = connect();
    server.next(problem(401, 'unauthorized'));
    await client.listCases({ page: 1, size: 50 });
    expect(server.tokenRequests).toHaveLength(2);
    server.next(problem(401, 'unauthorized'), problem(401, 'unauthorized'));
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
    server.token = problem(401, 'invalid_client', {}, { detail, error: 'invalid_client' });
    expect(await problemOf(connect().client.getCase(caseId))).toMatchObject({ code });
    expect(server.seen).toHaveLength(0);
  });

  it('invalid_org_context: the organization is of another kind', async () => {
    server.next(problem(403, 'invalid_org_context'));
    expect(await problemOf(connect().client.getCase(caseId))).toMatchObject({
      code: 'organization_kind_wrong',
    });
  });
});

describe('answers that cannot be true', () => {
  it.each(['a\nb', 'ümlaut', 'a b', 'x'.repeat(20_000)])(
    'a token that no header can carry is refused in a sentence (%#)',
    async (access_token) => {
      server.token = grant({ access_token });
      expect(await problemOf(connect().client.getCase(caseId))).toEqual({
        code: 'answer_invalid',
        params: { operation: 'token', detail: 'access_token' },
      });
      expect(server.seen).toEqual([]);
    },
  );

  it('a list that has no end is read as far as its Total reaches', async () => {
    const { client, clock } = connect();
    let asked = 0;
    server.always = (...args) => {
      asked += 1;
      const item = { ...submissionRecord, Id: randomUUID(), SequenceNo: asked };
      return json(200, { Total: 3 + asked, Page: asked, Size: 1, Items: [item] })(...args);
    };
    const read = (async () => {
      for await (const { value } of readPages('X10', 1, (page) => client.listReports(caseId, page)))
        expect(value.items).toHaveLength(1);
    })();
    const outcome = problemOf(read);
    for (let wait = 0; wait < 60 && asked < 19; wait += 1) await clock.advance(2_000);
    expect(await outcome).toEqual({
      code: 'answer_invalid',
      params: { operation: 'X10', detail: 'Total' },
    });
    expect(asked).toBe(19);
  });

  it('an item of the list that is no case: the others are read, it is stored unchanged', async () => {
    const bad = { Id: caseId, LastChangedAt: 'yesterday' };
    const page = { ...emptyPage, Total: 3, Items: [caseRecord, bad, null] };
    server.always = json(200, page);
    const { value } = await connect().client.listCases({ page: 1, size: 50 });
    expect(value.items.map(({ id }) => id)).toEqual([caseId]);
    expect(value.unreadable).toEqual([
      { id: caseId, place: 'LastChangedAt', json: JSON.stringify(bad) },
      { id: expect.stringMatching(/^#[0-9a-f]{12}$/) as string, place: '', json: 'null' },
    ]);
  });
});

describe('limits', () => {
  it('429: Retry-After is obeyed, a POST is sent again, and it is counted', async () => {
    const { client, clock } = connect();
    server.next(problem(429, 'rate_limited', { 'retry-after': '7' }), json(201, submissionRecord));
    const draft = client.createDraft(caseId, 'c');
    await clock.waitsFor((ms) => ms === 7_000);
    expect(server.seen).toHaveLength(1);
    expect(client.nextSlotAt('standard')).toBe(clock.now() + 7_000);
    await clock.advance(7_000);
    expect((await draft).value.id).toBe(submissionId);
    expect(client.counters).toEqual({ requests: 3, throttled: 1 });
  });

  it('429 without Retry-After: waits at least one refill', async () => {
    const { client, clock } = connect();
    server.next(problem(429, 'rate_limited'));
    const list = client.listCases({ page: 1, size: 50 });
    await clock.waitsFor((ms) => ms === 1_000);
    await clock.advance(1_000);
    expect((await list).status).toBe(200);
  });

  it('429 with an hour to wait: the call rejects', async () => {
    const { client, clock } = connect();
    server.next(problem(429, 'rate_limited', { 'retry-after': '3600' }));
    const until = new Date(clock.now() + 3_600_000).toISOString();
    const expected = { code: 'rate_limited', params: { retryAfterS: 3600, until } };
    expect(await problemOf(client.createDraft(caseId, ''))).toEqual(expected);
    expect(await problemOf(client.getCase(caseId))).toEqual(expected);
  });

  it('429 with a month to wait: the pause is an hour, survives restarts, and the partner is asked again', async () => {
    const { client, clock, memory } = connect();
    const month = { 'retry-after': '2592000' };
    server.next(problem(429, 'rate_limited', month));
    const hour = { code: 'rate_limited', params: { retryAfterS: 3600 } };
    await expect(client.getCase(caseId)).rejects.toMatchObject(hour);

    await clock.advance(1_800_000);
    const next = connect({ clock, memory });
    expect(next.client.pauseMs('standard')).toBe(1_800_000);
    await expect(next.client.getCase(caseId)).rejects.toMatchObject({ code: 'rate_limited' });
    expect(server.seen).toHaveLength(1);

    // The margin between two clocks is subtracted as well.
    await clock.advance(1_800_000 + 250);
    expect(next.client.pauseMs('standard')).toBeNull();
    server.always = json(200, caseRecord);
    expect((await next.client.getCase(caseId)).value.id).toBe(caseId);
    expect(server.seen).toHaveLength(2);
  });

  it('a token request with a month to wait: the same', async () => {
    const { client, clock, memory } = connect();
    server.token = problem(429, 'rate_limited', { 'retry-after': '2592000' });
    await expect(client.getCase(caseId)).rejects.toMatchObject({ code: 'rate_limited' });
    const next = connect({ clock, memory });
    expect(next.client.pauseMs('documents')).toBe(3_600_000);
    await expect(next.client.getCase(caseId)).rejects.toMatchObject({
      code: 'rate_limited',
      params: { retryAfterS: 3600 },
    });
    expect(server.tokenRequests).toHaveLength(1);
    await clock.advance(3_600_000);
    server.token = grant();
    server.always = json(200, caseRecord);
    expect((await next.client.getCase(caseId)).value.id).toBe(caseId);
    expect(next.client.pauseMs('documents')).toBeNull();
  });

  it('returns how long the bucket takes for a number of requests', () => {
    const { client, clock } = connect();
    expect(client.nextSlotAt('documents', 10) - clock.now()).toBe(0);
    expect(client.nextSlotAt('documents', 60) - clock.now()).toBe(150_000);
    expect(client.nextSlotAt('standard', 26) - clock.now()).toBe(6_000);
  });

  it.each([
    ['a call for the user rejects after five of them', 'person', 'rate_limited'],
    ['work in the background waits longer', 'background', 'no problem'],
  ] as const)('429 after 429: %s', async (_what, priority, outcome) => {
    const { client, clock } = connect();
    const refusal = problem(429, 'rate_limited', { 'retry-after': '1' });
    server.next(...Array.from({ length: 8 }, () => refusal));
    let result: unknown = null;
    const asked = problemOf(client.listCases({ page: 1, size: 50 }, { priority })).then(
      (outcomeSeen) => (result = outcomeSeen),
    );
    for (let waits = 0; result === null && waits < 20; waits += 1) {
      await Promise.race([clock.waitsFor((ms) => ms === 1_000), asked]);
      await clock.advance(1_000);
    }
    await asked;
    if (outcome === 'no problem') expect(result).toBe(outcome);
    else expect(result).toMatchObject({ code: outcome });
  });

  it.each([
    ['six pauses of a second', '1', [null, null, null, null, null, 1000]],
    ['a pause of 45 seconds', '45', [45_000]],
  ])('429: %s is reported while the request waits on', async (_what, seconds, pauses) => {
    const reported: (number | null)[] = [];
    const onPause = () => reported.push(made.client.pauseMs('standard'));
    const made = connect({ onPause });
    const { client, clock } = made;
    const refusal = problem(429, 'rate_limited', { 'retry-after': seconds });
    server.next(...pauses.map(() => refusal));
    const asked = client.listCases({ page: 1, size: 50 });
    const pauseMs = Number(seconds) * 1000;
    for (let left = pauses.length; left > 0; left -= 1) {
      await clock.waitsFor((ms) => ms === pauseMs);
      await clock.advance(pauseMs);
    }
    await asked;
    expect(reported).toEqual([...pauses, null]);
    expect(client.pauseMs('standard')).toBeNull();
    expect(client.pauseMs('documents')).toBeNull();
  });

  it('429: the end of a pause that no call waits through is reported, too', async () => {
    const reported: (number | null)[] = [];
    const onPause = () => reported.push(made.client.pauseMs('documents'));
    const made = connect({ onPause });
    const { client, clock } = made;
    server.next(problem(429, 'rate_limited', { 'retry-after': '130' }));
    await expect(client.listDocuments(caseId, { page: 1, size: 50 })).rejects.toMatchObject({
      code: 'rate_limited',
    });
    await clock.advance(129_999);
    expect(reported).toEqual([130_000]);
    await clock.advance(1);
    expect(reported).toEqual([130_000, null]);
    server.next(problem(429, 'rate_limited', { 'retry-after': '130' }));
    await client.listDocuments(caseId, { page: 1, size: 50 }).catch(() => undefined);
    await client.close();
    await clock.advance(130_000);
    // A client that is closed reports nothing more.
    expect(reported).toHaveLength(3);
  });

  it('X-RateLimit-Policy: a smaller bucket is learned from it', async () => {
    const { client, clock } = connect();
    const policy = { 'x-ratelimit-policy': 'documents; token-bucket; 2/min; burst=1' };
    server.next(json(200, emptyPage, policy));
    await client.listDocuments(caseId, { page: 1, size: 50 });
    expect(client.nextSlotAt('documents') - clock.now()).toBeGreaterThan(1_000);
    expect(client.nextSlotAt('standard')).toBe(clock.now());
  });
});

describe('a refusal that passes', () => {
  it.each([421, 423, 425])('%i is not final, and a POST was not carried out', async (status) => {
    server.always = json(200, caseRecord);
    server.next(problem(status, 'Too Early'));
    const { client, clock } = connect();
    const asked = client.getCase(caseId);
    await clock.waitsFor(() => true);
    await clock.advance(1_000);
    expect((await asked).value.id).toBe(caseId);
    server.next(problem(status, 'Too Early'));
    expect(await problemOf(client.createDraft(caseId, ''))).toMatchObject({
      code: 'server_failed',
      params: { status },
    });
  });

  it('408: a POST may have been carried out', async () => {
    server.next(problem(408, 'Request Timeout'));
    expect(await problemOf(connect().client.createDraft(caseId, ''))).toMatchObject({
      code: 'outcome_unknown',
      params: { cause: 'server_failed' },
    });
  });

  it('a title that names a reason decides before the status', async () => {
    server.next(problem(423, 'invalid_state'));
    expect(await problemOf(connect().client.getCase(caseId))).toMatchObject({
      code: 'server_refused',
      params: { title: 'invalid_state', status: 423 },
    });
  });
});

describe('answers that are not the partner\u2019s', () => {
  const portal = () => ({ code: 'captive_portal', params: { host: host(), found: 'text/html' } });

  it('a login page with 200 to a GET and to the token request', async () => {
    server.plain = loginPage;
    server.next(loginPage);
    expect(await problemOf(connect().client.getCase(caseId))).toEqual(portal());
    server.token = loginPage;
    expect(await problemOf(connect().client.getCase(caseId))).toEqual(portal());
  });

  it('a login page with 200 to a change: the outcome is unknown', async () => {
    server.always = loginPage;
    server.plain = loginPage;
    const { client } = connect();
    const expected = { code: 'outcome_unknown', params: { cause: 'captive_portal' } };
    expect(await problemOf(client.createDraft(caseId, ''))).toMatchObject(expected);
    expect(await problemOf(client.putComment(caseId, ''))).toMatchObject(expected);
  });

  it('a page that a plain request is not given comes from the partner’s side', async () => {
    const page =
      (status: number): Handler =>
      (response) => {
        response.writeHead(status, { 'content-type': 'text/html' }).end('<html>Request blocked');
      };
    for (const status of [200, 403, 404]) {
      server.next(page(status));
      expect(await problemOf(connect().client.getCase(caseId))).toEqual({
        code: 'answer_foreign',
        params: { host: host(), found: 'text/html', status },
      });
    }
    server.token = page(200);
    expect(await problemOf(connect().client.getCase(caseId))).toMatchObject({
      code: 'answer_foreign',
    });
  });

  it('an answer over 64 MB is named as that', async () => {
    server.next((response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.write(`{"Id":"`);
      const piece = 'x'.repeat(1024 * 1024);
      for (let megabytes = 0; megabytes < 65; megabytes += 1) response.write(piece);
      response.end('"}');
    });
    expect(await problemOf(connect().client.getCase(caseId))).toEqual({
      code: 'answer_too_large',
      params: { host: host(), maxMegabytes: 64 },
    });
  });

  it.each([
    ['a comma too many', '{"Total":0,"Items":[],}'],
    ['nothing', ''],
    ['two documents', '{"Total":0,"Items":[]}{}'],
    ['a guard before it', `)]}',\n{"Total":0,"Items":[]}`],
  ])(
    'what calls itself JSON and is none (%s) is told as that, and not as a page',
    async (_, body) => {
      server.next((response) => {
        response.writeHead(200, { 'content-type': 'application/json' }).end(body);
      });
      expect(await problemOf(connect().client.listCases({ page: 1, size: 50 }))).toEqual({
        code: 'answer_invalid',
        params: { operation: 'X1', detail: 'JSON' },
      });
    },
  );

  it('a list that is answered with 204 is empty', async () => {
    server.always = (response) => void response.writeHead(204).end();
    const { client } = connect();
    expect((await client.listCases({ page: 1, size: 50 })).value.total).toBe(0);
    expect((await client.listReports(caseId, { page: 1, size: 50 })).value.items).toEqual([]);
    expect(await problemOf(client.getCase(caseId))).toMatchObject({ code: 'answer_invalid' });
  });

  it('JSON by its old name is read', async () => {
    server.next((response) => {
      const type = { 'content-type': 'text/json; charset=utf-8' };
      response.writeHead(200, type).end(JSON.stringify(emptyPage));
    });
    const { value } = await connect().client.listCases({ page: 1, size: 50 });
    expect(value.total).toBe(0);
  });

  it('one record of 80 MB in a list costs none of the others', async () => {
    const good = { ...caseRecord, Id: randomUUID() };
    const text = JSON.stringify({
      ...emptyPage,
      Total: 2,
      Items: [{ ...caseRecord, PayloadJson: 'HUGE' }, good],
    });
    const [before = '', after = ''] = text.split('HUGE');
    server.next((response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.write(before);
      const piece = 'x'.repeat(1024 * 1024);
      for (let megabytes = 0; megabytes < 80; megabytes += 1) response.write(piece);
      response.end(after);
    });
    const { value } = await connect().client.listCases({ page: 1, size: 50 });
    expect(value.items.map(({ id }) => id)).toEqual([good.Id]);
    expect(value.unreadable).toMatchObject([{ id: caseRecord.Id, place: 'PayloadJson' }]);
    expect(value.unreadable[0]?.json?.length).toBeLessThan(10_000);
  });

  it.each([
    ['gzip', gzipSync],
    ['deflate', deflateSync],
    ['br', brotliCompressSync],
  ])('an answer in %s that nobody asked for is decoded', async (encoding, compress) => {
    server.next((response) => {
      const type = { 'content-type': 'application/json', 'content-encoding': encoding };
      response.writeHead(200, type).end(compress(JSON.stringify(emptyPage)));
    });
    const { value } = await connect().client.listCases({ page: 1, size: 50 });
    expect(value.total).toBe(0);
  });

  it('a compressed answer that is cut is a broken line', async () => {
    server.always = (response) => {
      const type = { 'content-type': 'application/json', 'content-encoding': 'gzip' };
      const bytes = gzipSync(JSON.stringify(emptyPage));
      response.writeHead(200, type).end(bytes.subarray(0, bytes.length / 2));
    };
    expect(await problemOf(connect().client.getCase(caseId))).toMatchObject({
      code: 'connection_lost',
    });
  });

  it.each([{}, { 'content-type': 'text/html' }, { 'content-type': 'application/json' }])(
    'a proxy that asks for a sign-in, with %j',
    async (headers) => {
      server.next((response) => {
        response.writeHead(407, headers).end('{}');
      });
      const expected = { code: 'proxy_sign_in', params: { host: host() } };
      expect(await problemOf(connect().client.getCase(caseId))).toEqual(expected);
    },
  );

  it('a login page behind a 403 is a page, not the partner\u2019s refusal', async () => {
    server.always = (response) => {
      response.writeHead(403, { 'content-type': 'text/html' }).end('<html>');
    };
    server.plain = (response) => {
      response.writeHead(403, { 'content-type': 'text/html' }).end('<html>');
    };
    expect(await problemOf(connect().client.createDraft(caseId, ''))).toEqual(portal());
  });

  it('a redirect is refused and not followed', async () => {
    const redirect: Handler = (response) => {
      response.writeHead(302, { location: `${server.baseUrl}/elsewhere` }).end();
    };
    server.always = redirect;
    const { client } = connect();
    const expected = { code: 'redirect_refused', params: { host: host() } };
    expect(await problemOf(client.getCase(caseId))).toEqual(expected);
    expect(await problemOf(client.createDraft(caseId, ''))).toEqual(expected);
    expect(server.seen).toHaveLength(2);
  });

  it('a proxy that takes no body of this size refuses it, page or not', async () => {
    server.next((response) => {
      response.writeHead(413, { 'content-type': 'text/html' }).end('<html>');
    });
    expect(await problemOf(connect().client.createDraft(caseId, ''))).toMatchObject({
      code: 'server_refused',
      params: { status: 413 },
    });
  });

  it('the date of a portal\u2019s page is not taken for the partner\u2019s', async () => {
    server.token = (response) => {
      response.writeHead(200, {
        'content-type': 'text/html',
        date: 'Thu, 01 Jan 1998 00:00:00 GMT',
      });
      response.end('<html>');
    };
    const { client, clock } = connect();
    await problemOf(client.getCase(caseId));
    expect(client.serverNow()).toBe(clock.now());
  });

  it('JSON that the schema does not promise is named by its place, without its values', async () => {
    server.next(json(200, { ...caseRecord, Id: 'Herr Zumstein' }));
    expect(await problemOf(connect().client.getCase(caseId))).toEqual({
      code: 'answer_invalid',
      params: { operation: 'X2', detail: 'Id' },
    });
  });
});

describe('broken connections', () => {
  const half: Handler = (response) => {
    const text = JSON.stringify(caseRecord);
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': text.length });
    response.write(text.slice(0, 40), () => response.socket?.destroy());
  };
  const quietHalf: Handler = (response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(caseRecord).slice(0, 40));
  };

  it.each([
    ['reset without an answer', reset, 'connection_lost'],
    ['half of an answer, then reset', half, 'connection_lost'],
    ['half of an answer that ends as if it were whole', quietHalf, 'connection_lost'],
    ['a server failure', problem(500, 'upstream_error'), 'server_failed'],
  ])('a GET after %s is sent again, three times at most', async (_, handler, code) => {
    const { client } = connect();
    server.always = json(200, caseRecord);
    server.next(handler, handler);
    expect((await client.getCase(caseId)).status).toBe(200);
    expect(server.seen).toHaveLength(3);
    server.always = handler;
    expect(await problemOf(client.getCase(caseId))).toMatchObject({ code });
    expect(server.seen).toHaveLength(6);
  });

  it('a PUT is sent again, and its outcome is unknown when that does not help', async () => {
    const { client, clock } = connect();
    server.next(reset, reset, (response) => {
      response.writeHead(204).end();
    });
    const work = client.putAmounts(caseId, { costEstimateRappen: 123_456, approvedRappen: null });
    await clock.advance(1);
    expect((await work).status).toBe(204);
    expect(server.seen[2]?.body.toString()).toBe(
      '{"CostEstimateAmount":1234.56,"ApprovedAmount":null}',
    );
    server.next(reset, reset, reset);
    expect(await problemOf(client.putComment(caseId, 'x'))).toEqual({
      code: 'outcome_unknown',
      params: { cause: 'connection_lost', host: host() },
    });
  });

  it.each([
    ['refused', problem(409, 'invalid_state'), 'server_refused'],
    ['put off for long', problem(429, 'Too Many', { 'retry-after': '3000' }), 'rate_limited'],
  ])(
    'a PUT that is %s after its first answer was lost may have been carried out',
    async (_, handler, cause) => {
      const { client, clock } = connect();
      server.next(reset, handler);
      const work = problemOf(client.putComment(caseId, 'x'));
      await clock.advance(1);
      expect(await work).toMatchObject({ code: 'outcome_unknown', params: { cause } });
      server.next(handler);
      const clear = problemOf(client.putComment(caseId, 'x'));
      expect(await clear).toMatchObject({ code: cause });
    },
  );

  const gatewayPage: Handler = (response) => {
    response.writeHead(504, { 'content-type': 'text/html' }).end('<html>');
  };
  it.each([
    ['reset', reset, 'connection_lost'],
    ['server failure', problem(500, 'upstream_timeout'), 'server_failed'],
    ['gateway page', gatewayPage, 'server_failed'],
    ['failure title with another status', problem(400, 'upstream_timeout'), 'server_failed'],
    ['yes that breaks off', half, 'connection_lost'],
  ])('a POST is sent once; after a %s its outcome is unknown', async (_, handler, cause) => {
    server.next(handler);
    const { client } = connect();
    let sends = 0;
    const key = randomUUID();
    const options = {
      idempotencyKey: key,
      onSend: () => {
        sends++;
      },
    };
    expect(await problemOf(client.createDraft(caseId, '', options))).toMatchObject({
      code: 'outcome_unknown',
      params: { cause },
    });
    expect(sends).toBe(1);
    expect(server.seen).toHaveLength(1);
    expect(server.seen[0]?.headers['idempotency-key']).toBe(key);
  });

  it('a refused POST was certainly not carried out', async () => {
    server.next(
      problem(409, 'invalid_state', {}, { errors: { Comment: ['Comment: is required.'] } }),
    );
    expect(await problemOf(connect().client.createDraft(caseId, ''))).toMatchObject({
      code: 'server_refused',
      params: {
        title: 'invalid_state',
        status: 409,
        detail: 'detail of invalid_state\nComment: is required.',
      },
    });
  });

  it('nothing listens: connection_refused, also for a POST', async () => {
    const { client } = connect();
    await client.listCases({ page: 1, size: 50 });
    const gone = await startHostileServer();
    await gone.stop();
    const nobody = connect({}, gone.baseUrl).client;
    const expected = { code: 'connection_refused', params: { host: new URL(gone.baseUrl).host } };
    expect(await problemOf(nobody.createDraft(caseId, ''))).toEqual(expected);
    expect(await problemOf(nobody.getCase(caseId))).toEqual(expected);
    expect(nobody.nextSlotAt('standard')).toBeLessThanOrEqual(Date.now() + 1_000);
  });

  it('a name that does not exist', async () => {
    const { client } = connect({}, 'http://partner.invalid');
    expect(await problemOf(client.getCase(caseId))).toEqual({
      code: 'address_unknown',
      params: { host: 'partner.invalid' },
    });
  });

  it('a silent server: timeout after a minute without a byte', async () => {
    const { client, clock } = connect();
    await client.listCases({ page: 1, size: 50 });
    server.next(() => undefined);
    const read = problemOf(client.getCase(caseId));
    await clock.waitsFor((ms) => ms === 60_000);
    await clock.advance(60_000);
    expect(await read).toEqual({ code: 'timeout', params: { host: host() } });
  });

  it('a server that stops in the middle of an answer: timeout', async () => {
    const { client, clock } = connect();
    server.next((response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.write('{"Total":');
    });
    const read = problemOf(client.getCase(caseId));
    let left = 1;
    void read.then(() => left--);
    const running = () => left > 0;
    while (running()) {
      await clock.waitsFor((ms) => ms === 30_000);
      await clock.advance(30_000);
    }
    expect(await read).toEqual({ code: 'timeout', params: { host: host() } });
  });

  it('a server that sends a byte now and then: timeout after two minutes in all', async () => {
    const { client, clock } = connect();
    let send: () => void = () => undefined;
    server.next((response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      send = () => response.write(' ');
      send();
    });
    const startedAt = clock.now();
    const read = problemOf(client.getCase(caseId));
    let left = 1;
    void read.then(() => left--);
    const running = () => left > 0;
    while (running()) {
      await Promise.race([clock.waitsFor((ms) => ms > 10_000 && ms <= 30_000), read]);
      await clock.advance(9_000);
      send();
      if (clock.now() - startedAt > 600_000) throw new Error('it waits without end');
    }
    expect(await read).toEqual({ code: 'timeout', params: { host: host() } });
  });

  it('an abort: while it waits, certainly not run; once it left, unknown', async () => {
    const { client } = connect();
    server.next(() => undefined);
    const giveUp = new AbortController();
    const sent = problemOf(
      client.createDraft(caseId, '', { signal: giveUp.signal, onSend: () => undefined }),
    );
    while (server.seen.length === 0) await new Promise((resolve) => setImmediate(resolve));
    giveUp.abort();
    expect(await sent).toMatchObject({ code: 'outcome_unknown' });
    const early = problemOf(client.createDraft(caseId, '', { signal: giveUp.signal }));
    expect(await early).toMatchObject({ code: 'connection_lost' });
    expect(server.seen).toHaveLength(1);
  });

  it('after close every call ends', async () => {
    const { client } = connect();
    server.next(() => undefined);
    const running = problemOf(client.getCase(caseId));
    while (server.seen.length === 0) await new Promise((resolve) => setImmediate(resolve));
    await client.close();
    expect(await running).toMatchObject({ code: 'connection_lost' });
    expect(await problemOf(client.getCase(caseId))).toMatchObject({ code: 'connection_lost' });
  });
});

describe('tolerance', () => {
  it('nulls, further members, other success codes, no correlation id, other ids', async () => {
    const { client } = connect();
    const sparse = {
      Id: '00000000-0000-0000-0000-00000000ABCD',
      LastChangedAt: '2026-03-01T08:00:00.1234567+01:00',
      Insurer: null,
      ExpertComment: null,
      Surprise: { a: [1] },
      CostEstimateAmount: 0.1 + 0.2,
    };
    server.next(json(202, { Total: 1, Items: [sparse], Extra: true }));
    const { value, status, correlationId, serverDateMs } = await client.listCases({
      page: 1,
      size: 50,
    });
    expect(status).toBe(202);
    expect(correlationId).toMatch(/^[0-9a-f-]{36}$/);
    expect(serverDateMs).not.toBeNull();
    expect(value).toMatchObject({ total: 1 });
    expect(value.items[0]).toMatchObject({
      id: sparse.Id,
      lastChangedAt: sparse.LastChangedAt,
      expertComment: '',
      costEstimateRappen: 30,
      approvedRappen: null,
      insurer: { name: '' },
    });
  });

  it('X2 and X10: every member of a full record', async () => {
    const { client } = connect();
    server.next(json(200, caseRecord, { 'x-correlation-id': 'theirs' }));
    const answered = await client.getCase(caseId);
    expect(answered.correlationId).toBe('theirs');
    expect(answered.value).toMatchObject({
      externalKey: 'SCH-1',
      costEstimateRappen: 123_456,
      insurer: { name: 'Muster', responsible: { email: 'a@b.ch' } },
    });
    server.next(
      json(200, { ...emptyPage, Total: 1, Items: [{ ...submissionRecord, RevisionNo: 3 }] }),
    );
    const { value } = await client.listReports(caseId, { page: 1, size: 50 });
    expect(value.items[0]).toMatchObject({
      id: submissionId,
      caseId,
      revisionNo: 3,
      status: 'Draft',
    });
  });

  it('what must not be guessed is required', async () => {
    const { client } = connect();
    server.next(json(200, { Items: [] }));
    expect(await problemOf(client.listCases({ page: 1, size: 50 }))).toMatchObject({
      code: 'answer_invalid',
      params: { detail: 'Total' },
    });
    server.next(json(200, { Id: caseId }));
    expect(await problemOf(client.getCase(caseId))).toMatchObject({ code: 'answer_invalid' });
  });
});

describe('documents', () => {
  const uploadSchema = z.strictObject({
    FileName: z.string(),
    ContentType: z.string(),
    IsSalvageSale: z.boolean(),
    ContentBase64: z.string(),
  });

  it.each([0, 1, 2, 3, 100_000, 3_000_001])('X13: %i bytes arrive as they are', async (size) => {
    const { client } = connect();
    const content = randomBytes(size);
    const source = sourceOf(content, 10_000);
    const progress: number[] = [];
    server.next(json(201, uploadedRecord));
    const { value } = await client.uploadDocument(submissionId, source, {
      onProgress: (sentBytes) => progress.push(sentBytes),
    });
    expect(value.id).toBe(documentId);
    const [seen] = server.seen;
    expect(seen?.headers['content-length']).toBe(String(client.uploadBodyBytes(source)));
    const body = uploadSchema.parse(JSON.parse(seen?.body.toString() ?? ''));
    expect(Buffer.from(body.ContentBase64, 'base64').equals(content)).toBe(true);
    expect(body).toMatchObject({ FileName: 'Bericht "Züri".pdf', IsSalvageSale: true });
    expect(progress.at(-1)).toBe(size);
    expect([...progress].sort((a, b) => a - b)).toEqual(progress);
  });

  it('X13: after a 429 the source is opened again', async () => {
    const { client, clock } = connect();
    server.next(problem(429, 'rate_limited', { 'retry-after': '3' }), json(201, uploadedRecord));
    const upload = client.uploadDocument(submissionId, sourceOf(Buffer.from('abc')));
    await clock.waitsFor((ms) => ms === 3_000);
    await clock.advance(3_000);
    expect((await upload).status).toBe(201);
    expect(server.seen[0]?.body.equals(server.seen[1]?.body ?? Buffer.alloc(0))).toBe(true);
  });

  it('X13: a source that fails or lies about its size ends the request with its own error', async () => {
    const { client } = connect();
    const broken = new Error('the file is damaged');
    const failing: UploadSource = {
      ...sourceOf(Buffer.alloc(100_000)),
      open: () =>
        Readable.from(
          (function* () {
            yield Buffer.alloc(50_000);
            throw broken;
          })(),
        ),
    };
    await expect(client.uploadDocument(submissionId, failing)).rejects.toBe(broken);
    const short = { ...sourceOf(Buffer.alloc(10)), sizeBytes: 20 };
    expect(await problemOf(client.uploadDocument(submissionId, short))).toMatchObject({
      code: 'internal',
    });
  });

  const documentText = (content: Buffer, where: 'first' | 'last') => {
    const own = { ContentBase64: content.toString('base64') };
    return JSON.stringify(
      where === 'first' ? { ...own, ...documentRecord } : { ...documentRecord, ...own },
    );
  };

  it.each(['first', 'last'] as const)('X7: the content, named %s', async (where) => {
    const content = randomBytes(1_000_003);
    server.next((response) => {
      response.writeHead(200, { 'content-type': 'application/json; charset=utf-8' });
      response.end(documentText(content, where));
    });
    const pieces: Buffer[] = [];
    const { value } = await connect().client.fetchDocument(caseId, documentId, (chunk) => {
      pieces.push(Buffer.from(chunk));
    });
    expect(Buffer.concat(pieces).equals(content)).toBe(true);
    expect(value).toMatchObject({ fileName: 'a.pdf', sizeBytes: content.length });
  });

  it('X7: an answer that breaks off is repeated only while nothing was given out', async () => {
    const text = documentText(randomBytes(500_000), 'last');
    const cut =
      (length: number): Handler =>
      (response) => {
        response.writeHead(200, { 'content-type': 'application/json' });
        response.write(text.slice(0, length), () => response.socket?.destroy());
      };
    const { client } = connect();
    let given = 0;
    const sink = (chunk: Uint8Array) => {
      given += chunk.length;
    };
    server.next(cut(20), (response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).end(text);
    });
    await client.fetchDocument(caseId, documentId, sink);
    expect(given).toBe(500_000);
    given = 0;
    server.next(cut(400_000));
    expect(await problemOf(client.fetchDocument(caseId, documentId, sink))).toEqual({
      code: 'connection_lost',
      params: { host: host() },
    });
    expect(given).toBeGreaterThan(0);
    expect(server.seen).toHaveLength(3);
  });

  it('X7: no content, a null one, no base64 and a failing sink are errors', async () => {
    const { client } = connect();
    const fetching = (record: unknown) => {
      server.next(json(200, record));
      return problemOf(client.fetchDocument(caseId, documentId, () => undefined));
    };
    const expected = { code: 'answer_invalid', params: { operation: 'X7' } };
    expect(await fetching(documentRecord)).toMatchObject(expected);
    expect(await fetching({ ...documentRecord, ContentBase64: null })).toMatchObject(expected);
    expect(await fetching({ ...documentRecord, ContentBase64: 'Grüezi' })).toMatchObject(expected);
    server.next(json(200, { ...documentRecord, ContentBase64: 'QUJD' }));
    const full = new Error('disk full');
    await expect(client.fetchDocument(caseId, documentId, () => Promise.reject(full))).rejects.toBe(
      full,
    );
  });

  it('X12: contents are hashed while they pass', async () => {
    const contents = [randomBytes(10), Buffer.alloc(0), randomBytes(70_000)];
    const items = contents.map((content) => ({
      ContentBase64: content.toString('base64'),
      ...uploadedRecord,
      Id: randomUUID(),
    }));
    server.next(json(200, { Total: 3, Page: 1, Size: 50, Items: items }));
    const { value } = await connect().client.listSubmissionDocuments(submissionId, {
      page: 1,
      size: 50,
    });
    expect(value.items).toEqual(
      contents.map((content, index) => ({
        id: items[index]?.Id,
        submissionId,
        fileName: 'a.pdf',
        contentType: 'application/pdf',
        createdAt: at,
        isSalvageSale: false,
        sizeBytes: content.length,
        sha256: createHash('sha256').update(content).digest('hex'),
      })),
    );
  });

  it('X14 and X5: empty answers', async () => {
    const { client } = connect();
    server.always = (response) => {
      response.writeHead(204).end();
    };
    expect((await client.deleteSubmissionDocument(submissionId, documentId)).value).toBeNull();
    expect((await client.reopen(caseId, 'why')).status).toBe(204);
    expect(server.seen.map(({ method, url }) => `${method} ${url}`)).toEqual([
      `DELETE /v1/experts/reports/${submissionId}/documents/${documentId}`,
      `POST /v1/experts/cases/${caseId}:reopen`,
    ]);
  });
});

describe('care', () => {
  it('the log names operations and codes, and nothing secret or personal', async () => {
    const { client, log } = connect();
    server.next(reset, json(200, caseRecord));
    await client.getCase(caseId);
    expect(log.map(({ operation, status, problem: code }) => [operation, status, code])).toEqual([
      ['token', 200, null],
      ['X2', null, 'connection_lost'],
      ['X2', 200, null],
    ]);
    expect(JSON.stringify(log)).not.toMatch(/token-\d|SCH-1|http/);
  });

  it.each(['ftp://x', 'nonsense', 'https://user:pw@host'])('refuses the base address %s', (url) => {
    expect(() => createTestClient(url)).toThrow('base_url_invalid');
  });

  it('forgets a memory that it cannot read', async () => {
    const memory = createTestMemory();
    memory.text = '{"version":1,"token":7}';
    await connect({ memory }).client.listCases({ page: 1, size: 50 });
    expect(server.tokenRequests).toHaveLength(1);
  });
});
