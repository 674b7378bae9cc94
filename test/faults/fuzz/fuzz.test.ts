import { createPrivateKey, randomUUID, type KeyObject } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { Agent, request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { createDatabase, databaseOf, dropDatabase } from '../../main/service/support/database.ts';
import { assertContract } from '../../main/service/support/openapi-contract.ts';
import type { PartnerAnswer } from '../../main/service/support/partner.ts';
import { startService, temporaryFolder, type RunningService } from '../../support/processes.ts';
import { fuzzedRequests, type FuzzedRequest } from './requests.ts';
import { athOf, createSigner, nowS, signJwt } from './signed-jwt.ts';

/** Run over both stores; what is malformed is mostly refused before the store is asked. */
const isShared = databaseOf('') !== undefined;
const malformedWanted = isShared ? 1000 : 20_000;
const count = malformedWanted.toLocaleString('en');
const batchSize = 500;
const seed = 20_261_121;
const tokenLifetimeMs = 120_000;

const problemSchema = z.looseObject({
  type: z.literal('about:blank'),
  title: z.string().min(1),
  status: z.int().min(400).max(499),
  detail: z.string().min(1),
  instance: z.string().min(1),
});

const folder = temporaryFolder();
const agent = new Agent({ keepAlive: true, maxSockets: 12 });
const signer = createSigner();
let service: RunningService;
let ids: string[];

beforeAll(async () => {
  const dataDir = join(folder.path, 'service');
  mkdirSync(dataDir);
  await createDatabase(folder.path);
  const database = databaseOf(folder.path);
  service = await startService({
    dataDir,
    args: [
      ...['--demo', '12', '--limits', 'off'],
      ...(database ? ['--database', database.url] : []),
    ],
  });
  const target = '/v1/insurers/claims';
  const token = await tokenOf('insurer');
  const listed = await send({ method: 'GET', target, headers: authorized(token, 'GET', target) });
  const { Items } = z
    .object({ Items: z.array(z.object({ Id: z.uuid() })) })
    .parse(JSON.parse(listed.text));
  ids = Items.map(({ Id }) => Id);
  expect(ids).toHaveLength(12);
});
afterAll(async () => {
  agent.destroy();
  await service.stop();
  await dropDatabase(folder.path);
  folder.remove();
});

const tokens = new Map<string, { token: string; untilMs: number }>();

async function tokenOf(name: 'insurer' | 'expert'): Promise<string> {
  const known = tokens.get(name);
  if (known && known.untilMs > Date.now()) return known.token;
  const { clientId, privateKeyPem } = service.credentials[name];
  const key: KeyObject = createPrivateKey(privateKeyPem);
  const claims = { iss: clientId, sub: clientId, aud: service.credentials.audience };
  const assertion = signJwt(
    { alg: 'RS256' },
    { ...claims, jti: randomUUID(), iat: nowS(), exp: nowS() + 300 },
    key,
  );
  const target = '/v1/oauth/token';
  const answer = await send({
    method: 'POST',
    target,
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      dpop: signer.proof({ htm: 'POST', htu: service.baseUrl + target }),
    },
    body: new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: clientId,
      client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
      client_assertion: assertion,
    }).toString(),
  });
  const { access_token: token } = z
    .object({ access_token: z.string() })
    .parse(JSON.parse(answer.text));
  tokens.set(name, { token, untilMs: Date.now() + tokenLifetimeMs });
  return token;
}

function authorized(
  token: string,
  method: string,
  target: string,
  claims: object = {},
  header: object = {},
): Record<string, string> {
  const proof = { htm: method, htu: service.baseUrl + target, ath: athOf(token), ...claims };
  return { authorization: `DPoP ${token}`, dpop: signer.proof(proof, header) };
}

/** The token and the proof of a request, spoilt as it says. */
function credentialsOf(
  fuzzed: FuzzedRequest,
  { insurer, expert }: { insurer: string; expert: string },
): Record<string, string | string[]> {
  const { id, method, target, spoilt } = fuzzed;
  const isInsurers = id.startsWith('I');
  const token = isInsurers ? insurer : expert;
  const right = authorized(token, method, target);
  const half = (text = '') => text.slice(0, text.length >> 1);
  switch (fuzzed.credentials) {
    case 'right':
      return right;
    case 'otherKind':
      return authorized(isInsurers ? expert : insurer, method, target);
    case 'none':
      return {};
    case 'junkToken':
      return { ...right, authorization: 'DPoP x.y.z' };
    case 'brokenToken':
      return { ...right, authorization: half(right['authorization']) };
    case 'junkProof':
      return { ...right, dpop: 'e30.e30.e30' };
    case 'brokenProof':
      return { ...right, dpop: half(right['dpop']) };
    case 'noProof':
      return { authorization: right['authorization'] ?? '' };
    case 'twoProofs':
      return { ...right, dpop: [right['dpop'] ?? '', right['dpop'] ?? ''] };
    case 'claims':
      return authorized(token, method, target, spoilt);
    case 'header':
      return authorized(token, method, target, {}, spoilt);
  }
}

interface Sent {
  readonly method: string;
  readonly target: string;
  readonly headers: Readonly<Record<string, string | string[]>>;
  readonly body?: string | Buffer | undefined;
}

function send({ method, target, headers, body }: Sent): Promise<PartnerAnswer> {
  const { promise, resolve, reject } = Promise.withResolvers<PartnerAnswer>();
  // Node tells no length with a GET or DELETE, and what it sends as their body is then the start
  // of the connection's next request, whose connection the service closes.
  const length = body === undefined ? {} : { 'content-length': `${Buffer.byteLength(body)}` };
  const outgoing = httpRequest(
    {
      ...{ method, agent, host: '127.0.0.1', port: service.port, path: target },
      headers: { ...headers, ...length },
    },
    (incoming) => {
      const pieces: Buffer[] = [];
      incoming.on('data', (piece: Buffer) => pieces.push(piece));
      incoming.on('error', reject).on('end', () => {
        const whole = Buffer.concat(pieces);
        const text = whole.toString();
        const answer: PartnerAnswer = {
          status: incoming.statusCode ?? 0,
          headers: Object.fromEntries(
            Object.entries(incoming.headers).map(([name, value]) => [name, String(value)]),
          ),
          body: whole,
          text,
          json: incoming.headers['content-type']?.includes('json') ? parse(text) : undefined,
        };
        const sent = { method, url: service.baseUrl + target, body: undefined, answer };
        assertContract(sent).then(() => resolve(answer), reject);
      });
    },
  );
  outgoing.on('error', (cause) =>
    reject(new Error(`${method} ${target} had no answer`, { cause })),
  );
  outgoing.end(body);
  return promise;
}

/** The value of a JSON text; undefined where it is none, which its schema then tells. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** What is wrong with an answer; undefined where it is a success or a right problem document. */
function faultOf(answer: PartnerAnswer): string | undefined {
  const correlationId = answer.headers['x-correlation-id'];
  if (correlationId === undefined) return 'no correlation id';
  if (answer.status >= 200 && answer.status < 300) return undefined;
  const type = answer.headers['content-type'] ?? '';
  if (type !== 'application/problem+json') return `the type ${type}`;
  const problem = problemSchema.safeParse(JSON.parse(answer.text));
  if (!problem.success) return `no problem document: ${answer.text}`;
  const { status, instance } = problem.data;
  if (status !== answer.status) return 'another status in the body';
  return instance === correlationId ? undefined : 'another correlation id in the body';
}

test(`fuzz: ${count} malformed requests are all answered with a problem document`, async () => {
  const random = fuzzedRequests(ids);
  const titles = new Map<string, number>();
  let malformed = 0;
  for (let batch = 0; malformed < malformedWanted; batch += 1) {
    const requests = fc.sample(random, { seed: seed + batch, numRuns: batchSize });
    const held = { insurer: await tokenOf('insurer'), expert: await tokenOf('expert') };
    const answers = await Promise.all(
      requests.map((fuzzed) => {
        const { method, target, headers, body } = fuzzed;
        const given = credentialsOf(fuzzed, held);
        return send({ method, target, headers: { ...headers, ...given }, body });
      }),
    );
    answers.forEach((answer, index) => {
      const fault = faultOf(answer);
      if (fault)
        throw new Error(`${fault}: ${answer.status} for ${JSON.stringify(requests[index])}`);
      if (answer.status < 400) return;
      malformed += 1;
      const { title } = problemSchema.parse(JSON.parse(answer.text));
      titles.set(title, (titles.get(title) ?? 0) + 1);
    });
    // Otherwise most are no longer malformed, and this would not end.
    expect(malformed).toBeGreaterThan((batch * batchSize) / 3);
  }
  // They got everywhere: past the route, past the token and the proof, and into the operations.
  expect([...titles.keys()]).toEqual(
    expect.arrayContaining([
      ...['unauthorized', 'invalid_dpop', 'invalid_org_context', 'not_found'],
      ...['invalid_request', 'invalid_category', 'invalid_payload', 'invalid_document'],
      // Rare among them.
      ...(isShared ? [] : ['invalid_state', 'unsupported_content_type']),
    ]),
  );
  expect(await send({ method: 'GET', target: '/health', headers: {} })).toMatchObject({
    status: 200,
    text: '{"status":"ok"}',
  });
  // Every line of the log is told apart by its request, and none gives a secret away.
  const log = service.log();
  expect(log.match(/^\{"level":30,"time":\d+,"correlationId":"/gm)?.length).toBe(
    log.split('\n').length - 1,
  );
  for (const { token } of tokens.values()) expect(log).not.toContain(token.slice(-20));
  expect(log).not.toMatch(/eyJ|PRIVATE|client_assertion=/);
}, 300_000);

const line = fc.string({ unit: 'binary', minLength: 1, maxLength: 60 });
const rawRequest = fc
  .oneof(
    line.map((text) => `${text}\r\n\r\n`),
    line.map((text) => `GET ${text} HTTP/1.1\r\nHost: x\r\n\r\n`),
    line.map((text) => `GET / HTTP/1.1\r\n${text}\r\n\r\n`),
    line.map((text) => `POST /v1/oauth/token HTTP/1.1\r\nContent-Length: ${text}\r\n\r\n`),
    line.map((text) => `POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n${text}\r\n`),
    line.map((text) => `GET / HTTP/9.${text}\r\n\r\n`),
  )
  // A line that is empty for HTTP is skipped by it, and there is nothing to answer.
  .filter((text) => /^[^\r\n]/.test(text));

test('fuzz: bytes that are no request are answered with a problem document', async () => {
  // Node refuses these by itself, whatever the store.
  const samples = fc.sample(rawRequest, { seed, numRuns: isShared ? 10 : 1000 });
  for (const text of samples) {
    const socket = connect(service.port, '127.0.0.1');
    let answer = '';
    socket.setEncoding('latin1').on('data', (chunk: string) => (answer += chunk));
    socket.on('error', () => undefined).end(text);
    await once(socket, 'close');
    const [head = '', body = ''] = answer.split('\r\n\r\n');
    expect(head, JSON.stringify(text)).toMatch(/^HTTP\/1\.1 40[04] /);
    expect(problemSchema.safeParse(JSON.parse(body.replace(/^[0-9a-f]+\r\n/, ''))).success).toBe(
      true,
    );
  }
}, 60_000);
