import { KeyObject, randomUUID, sign } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { createDatabase, databaseOf, dropDatabase } from '../../main/service/support/database.ts';
import {
  createPartner,
  send,
  sha256,
  type Partner,
  type PartnerAnswer,
} from '../../main/service/support/partner.ts';
import { startService, temporaryFolder, type RunningService } from '../../support/processes.ts';
import { smokeOrLong } from '../../support/long.ts';
import { fuzzedRequests, type FuzzedRequest } from './requests.ts';

/** Run over both stores; what is malformed is mostly refused before the store is asked. */
const isShared = databaseOf('') !== undefined;
const malformedWanted = isShared ? 500 : smokeOrLong(2000, 20_000);
const count = malformedWanted.toLocaleString('en');
const batchSize = 500;
/** Requests at once. */
const lanes = 20;
const seed = 20_261_121;

const problemSchema = z.looseObject({
  type: z.literal('about:blank'),
  title: z.string().min(1),
  status: z.int().min(400).max(499),
  detail: z.string().min(1),
  instance: z.string().min(1),
});

const folder = temporaryFolder();
let service: RunningService;
let insurer: Partner;
let expert: Partner;
let ids: string[];

beforeAll(async () => {
  const dataDir = join(folder.path, 'service');
  mkdirSync(dataDir);
  await createDatabase(folder.path);
  const database = databaseOf(folder.path);
  service = await startService({
    dataDir,
    args: ['--demo', '12', '--limits', 'off', ...(database ? ['--database', database.url] : [])],
  });
  insurer = await createPartner(service.credentials.insurer, service.baseUrl);
  expert = await createPartner(service.credentials.expert, service.baseUrl);
  await expert.token();
  const { json } = await insurer.request('GET', '/v1/insurers/claims');
  ids = z
    .object({ Items: z.array(z.object({ Id: z.uuid() })) })
    .parse(json)
    .Items.map(({ Id }) => Id);
  expect(ids).toHaveLength(12);
});
afterAll(async () => {
  await service.stop();
  await dropDatabase(folder.path);
  folder.remove();
});

/** Every access token that was sent. */
const tokens = new Set<string>();

/** The token and the proof of a request, damaged as the request requires. */
async function credentialsOf(fuzzed: FuzzedRequest): Promise<Record<string, string | string[]>> {
  const { method, target, spoilt, credentials } = fuzzed;
  const isInsurers = fuzzed.id.startsWith('I') === (credentials !== 'otherKind');
  const partner = isInsurers ? insurer : expert;
  const token = await partner.token();
  tokens.add(token);
  const url = service.baseUrl + target;
  const authorization = `DPoP ${token}`;
  const prove = (claims = {}) => partner.proof(method, url, { ath: sha256(token), ...claims });
  const dpop = await prove();
  const half = (text: string) => text.slice(0, text.length >> 1);
  switch (credentials) {
    case 'right':
    case 'otherKind':
      return { authorization, dpop };
    case 'none':
      return {};
    case 'junkToken':
      return { authorization: 'DPoP x.y.z', dpop };
    case 'brokenToken':
      return { authorization: half(authorization), dpop };
    case 'junkProof':
      return { authorization, dpop: 'e30.e30.e30' };
    case 'brokenProof':
      return { authorization, dpop: half(dpop) };
    case 'noProof':
      return { authorization };
    case 'twoProofs':
      return { authorization, dpop: [dpop, dpop] };
    case 'claims':
      return { authorization, dpop: await prove(spoilt) };
    case 'header': {
      const { privateKey, publicJwk } = partner.dpopKey;
      const header = { typ: 'dpop+jwt', alg: 'ES256', jwk: publicJwk, ...spoilt };
      const iat = Math.floor(Date.now() / 1000);
      const claims = { htm: method, htu: url, jti: randomUUID(), iat, ath: sha256(token) };
      return { authorization, dpop: signAnyway(KeyObject.from(privateKey), header, claims) };
    }
  }
}

/** A JWT signed ES256 regardless of its header, which no library does. */
function signAnyway(key: KeyObject, header: object, claims: object): string {
  const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url');
  const input = `${encode(header)}.${encode(claims)}`;
  const signature = sign('sha256', Buffer.from(input), { key, dsaEncoding: 'ieee-p1363' });
  return `${input}.${signature.toString('base64url')}`;
}

async function sendFuzzed(fuzzed: FuzzedRequest): Promise<PartnerAnswer> {
  const { method, target, headers, body } = fuzzed;
  const given = await credentialsOf(fuzzed);
  return send(method, service.baseUrl + target, {
    headers: { ...headers, ...given },
    ...(body !== undefined && { body }),
  });
}

/** What is wrong with an answer; undefined if it is a success or a right problem document. */
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
    const answers: PartnerAnswer[] = [];
    for (let at = 0; at < requests.length; at += lanes)
      answers.push(...(await Promise.all(requests.slice(at, at + lanes).map(sendFuzzed))));
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
      'unauthorized',
      'invalid_dpop',
      'invalid_org_context',
      'not_found',
      'invalid_request',
      'invalid_category',
      'invalid_payload',
      'invalid_document',
      // Rare among them.
      ...(isShared ? [] : ['invalid_state', 'unsupported_content_type']),
    ]),
  );
  const health = await send('GET', `${service.baseUrl}/health`);
  expect([health.status, JSON.parse(health.text)]).toMatchObject([200, { status: 'ok' }]);
  // Every line of the log has its own request, and no line contains a secret.
  const log = service.log();
  expect(log.match(/^\{"level":30,"time":\d+,"correlationId":"/gm)?.length).toBe(
    log.split('\n').length - 1,
  );
  for (const token of tokens) expect(log).not.toContain(token.slice(-20));
  expect(log).not.toMatch(/eyJ|PRIVATE|client_assertion=/);
});

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

test('fuzz: bytes that are no request are refused, mostly with a problem document', async () => {
  // Node refuses these by itself, regardless of the store.
  const samples = fc.sample(rawRequest, { seed, numRuns: isShared ? 10 : smokeOrLong(100, 1000) });
  for (const text of samples) {
    const socket = connect(service.port, '127.0.0.1');
    let answer = '';
    socket.setEncoding('latin1').on('data', (chunk: string) => (answer += chunk));
    socket.on('error', () => undefined).end(text);
    await once(socket, 'close');
    expect(answer, JSON.stringify(text)).toMatch(/^HTTP\/1\.1 40[04] /);
    // Node refuses an HTTP/1.1 request without Host by itself, with an empty body.
    const [body] = /^\{.*\}$/m.exec(answer) ?? [];
    if (body === undefined) continue;
    expect(problemSchema.safeParse(JSON.parse(body)).error, answer).toBeUndefined();
  }
});
