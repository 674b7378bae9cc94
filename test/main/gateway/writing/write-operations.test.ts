import { createHash, randomUUID } from 'node:crypto';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { uploadBodyLimitBytes } from '#main/front/upload-operation.ts';
import { createCode, revokeClient } from '#main/gateway/auth/clients.ts';
import { assignCase } from '#main/gateway/reading/store-cases.ts';
import { readAudit, type AuditRecord } from '#main/gateway/writing/audit.ts';
import { json, problem, reset } from '../../../support/partner/hostile-server.ts';
import { machineClock } from '../../service/support/fake-clock.ts';
import { createMemoryLog } from '../../service/support/memory-log.ts';
import { enrol, newKey, startGateway, type GatewayForTest } from '../support/gateway.ts';
import { caseOf, startOddPartner, type OddPartner } from '../support/odd-partner.ts';
import { createPauses } from '../support/pauses.ts';

/* Changes on their way to the partner: who may send them, how often, and what is recorded. */

const pauses = createPauses();
const { log, lines } = createMemoryLog();
let partner: OddPartner;
let gateway: GatewayForTest;
let device: Awaited<ReturnType<typeof deviceFor>>;
/** The entries of the audit before a test. */
let entriesBefore = 0;

beforeAll(async () => {
  partner = await startOddPartner('a', 'b');
  gateway = await startGateway(partner, { visibility: 'assigned', clock: pauses.clock, log });
  await gateway.context.pull.stop();
  device = await deviceFor('a');
});
afterAll(async () => {
  await gateway.remove();
  await partner.stop();
});
beforeEach(async () => {
  partner.seen.length = 0;
  entriesBefore = (await entriesOf(device)).length;
});
afterEach(() => vi.restoreAllMocks());

const turn = () => new Promise((resolve) => setImmediate(resolve));
const throttled = () => gateway.context.upstream.counters.throttled;
const amounts = (id: string) => `/v1/experts/cases/${id}/amounts`;
const change = { body: { CostEstimateAmount: 1, ApprovedAmount: null } };

async function assign(laptop: { clientId: string }, caseId: string, isRemoved = false) {
  const { db } = gateway.context;
  await assignCase(db, machineClock, { caseId, clientId: laptop.clientId, isRemoved });
}

/** A device to which the case is assigned. */
async function deviceFor(caseId: string) {
  const laptop = await gateway.laptop();
  await assign(laptop, caseId);
  await laptop.token();
  return laptop;
}

async function entriesOf({ clientId }: { clientId: string }): Promise<AuditRecord[]> {
  const found: AuditRecord[] = [];
  for await (const entry of readAudit(gateway.context.db, 0)) found.push(entry);
  return found.filter((each) => each.clientId === clientId && each.operation !== 'enrolled');
}

const newEntries = async () => (await entriesOf(device)).slice(entriesBefore);

const refusals = {
  'whose access ended': {
    end: (laptop: { clientId: string }) =>
      revokeClient(gateway.context.db, machineClock, laptop.clientId),
    refusal: [401, { title: 'unauthorized' }],
  },
  'whose key was replaced': {
    end: async ({ clientId }: { clientId: string }) => {
      const renewal = { name: 'Laptop', isDispatcher: false, clientId };
      const { code } = await createCode(gateway.context.db, machineClock, renewal);
      await enrol(gateway.baseUrl, code, newKey().publicPem);
    },
    refusal: [401, { title: 'unauthorized' }],
  },
  'whose case was taken away': {
    end: (laptop: { clientId: string }) => assign(laptop, 'a', true),
    refusal: [403, { title: 'forbidden' }],
  },
} as const;

test.each(Object.entries(refusals))(
  'write: a device %s while the partner makes its change wait sends it no more',
  async (_, { end, refusal }) => {
    const laptop = await deviceFor('a');
    partner.next(problem(429, 'rate_limited', { 'retry-after': '5' }));
    pauses.stop();
    const before = throttled();
    const sent = laptop.request('PUT', amounts('a'), change);
    while (throttled() === before) await turn();
    await end(laptop);
    pauses.end();
    const answer = await sent;
    expect([answer.status, answer.json]).toMatchObject(refusal);
    expect(partner.changes()).toEqual([`PUT ${amounts('a')}`]);
    expect(await entriesOf(laptop)).toMatchObject([
      { operation: 'X4', subject: 'a', status: refusal[0] },
    ]);
  },
);

test('write: a change that may have been made is not sent again after the access ended, and its outcome is unknown', async () => {
  const laptop = await deviceFor('a');
  partner.next(reset);
  pauses.stop();
  const sent = laptop.request('PUT', amounts('a'), change);
  while (partner.changes().length === 0) await turn();
  await revokeClient(gateway.context.db, machineClock, laptop.clientId);
  pauses.end();
  const answer = await sent;
  expect([answer.status, answer.json]).toMatchObject([503, { title: 'upstream_unavailable' }]);
  expect(partner.changes()).toEqual([`PUT ${amounts('a')}`]);
  expect(await entriesOf(laptop)).toMatchObject([{ operation: 'X4', subject: 'a', status: 0 }]);
});

test('write: an attempt after a long pause leaves its case unsure, although a read made it sure meanwhile', async () => {
  const { db, refresh } = gateway.context;
  const row = () =>
    db.selectFrom('cases').selectAll().where('id', '=', 'a').executeTakeFirstOrThrow();
  let during: Awaited<ReturnType<typeof row>> | undefined;
  partner.next(problem(429, 'rate_limited', { 'retry-after': '5' }), async (response) => {
    during = await row();
    response.writeHead(204).end();
  });
  pauses.stop();
  const before = throttled();
  const sent = device.request('PUT', amounts('a'), change);
  while (throttled() === before) await turn();
  const marked = await row();
  // The pause is longer than a change whose answer was lost is on its way.
  await db.updateTable('open_changes').set({ since: 0 }).execute();
  const read = refresh('a');
  pauses.end();
  await read;
  expect((await sent).status).toBe(204);
  expect(during?.unsure_since).not.toBeNull();
  expect(during?.reports_as_of).toBeNull();
  expect(during?.latest_change).not.toBe(marked.latest_change);
  expect(await row()).toMatchObject({ unsure_since: null });
  expect(await newEntries()).toHaveLength(1);
});

const submission = (Id: string, more: object = {}) => ({
  Id,
  ClaimId: 'a',
  SequenceNo: 1,
  Status: 'Draft',
  Comment: 'Seen.',
  SubmittedAt: null,
  CreatedAt: '2026-03-01T10:00:00.000Z',
  UpdatedAt: '2026-03-01T10:00:00.000Z',
  ...more,
});
/** A submission of the case, as the gateway has it from an earlier answer. */
async function knownSubmission(): Promise<string> {
  const id = randomUUID();
  await gateway.context.db
    .insertInto('reports')
    .values({ id, case_id: 'a', position: 0, body_json: JSON.stringify(submission(id)) })
    .execute();
  return id;
}

const uploads = () => readdirSync(gateway.context.uploadsDirectory);
const body = (text: string) => Buffer.from(text);
const reads = () =>
  partner.seen.filter(({ method, url }) => method === 'GET' && url.endsWith('/a'));
const rowOfA = () =>
  gateway.context.db
    .selectFrom('cases')
    .selectAll()
    .where('id', '=', 'a')
    .executeTakeFirstOrThrow();
const openChanges = () => gateway.context.db.selectFrom('open_changes').selectAll().execute();

test('write: each change goes to the partner byte for byte, a POST under a key of this client', async () => {
  const report = await knownSubmission();
  const ofCase = '/v1/experts/cases/a';
  const ofReport = `/v1/experts/reports/${report}`;
  const document = `{ "FileName": "a.txt", "ContentType": "text/plain", "ContentBase64": "YQ==" }`;
  const changes = [
    ['PUT', `${ofCase}/expert-comment`, '{ "Text" :"a" }', 'X3'],
    ['PUT', `${ofCase}/amounts`, '{"CostEstimateAmount":1.50,"ApprovedAmount":null}', 'X4'],
    ['POST', `${ofCase}:reopen`, '{"Reason": "more"}', 'X5'],
    ['POST', `${ofCase}/reports:draft`, '{"Comment": "c"}', 'X8'],
    ['PUT', `${ofCase}/reports:draft`, '{"Comment":  "c"}', 'X9'],
    ['POST', `${ofReport}/documents`, document, 'X13'],
    ['DELETE', `${ofReport}/documents/${randomUUID()}`, '', 'X14'],
    ['POST', `${ofReport}/submit`, '', 'X15'],
  ] as const;
  for (const [method, path, text] of changes) {
    const idempotencyKey = method === 'POST' ? { idempotencyKey: 'key' } : {};
    const answer = await device.request(method, path, {
      ...(text !== '' && { body: body(text) }),
      ...idempotencyKey,
    });
    expect([path, answer.status]).toEqual([path, 204]);
  }
  const sent = partner.seen.filter(({ method }) => method !== 'GET');
  expect(sent.map(({ method, url, body: bytes }) => [method, url, String(bytes)])).toEqual(
    changes.map(([method, path, text]) => [method, path, text]),
  );
  const key = createHash('sha256').update(`${device.clientId}\nkey`).digest('hex');
  for (const { method, headers } of sent) {
    expect(headers['idempotency-key']).toBe(method === 'POST' ? key : undefined);
  }
  expect((await newEntries()).map(({ operation, status }) => [operation, status])).toEqual(
    changes.map(([, , , operation]) => [operation, 204]),
  );
  // After a change of a draft its case is not read again.
  expect(reads()).toHaveLength(4);
  expect([await openChanges(), (await rowOfA()).unsure_since, uploads()]).toEqual([[], null, []]);
});

test('write: a malformed body, path or upload is refused, and nothing is sent or kept', async () => {
  const documents = `/v1/experts/reports/${await knownSubmission()}/documents`;
  for (const [method, path, request] of [
    ['PUT', amounts('a'), { body: body('{') }],
    ['PUT', amounts('a'), { body: { CostEstimateAmount: 'x' } }],
    ['POST', documents, { body: body('{}'), headers: { 'content-type': 'text/plain' } }],
    ['POST', documents, { body: body('{}'), headers: { 'content-encoding': 'gzip' } }],
    ['DELETE', `${documents}/%0a`, {}],
  ] as const) {
    const answer = await device.request(method, path, request);
    expect([path, answer.status, answer.json]).toMatchObject([
      path,
      400,
      { title: 'invalid_request' },
    ]);
  }
  expect([partner.changes(), uploads()]).toEqual([[], []]);
  expect(await newEntries()).toEqual([]);
});

test('write: a PUT waits for the one before it at the same place, and for no other', async () => {
  const other = await deviceFor('a');
  const later = '{"CostEstimateAmount":2,"ApprovedAmount":null}';
  const answer = Promise.withResolvers<null>();
  partner.next(async (...args) => {
    await answer.promise;
    await problem(400, 'invalid_state')(...args);
  });
  const first = device.request('PUT', amounts('a'), change);
  while (partner.changes().length < 1) await turn();
  const second = device.request('PUT', amounts('a'), { body: body(later) });
  await assign(device, 'b');
  await device.request('PUT', amounts('b'), change);
  await assign(device, 'b', true);
  await other.request('PUT', amounts('a'), change);
  // Other requests were sent and answered since.
  expect(partner.changes()).toHaveLength(3);
  answer.resolve(null);
  expect([(await first).status, (await second).status]).toEqual([400, 204]);
  const bodies = partner.seen.filter(({ method }) => method === 'PUT').map((seen) => seen.body);
  expect(String(bodies.at(-1))).toBe(later);
});

test('write: an upload is a file that nobody else can read while it is on its way', async () => {
  const path = `/v1/experts/reports/${await knownSubmission()}/documents`;
  const modes: number[] = [];
  partner.next((response) => {
    const folder = gateway.context.uploadsDirectory;
    modes.push(...uploads().map((name) => statSync(join(folder, name)).mode & 0o777));
    response.writeHead(204).end();
  });
  expect((await device.request('POST', path, { body: body('{}') })).status).toBe(204);
  expect(modes).toEqual(process.platform === 'win32' ? [0o666] : [0o600]);
  await expect.poll(uploads).toEqual([]);
});

test('write: what became of the changes is counted by operation and status', async () => {
  const { passed } = gateway.context.metrics;
  const counted = async () => {
    const { values } = await passed.get();
    return new Map(
      values.map(({ labels, value }) => [`${labels.operation} ${labels.status}`, value]),
    );
  };
  const before = await counted();
  partner.next((response) => void response.writeHead(204).end(), problem(400, 'invalid_state'));
  partner.next(reset, reset, reset);
  for (let times = 0; times < 3; times += 1) await device.request('PUT', amounts('a'), change);
  const after = await counted();
  expect(
    ['X4 204', 'X4 400', 'X4 0'].map((name) => (after.get(name) ?? 0) - (before.get(name) ?? 0)),
  ).toEqual([1, 1, 1]);
  await gateway.context.db.updateTable('open_changes').set({ since: 0 }).execute();
  await gateway.context.refresh('a');
});

test('write: an upload that is too large is refused, and nothing of it is kept', async () => {
  const path = `/v1/experts/reports/${await knownSubmission()}/documents`;
  const tooLarge = Buffer.alloc(uploadBodyLimitBytes + 1, ' ');
  const answer = await device.request('POST', path, { body: tooLarge });
  expect([answer.status, answer.json]).toMatchObject([400, { title: 'size_limit_exceeded' }]);
  expect([partner.changes(), uploads()]).toEqual([[], []]);
});

test('write: what the partner refuses ends the change, and is recorded as refused', async () => {
  partner.next(problem(400, 'invalid_state'));
  const refused = await device.request('PUT', amounts('a'), change);
  expect([refused.status, refused.json]).toMatchObject([400, { title: 'invalid_state' }]);
  expect(await newEntries()).toMatchObject([{ operation: 'X4', subject: 'a', status: 400 }]);
  expect([await openChanges(), (await rowOfA()).unsure_since, reads()]).toEqual([[], null, []]);
});

test('write: a change whose outcome is unknown stays open, until a read of its case has its effect', async () => {
  partner.next(reset, reset, reset);
  const lost = await device.request('PUT', amounts('a'), change);
  expect([lost.status, partner.changes().length]).toEqual([503, 3]);
  expect(await newEntries()).toMatchObject([{ operation: 'X4', subject: 'a', status: 0 }]);
  expect(await openChanges()).toMatchObject([{ case_id: 'a' }]);
  expect((await rowOfA()).unsure_since).not.toBeNull();
  await gateway.context.db.updateTable('open_changes').set({ since: 0 }).execute();
  await gateway.context.refresh('a');
  expect([await openChanges(), (await rowOfA()).unsure_since]).toEqual([[], null]);
});

test('write: the answer stays the answer if what follows it fails, and the case stays unsure', async () => {
  partner.next((response) => {
    partner.cases.delete('a');
    response.writeHead(204).end();
  });
  expect((await device.request('PUT', amounts('a'), change)).status).toBe(204);
  expect((await rowOfA()).delisted).toBe(1);
  partner.cases.set('a', caseOf('a'));
  await gateway.context.refresh('a');
  expect((await rowOfA()).delisted).toBe(0);

  vi.spyOn(gateway.context.upstream, 'read').mockRejectedValueOnce(new Error('no answer'));
  expect((await device.request('PUT', amounts('a'), change)).status).toBe(204);
  expect((await rowOfA()).unsure_since).not.toBeNull();
  expect(lines.join('')).toContain('the case was not read again');
  await gateway.context.db.updateTable('open_changes').set({ since: 0 }).execute();
  await gateway.context.refresh('a');
});

test('write: the submission of an answer is known from then on', async () => {
  const { db } = gateway.context;
  const created = submission(randomUUID());
  partner.next(json(201, created), json(201, created, { 'idempotency-replayed': 'true' }));
  const draft = () =>
    device.request('POST', '/v1/experts/cases/a/reports:draft', {
      body: { Comment: 'Seen.' },
      idempotencyKey: 'draft',
    });
  // The device must ask again, because the next change of this submission would be refused.
  await sql`create trigger fails before insert on reports
    begin select raise(abort, 'not stored'); end`.execute(db);
  const failed = await draft();
  await sql`drop trigger fails`.execute(db);
  expect([failed.status, failed.text]).toEqual([
    500,
    expect.stringContaining('it is not known whether the operation was carried out'),
  ]);
  expect((await rowOfA()).unsure_since).not.toBeNull();
  const answer = await draft();
  expect([answer.status, answer.json]).toEqual([201, created]);
  expect(answer.headers['idempotency-replayed']).toBe('true');
  const submit = `/v1/experts/reports/${created.Id}/submit`;
  const submitted = await device.request('POST', submit);
  expect(submitted.status).toBe(204);
  expect(submitted.headers['idempotency-replayed']).toBeUndefined();
  // The change that failed stays open.
  await db.updateTable('open_changes').set({ since: 0 }).execute();
  await gateway.context.refresh('a');
});

test('write: a change whose device left before it was admitted is not sent', async () => {
  const path = `/v1/experts/reports/${await knownSubmission()}/submit`;
  const { jtis } = gateway.context;
  const use = jtis.use.bind(jtis);
  const left = new AbortController();
  const gone = Promise.withResolvers<null>();
  vi.spyOn(jtis, 'use').mockImplementationOnce(async (jti) => {
    left.abort();
    await gone.promise;
    return use(jti);
  });
  const ended = vi.spyOn(gateway.context.metrics.passed, 'inc');
  const request = device.request('POST', path, { signal: left.signal });
  await expect(request).rejects.toThrow('aborted');
  // The gateway has seen that its connection is closed.
  for (let number = 0; number < 100; number += 1) await turn();
  gone.resolve(null);
  await expect.poll(() => ended.mock.calls).toHaveLength(1);
  expect(partner.changes()).toEqual([]);
  expect(await newEntries()).toEqual([]);
});
