import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { z } from 'zod';
import { idSchema } from '#main/front/request-schemas.ts';
import type { ServiceContext } from '#main/service/context.ts';
import { operation } from '#main/front/operation.ts';
import { Problem } from '#main/front/problem.ts';
import { uploadOperation } from '#main/front/upload-operation.ts';
import type { Partner, PartnerAnswer } from '../service/support/partner.ts';
import { anyString } from '../service/support/claims.ts';
import { startService, type ServiceForTest } from '../service/support/service.ts';

const mib = 1024 * 1024;
const claims = '/v1/insurers/claims';
const reports = '/v1/experts/reports/8b0d4b2e-6f6a-4b6e-9d6b-0c1f0e2d3a4b';
const documents = `${reports}/documents`;

let service: ServiceForTest;
let insurer: Partner;
let expert: Partner;
/** How the operations below behave, and what they did. */
let runs: number;
let answerBytes: number;
let failure: Error | undefined;
let hold: Promise<undefined> | undefined;
let entered: PromiseWithResolvers<undefined>;
let staged: Set<Buffer>;

function failOnce(): void {
  const error = failure;
  failure = undefined;
  if (error) throw error;
}

function mount(app: FastifyInstance, context: ServiceContext): void {
  operation(app, context, 'I2', {
    body: z.object({ Category: z.string(), PayloadJson: z.string() }),
    async handler({ body, db }) {
      runs += 1;
      entered.resolve(undefined);
      await hold;
      // What the operation does, done in its transaction.
      await db
        .insertInto('signing_keys')
        .values({ kid: randomUUID(), private_jwk: body.PayloadJson, created_at: 0 })
        .execute();
      failOnce();
      return { Run: runs, Padding: 'x'.repeat(answerBytes) };
    },
  });
  operation(app, context, 'X15', { handler: () => ({ Run: (runs += 1) }) });
  operation(app, context, 'X4', { handler: () => void (runs += 1) });
  uploadOperation(app, context, 'X13', {
    params: z.object({ submissionId: idSchema }),
    async receive(stream: Readable) {
      const content = Buffer.concat(await stream.toArray());
      staged.add(content);
      return content;
    },
    discard(content) {
      staged.delete(content);
      return Promise.resolve();
    },
    handler({ body }) {
      runs += 1;
      failOnce();
      return { Run: runs, Bytes: body.length };
    },
  });
}

async function effects(): Promise<number> {
  const rows = await service.context.db
    .selectFrom('signing_keys')
    .selectAll()
    .where('private_jwk', '=', 'effect')
    .execute();
  return rows.length;
}

function create(key: string | undefined, body: unknown = { Category: 'x', PayloadJson: 'effect' }) {
  return insurer.request('POST', claims, {
    body,
    ...(key !== undefined && { idempotencyKey: key }),
  });
}

beforeEach(async () => {
  runs = 0;
  answerBytes = 0;
  failure = undefined;
  hold = undefined;
  entered = Promise.withResolvers();
  staged = new Set();
  service = await startService({ mount });
  insurer = await service.partner('insurer');
  expert = await service.partner('expert');
});
afterEach(() => service.remove());

/** A repeated refusal: the same problem, under the id of the repeated request. */
function expectReplay(second: PartnerAnswer, first: PartnerAnswer): void {
  const instance = second.headers['x-correlation-id'];
  expect(instance).not.toBe(first.headers['x-correlation-id']);
  expect(second.json).toEqual({ ...(first.json as object), instance });
  expect(second.headers).toMatchObject({
    'idempotency-replayed': 'true',
    'content-type': 'application/problem+json',
  });
}

test('Idempotency-Key: a repeated POST gets the stored answer (Idempotency-Replayed), under a new X-Correlation-Id', async () => {
  const first = await create('key');
  const second = await create('key');
  expect(first.status).toBe(201);
  expect(second.status).toBe(201);
  expect(second.body).toEqual(first.body);
  expect(second.headers['content-type']).toBe(first.headers['content-type']);
  expect(first.headers).not.toHaveProperty('idempotency-replayed');
  expect(second.headers['idempotency-replayed']).toBe('true');
  expect(second.headers['x-correlation-id']).not.toBe(first.headers['x-correlation-id']);
  expect(await effects()).toBe(1);
});

test('idempotency: without a key every POST runs, and none counts as a repetition', async () => {
  const answers = [await create(undefined), await create(undefined)];
  expect(runs).toBe(2);
  for (const { headers } of answers) expect(headers).not.toHaveProperty('idempotency-replayed');
});

test('idempotency: the same key with another payload counts as a new request', async () => {
  await create('key');
  const other = await create('key', { Category: 'y', PayloadJson: 'effect' });
  expect(other.headers).not.toHaveProperty('idempotency-replayed');
  expect(runs).toBe(2);
});

test('idempotency: the same key at another path, or from another client, is another', async () => {
  await expert.request('POST', `${reports}/submit`, { idempotencyKey: 'key' });
  await expert.request('POST', `${reports.replace('8b', '8c')}/submit`, { idempotencyKey: 'key' });
  const other = await service.partner('otherExpert');
  await other.request('POST', `${reports}/submit`, { idempotencyKey: 'key' });
  expect(runs).toBe(3);
  await expert.request('POST', `${reports}/submit`, { idempotencyKey: 'key' });
  expect(runs).toBe(3);
});

test('idempotency: only a POST takes part', async () => {
  const put = () =>
    expert.request('PUT', '/v1/experts/cases/x/amounts', { body: {}, idempotencyKey: 'key' });
  await put();
  await put();
  expect(runs).toBe(2);
});

test.each(['', 'x'.repeat(256), 'ümlaut', 'tab\there'])(
  'idempotency: the key %j is invalid_request',
  async (key) => {
    const answer = await create(Buffer.from(key).toString('latin1'));
    expect(answer.json).toMatchObject({
      title: 'invalid_request',
      errors: { 'Idempotency-Key': ['must be 1 to 255 printable characters.'] },
    });
    expect(runs).toBe(0);
  },
);

test.each([
  ['two keys', ['one', 'two']],
  ['the same key twice', ['one', 'one']],
  ['two of which one is empty', ['one', '']],
])('idempotency: %s in one request are refused, and nothing is done', async (_, keys) => {
  const headers = { 'idempotency-key': keys };
  const requests = [
    () =>
      insurer.request('POST', claims, { body: { Category: 'x', PayloadJson: 'effect' }, headers }),
    () => expert.request('POST', `${reports}/submit`, { headers }),
    () => expert.request('POST', documents, { body: '{}', headers }),
  ];
  for (const request of requests) {
    expect(await request()).toMatchObject({
      status: 400,
      json: {
        title: 'invalid_request',
        detail: 'the request has more than one Idempotency-Key',
        errors: { 'Idempotency-Key': ['must be given once.'] },
      },
    });
  }
  expect(runs).toBe(0);
  expect(staged.size).toBe(0);
});

test('idempotency: a comma in a key is part of it', async () => {
  expect((await create('one, two')).status).toBe(201);
  expect((await create('one, two')).headers['idempotency-replayed']).toBe('true');
});

test('idempotency: a key of 255 characters is one (idempotencyKeyMaxLength)', async () => {
  expect((await create('k'.repeat(255))).status).toBe(201);
});

/** The answers of identical requests that are in flight at once; the first is in its operation. */
async function inFlight(count: number): Promise<PartnerAnswer[]> {
  const gate = Promise.withResolvers<undefined>();
  hold = gate.promise;
  const first = create('key');
  await entered.promise;
  const others = Array.from({ length: count - 1 }, () => create('key'));
  // The others have reached the service when a later request of the same client is answered.
  await insurer.request('GET', '/nowhere');
  hold = undefined;
  gate.resolve(undefined);
  return Promise.all([first, ...others]);
}

test('idempotency: of identical requests in flight, the others get the answer of the first', async () => {
  const answers = await inFlight(3);
  expect(answers.map(({ status }) => status)).toEqual([201, 201, 201]);
  expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
  expect(runs).toBe(1);
  expect(await effects()).toBe(1);
});

test('idempotency: two identical requests in flight get the same refusal, made once', async () => {
  failure = new Problem('invalid_state', 'There is no such case.');
  const [first, second] = await inFlight(2);
  expect([first?.status, second?.status]).toEqual([400, 400]);
  if (first && second) expectReplay(second, first);
  expect(runs).toBe(1);
});

test('idempotency: if the first in flight fails, the second runs', async () => {
  failure = new Error('disk full');
  const answers = await inFlight(2);
  expect(answers.map(({ status }) => status)).toEqual([500, 201]);
  expect((await create('key')).headers['idempotency-replayed']).toBe('true');
  expect(await effects()).toBe(1);
});

test('idempotency: an operation that fails (internal_error) says nothing of its cause, changes nothing and is not stored', async () => {
  failure = new Error('disk full');
  const failed = await create('key');
  expect(failed.json).toMatchObject({ title: 'internal_error', status: 500 });
  expect(failed.text).not.toMatch(/disk full|at /);
  expect(await effects()).toBe(0);
  failure = undefined;
  const again = await create('key');
  expect(again.status).toBe(201);
  expect(again.headers).not.toHaveProperty('idempotency-replayed');
});

test.each(['invalid_state', 'not_found', 'invalid_payload'] as const)(
  'idempotency: %s is stored, its effect is not',
  async (title) => {
    failure = new Problem(title, 'There is no such case.');
    const first = await create('key');
    failure = undefined;
    const second = await create('key');
    expectReplay(second, first);
    expect(await effects()).toBe(0);
    expect(runs).toBe(1);
  },
);

test('idempotency: the refusal of a malformed body is stored', async () => {
  await create('key', '{');
  const second = await create('key', '{');
  expect(second.status).toBe(400);
  expect(second.headers['idempotency-replayed']).toBe('true');
});

test('idempotency: 403 and 401 are not stored', async () => {
  failure = new Problem('forbidden', 'The record belongs to another organization.');
  expect((await create('key')).status).toBe(403);
  const body = { Category: 'x', PayloadJson: 'effect' };
  const proof = { htm: 'GET' };
  const refused = await insurer.request('POST', claims, { body, idempotencyKey: 'key', proof });
  expect(refused.status).toBe(401);
  const again = await create('key');
  expect(again.status).toBe(201);
  expect(again.headers).not.toHaveProperty('idempotency-replayed');
});

test('idempotency: a refusal of status 500 (upstream_error) is not stored', async () => {
  failure = new Problem('upstream_error', 'The partner did not answer.');
  expect((await create('key')).status).toBe(500);
  const again = await create('key');
  expect(again.status).toBe(201);
  expect(again.headers).not.toHaveProperty('idempotency-replayed');
  expect(await effects()).toBe(1);
});

test('idempotency: a refusal that is not stored keeps its headers, and changes nothing', async () => {
  failure = new Problem('rate_limited', 'Wait.', { headers: { 'Retry-After': '7' } });
  const refused = await create('key');
  expect(refused.status).toBe(429);
  expect(refused.headers['retry-after']).toBe('7');
  expect(await effects()).toBe(0);
});

test('idempotency: stored for 24 hours (idempotencyRetentionMs)', async () => {
  await create('key');
  service.clock.advance(24 * 3_600_000 - 1);
  expect((await create('key')).headers['idempotency-replayed']).toBe('true');
  service.clock.advance(1);
  expect((await create('key')).headers).not.toHaveProperty('idempotency-replayed');
  expect((await create('key')).headers['idempotency-replayed']).toBe('true');
  expect(runs).toBe(2);
});

test('idempotency: stored over a restart of the service', async () => {
  const first = await create('key');
  await service.stop();
  const { directory, clock } = service;
  service = await startService({ mount, directory, clock });
  insurer = await service.partner('insurer');
  const second = await create('key');
  expect(second.body).toEqual(first.body);
  expect(second.headers['idempotency-replayed']).toBe('true');
});

test('idempotency: an answer of 16 MB is stored (idempotencyMaxBytes), one over it is not', async () => {
  const overhead = Buffer.byteLength('{"Run":1,"Padding":""}');
  answerBytes = 16 * mib - overhead;
  expect((await create('exact')).body).toHaveLength(16 * mib);
  expect((await create('exact')).headers['idempotency-replayed']).toBe('true');
  answerBytes += 1;
  await create('over');
  expect((await create('over')).headers).not.toHaveProperty('idempotency-replayed');
  expect(runs).toBe(3);
});

test('idempotency: an upload of 16 MB takes part, one over it does not, declared or not', async () => {
  const upload = (bytes: number, headers: Record<string, string | string[]> = {}) =>
    expert.request('POST', documents, {
      body: Buffer.alloc(bytes, 0x20),
      idempotencyKey: 'key',
      headers,
    });
  const first = await upload(16 * mib);
  expect(first.json).toEqual({ Run: 1, Bytes: 16 * mib });
  const second = await upload(16 * mib);
  expect(second.body).toEqual(first.body);
  expect(second.headers['idempotency-replayed']).toBe('true');
  expect((await upload(16 * mib + 1)).json).toMatchObject({ Run: 2 });
  expect((await upload(16 * mib + 1)).json).toMatchObject({ Run: 3 });
  const undeclared = { 'transfer-encoding': 'chunked', 'content-length': [] };
  expect((await upload(16 * mib, undeclared)).headers['idempotency-replayed']).toBe('true');
  expect((await upload(16 * mib + 1, undeclared)).json).toMatchObject({ Run: 4 });
  expect((await upload(16 * mib + 1, undeclared)).json).toMatchObject({ Run: 5 });
});

test('idempotency: the content of an upload without a key stays, each time', async () => {
  for (const count of [1, 2]) {
    await expert.request('POST', documents, { body: 'document' });
    expect(staged.size).toBe(count);
  }
});

test.each([
  ['path', '/v1/experts/reports/none/documents', 'application/json', 'submissionId'],
  ['Content-Type', documents, 'text/plain', 'Content-Type'],
])(
  'idempotency: the refusal of an upload for its %s is stored, and for its payload alone',
  async (_, path, type, field) => {
    const headers = { 'content-type': type };
    const upload = (body: Buffer) =>
      expert.request('POST', path, { body, headers, idempotencyKey: 'key' });
    const first = await upload(Buffer.alloc(mib));
    expect(first.json).toMatchObject({
      title: 'invalid_request',
      errors: { [field]: [anyString] },
    });
    const second = await upload(Buffer.alloc(mib));
    expectReplay(second, first);
    expect((await upload(Buffer.alloc(mib, 1))).headers).not.toHaveProperty('idempotency-replayed');
    expect([runs, staged.size]).toEqual([0, 0]);
  },
);

test('idempotency: the staged content of a repeated or refused upload is discarded', async () => {
  const upload = (key: string) =>
    expert.request('POST', documents, { body: 'document', idempotencyKey: key });
  await upload('first');
  await upload('first');
  expect(staged.size).toBe(1);
  failure = new Problem('invalid_state', 'The case has an open draft already.');
  expect((await upload('second')).status).toBe(400);
  expect(staged.size).toBe(1);
  expect((await upload('second')).headers['idempotency-replayed']).toBe('true');
  failure = new Error('disk full');
  expect((await upload('third')).status).toBe(500);
  expect(staged.size).toBe(1);
});

test('idempotency: an answer is in the store before the caller has it', async () => {
  await create('key');
  const rows = await service.context.db.selectFrom('idempotency_answers').selectAll().execute();
  expect(rows).toHaveLength(1);
  service.clock.advance(24 * 3_600_000);
  await service.context.purge();
  expect(
    await service.context.db.selectFrom('idempotency_answers').selectAll().execute(),
  ).toHaveLength(0);
});

test('upload: a refusal in the middle of a body is answered after it', async () => {
  await service.remove();
  service = await startService({
    mount: (app, context) => {
      uploadOperation(app, context, 'X13', {
        async receive(stream) {
          await once(stream, 'data');
          throw new Problem('invalid_document', 'The submission has no documents.');
        },
        discard: () => Promise.resolve(),
        handler: () => ({}),
      });
    },
  });
  expert = await service.partner('expert');
  const upload = () =>
    expert.request('POST', documents, { body: Buffer.alloc(3 * mib), idempotencyKey: 'key' });
  expect((await upload()).json).toMatchObject({ title: 'invalid_document', status: 400 });
  expect((await upload()).headers['idempotency-replayed']).toBe('true');
});

test('upload: a body over 80 MiB is size_limit_exceeded, also if its length was not declared', async () => {
  const chunked = await expert.request('POST', documents, {
    body: Buffer.alloc(80 * mib + 1),
    headers: { 'transfer-encoding': 'chunked', 'content-length': [] },
  });
  expect(chunked.json).toMatchObject({ title: 'size_limit_exceeded', status: 400 });
  expect(runs).toBe(0);
});
