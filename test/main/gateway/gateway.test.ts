import { execFile, spawn } from 'node:child_process';
import { createPrivateKey, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createCode, revokeClient } from '#main/gateway/auth/clients.ts';
import { assignCase, partnerCaseOf } from '#main/gateway/reading/store-cases.ts';
import { runGateway } from '#main/gateway/run-gateway.ts';
import { refreshed } from '#main/gateway/reading/case-lists.ts';
import { claimTurn, writeState } from '#main/gateway/state.ts';
import { endsWithTests } from '../../support/children.ts';
import { openClient } from '../../../docs/example-client.ts';
import { acceptedCase, backoffice, contents, upload } from '../service/support/claims.ts';
import { databaseOf } from '../service/support/database.ts';
import { createMemoryLog } from '../service/support/memory-log.ts';
import { send, type Partner } from '../service/support/partner.ts';
import { startService, type ServiceForTest } from '../service/support/service.ts';
import { machineClock } from '../service/support/fake-clock.ts';
import { enrol, newKey, startGateway, type GatewayForTest } from './support/gateway.ts';
import { createPauses } from './support/pauses.ts';

let service: ServiceForTest;
let insurer: Partner;
let gateway: GatewayForTest | undefined;

beforeEach(async () => {
  service = await startService({ clock: machineClock });
  insurer = await service.partner('insurer');
});
afterEach(async () => {
  await gateway?.remove();
  gateway = undefined;
  await service.remove();
});

const cases = '/v1/experts/cases';
const health = async () => (await send('GET', `${gateway?.baseUrl ?? ''}/health`)).json;
const turn = () => new Promise((resolve) => setImmediate(resolve));
const newCase = async () => (await acceptedCase(service, insurer)).Id;
const listed = (answer: { json: unknown }) =>
  answer.json as { Total: number; Items: { Id: string; LastChangedAt: string; Status: string }[] };

test('gateway: a report goes through once, with its bytes, whatever is repeated', async () => {
  const id = await newCase();
  gateway = await startGateway(service);
  const laptop = await gateway.laptop();
  const expert = await service.partner('expert');
  const first = listed(await laptop.request('GET', cases));
  expect(first.Items.map((item) => item.Id)).toEqual([id]);

  const draft = { body: { Comment: 'Seen.' }, idempotencyKey: 'draft-1' };
  const created = await laptop.request('POST', `${cases}/${id}/reports:draft`, draft);
  expect(created.status).toBe(201);
  const again = await laptop.request('POST', `${cases}/${id}/reports:draft`, draft);
  expect(again.headers['idempotency-replayed']).toBe('true');
  expect(again.body).toEqual(created.body);
  const { Id: submissionId } = created.json as { Id: string };
  const reports = `/v1/experts/reports/${submissionId}`;
  const document = { body: upload(contents.pdf), idempotencyKey: 'document-1' };
  const sent = await laptop.request('POST', `${reports}/documents`, document);
  expect(sent.status).toBe(201);
  const resent = await laptop.request('POST', `${reports}/documents`, document);
  expect(resent.body).toEqual(sent.body);
  expect((await laptop.request('POST', `${reports}/submit`, { idempotencyKey: 's' })).status).toBe(
    200,
  );

  const atPartner = await expert.request('GET', `${reports}/documents`);
  expect(listed(atPartner).Total).toBe(1);
  expect(atPartner.text).toContain(contents.pdf.toString('base64'));
  expect((await laptop.request('GET', `${reports}/documents`)).json).toEqual(atPartner.json);
  // The laptop's next reads see what it did, also with its cursor.
  const since = first.Items[0]?.LastChangedAt ?? '';
  const changed = await laptop.request('GET', `${cases}?lastChangedSince=${since}`);
  expect(listed(changed).Items.map((item) => item.Status)).toEqual(['ExpertCompleted']);
  expect(listed(changed).Items[0]?.LastChangedAt).not.toBe(since);
  const list = await laptop.request('GET', `${cases}/${id}/reports`);
  expect(list.json).toEqual((await expert.request('GET', `${cases}/${id}/reports`)).json);
});

test('gateway: reads cost the partner nothing, also the first of a case, and a document is fetched once', async () => {
  const id = await newCase();
  const path = `/v1/insurers/claims/${id}/documents`;
  const { json } = await insurer.request('POST', path, { body: upload(contents.pdf) });
  const { Id: documentId } = json as { Id: string };
  const expert = await service.partner('expert');
  const drafted = await expert.request('POST', `${cases}/${id}/reports:draft`, {
    body: { Comment: 'Seen.' },
  });
  const report = `/v1/experts/reports/${(drafted.json as { Id: string }).Id}`;
  await expert.request('POST', `${report}/documents`, { body: upload(contents.pdf) });
  await expert.request('POST', `${report}/submit`);
  gateway = await startGateway(service);
  const { db, upstream } = gateway.context;
  const aheadOf = () =>
    db.selectFrom('cases').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
  for (let row = await aheadOf(); row.reports_as_of === null; row = await aheadOf()) await turn();
  // Its regular pull would count as well.
  await gateway.context.pull.stop();
  const [one, other] = [await gateway.laptop(), await gateway.laptop()];
  const costOf = async (read: () => Promise<unknown>) => {
    const before = upstream.counters.requests;
    await read();
    return upstream.counters.requests - before;
  };
  const documents = () => one.request('GET', `${cases}/${id}/documents`);
  expect(await costOf(documents)).toBe(0);
  expect(await costOf(() => one.request('GET', `${cases}/${id}/reports`))).toBe(0);
  const document = `${cases}/${id}/documents/${documentId}`;
  const read = async (laptop: Partner) => [
    await laptop.request('GET', document),
    await laptop.request('GET', `${report}/documents`),
  ];
  const atPartner = await read(expert);
  const first = await read(one);
  expect(first.map((answer) => answer.json)).toEqual(atPartner.map((answer) => answer.json));
  expect(first[1]?.text).toContain(contents.pdf.toString('base64'));
  expect(
    await costOf(async () => {
      const again = await Promise.all([one, other].map(read));
      for (const answers of again) {
        expect(answers.map((answer) => answer.body)).toEqual(first.map((answer) => answer.body));
      }
      expect(listed(await other.request('GET', `${cases}?q=z%C3%BCrcher`)).Total).toBe(1);
      expect((await other.request('GET', `${cases}/${id}`)).status).toBe(200);
    }),
  ).toBe(0);
  const { text } = await send('GET', `${gateway.baseUrl}/metrics`);
  expect(text).toMatch(/^gateway_partner_left_standard \d+/m);
  expect(text).toContain(`gateway_client_turns_total{client="${one.clientId}"} 2`);
});

test('gateway: a list with an item that nobody can read is read from the partner once, not by every laptop', async () => {
  const { Id: id } = await acceptedCase(service, insurer);
  const path = `/v1/insurers/claims/${id}/documents`;
  const added = await insurer.request('POST', path, { body: upload(contents.pdf) });
  expect(added.status).toBe(201);
  await service.context.db.updateTable('claim_documents').set({ size_bytes: -1 }).execute();
  gateway = await startGateway(service);
  const { context } = gateway;
  const { upstream } = context;
  // Its regular pull would count as well.
  await context.pull.stop();
  // Asked within the gateway: over HTTP the test's own check of the contract refuses such a list.
  const caller = { organizationId: '', kind: 'expert', members: 0 } as const;
  const ask = (clientId: string) => refreshed(context, { ...caller, clientId }, id, 'documents');
  const before = upstream.counters.requests;
  await ask('one');
  const read = upstream.counters.requests;
  expect(read).toBeGreaterThan(before);
  for (const clientId of ['other', 'one', 'other']) await ask(clientId);
  expect(upstream.counters.requests).toBe(read);
});

test('gateway: what the partner refuses is passed on; if it is gone, changes are upstream_unavailable', async () => {
  const id = await newCase();
  gateway = await startGateway(service);
  // Its own reading would reach the partner between the failure and the look at /health.
  await gateway.context.pull.stop();
  const laptop = await gateway.laptop();
  const reopen = { body: { Reason: 'A supplement.' }, idempotencyKey: 'reopen' };
  const refused = await laptop.request('POST', `${cases}/${id}:reopen`, reopen);
  expect([refused.status, (refused.json as { title: string }).title]).toEqual([
    400,
    'invalid_state',
  ]);
  await backoffice(service, 'PUT', '/faults', {
    Rules: [{ Method: 'PUT', Path: 'amounts', Effect: 'drop-before' }],
  });
  const amounts = { body: { CostEstimateAmount: 100.5, ApprovedAmount: null } };
  expect(await health()).toMatchObject({ status: 'ok', partner: 'reachable' });
  const lost = await laptop.request('PUT', `${cases}/${id}/amounts`, amounts);
  expect([lost.status, (lost.json as { title: string }).title]).toEqual([
    503,
    'upstream_unavailable',
  ]);
  expect(Number(lost.headers['retry-after'])).toBeGreaterThan(0);
  expect(await health()).toMatchObject({
    status: 'degraded',
    partner: 'unreachable',
    detail: expect.stringContaining('The partner cannot be used: it cannot be reached.') as unknown,
  });
  // Another process of the same store has read the partner since.
  const { db } = gateway.context;
  await writeState(db, 'pulled_at', String(Date.now() + 1000));
  expect(await health()).toMatchObject({ status: 'ok', partner: 'reachable' });
  await backoffice(service, 'PUT', '/faults', { Rules: [] });
  expect((await laptop.request('PUT', `${cases}/${id}/amounts`, amounts)).status).toBe(204);
  const found = (await laptop.request('GET', `${cases}/${id}`)).json;
  expect(found).toMatchObject({ CostEstimateAmount: 100.5, Status: 'InProgress' });
});

test('gateway: /health tells a list that could not be read whole, and knows how often a partner is read', async () => {
  gateway = await startGateway(service);
  await gateway.context.pull.stop();
  const { db } = gateway.context;
  const find = async (findings: object, minutesAgo: number) => {
    await writeState(db, 'pulled_at', String(Date.now() - minutesAgo * 60_000));
    const none = { incomplete: null, ignoresSince: false, longestPage: 0 };
    await writeState(db, 'pull_findings', JSON.stringify({ ...none, ...findings }));
    return health();
  };
  expect(await find({ ignoresSince: true }, 6)).toMatchObject({ status: 'ok' });
  expect(await find({}, 6)).toMatchObject({
    status: 'degraded',
    detail: 'The partner was read 6 minutes ago for the last time.',
  });
  const incomplete = { reason: 'missing', seen: 1, total: 3 };
  expect(await find({ incomplete }, 0)).toMatchObject({
    status: 'degraded',
    detail: 'The partner’s list of cases could not be read whole; the log says why.',
  });
});

test('gateway: a change whose laptop went away before its turn is not sent after a later one', async () => {
  const id = await newCase();
  gateway = await startGateway(service);
  const { upstream } = gateway.context;
  const laptop = await gateway.laptop();
  // The partner asks to wait for a second.
  const wait = { Effect: 'status', Status: 429, Title: 'rate_limited', Times: 1 };
  await backoffice(service, 'PUT', '/faults', { Rules: [{ Method: 'PUT', ...wait }] });
  const comment = (text: string, signal?: AbortSignal) =>
    laptop.request('PUT', `${cases}/${id}/expert-comment`, {
      body: { Text: text },
      ...(signal && { signal }),
    });
  const away = new AbortController();
  const lost = comment('first', away.signal).catch(() => 'lost');
  while (upstream.turns.standard.waiting() === 0) await turn();
  away.abort();
  expect(await lost).toBe('lost');
  expect((await comment('second')).status).toBe(204);
  const events = await backoffice(service, 'GET', `/claims/${id}/events`);
  const changes = (events.json as { Name: string }[]).filter(
    ({ Name }) => Name === 'expert_comment_changed',
  );
  expect(changes).toHaveLength(1);
  const expert = await service.partner('expert');
  const found = await expert.request('GET', `${cases}/${id}`);
  expect(found.json).toMatchObject({ ExpertComment: 'second' });
});

test('gateway: a partner that is away, none, or does not know the office is said at the first start, and nothing stays', async () => {
  const { expert } = service.credentials;
  const directory = join(tmpdir(), `no-gateway-${randomUUID()}`);
  for (const [partner, reason] of [
    [{ baseUrl: 'http://127.0.0.1:1' }, 'cannot be reached'],
    // A server that is no partner: it has no such path.
    [{ baseUrl: `${service.baseUrl}/elsewhere` }, 'no partner API|refuses'],
    [{ clientId: 'somebody-else' }, 'does not know the client id'],
  ] as const) {
    const starting = runGateway({
      directory,
      partner: {
        baseUrl: service.baseUrl,
        audience: service.context.address.audience,
        clientId: expert.clientId,
        privateKey: createPrivateKey(expert.privateKeyPem),
        ...partner,
      },
      visibility: 'all',
      clock: machineClock,
      log: createMemoryLog().log,
      listen: { host: '127.0.0.1', port: 0 },
    });
    await expect(starting).rejects.toThrow(new RegExp(`partner at .* cannot be used.*(${reason})`));
    expect(existsSync(directory)).toBe(false);
  }
});

test('gateway: the example client works against the service and against the gateway', async () => {
  const { audience } = service.context.address;
  const { expert } = service.credentials;
  gateway = await startGateway(service);
  const { code } = await createCode(gateway.context.db, machineClock, {
    name: 'Billing',
    isDispatcher: false,
  });
  const { publicPem, privatePem } = newKey();
  const enrolled = (await enrol(gateway.baseUrl, code, publicPem)).json as Record<string, string>;
  const atGateway = {
    baseUrl: enrolled['BaseUrl'] ?? '',
    audience: enrolled['Audience'] ?? '',
    expert: { clientId: enrolled['ClientId'] ?? '', privateKeyPem: privatePem },
  };
  for (const credentials of [{ baseUrl: service.baseUrl, audience, expert }, atGateway]) {
    const id = await newCase();
    await gateway.context.pull.now();
    const client = await openClient(credentials, credentials.expert);
    const draft = () =>
      client.request('POST', `${cases}/${id}/reports:draft`, { Comment: 'Seen.' }, `key ${id}`);
    expect((await draft()).status).toBe(201);
    expect((await draft()).headers.get('idempotency-replayed')).toBe('true');
    const found = await client.request('GET', `${cases}?q=z%C3%BCrcher`);
    expect(await found.text()).toContain(id);
  }
  const file = join(gateway.directory, 'credentials.json');
  writeFileSync(file, JSON.stringify(atGateway));
  const program = join(import.meta.dirname, '../../../docs/example-client.ts');
  const run = (...words: string[]) => promisify(execFile)('node', [program, file, ...words]);
  expect((await run('expert', 'GET', cases)).stdout).toContain('"Total":2');
  expect((await run('expert', 'GET', cases, 'headers')).stdout).toMatch(
    /^authorization: DPoP .+\ndpop: .+$/,
  );
});

test('gateway: a command ends well if its reader has read enough', async () => {
  gateway = await startGateway(service);
  const database = databaseOf(gateway.directory);
  const store = database ? ['--database', database.url] : ['--data', gateway.directory];
  const args = ['main/gateway/server.ts', 'enrol', '--name', 'L', ...store];
  const child = endsWithTests(
    spawn(process.execPath, args, { cwd: join(import.meta.dirname, '../../..') }),
  );
  child.stdout.destroy();
  const [stderr] = await Promise.all([text(child.stderr), once(child, 'exit')]);
  expect([child.exitCode, stderr]).toEqual([0, '']);
});

test('gateway: processes take turns, and the turn of one that died is taken', async () => {
  gateway = await startGateway(service);
  const { db } = gateway.context;
  const claim = (nowMs: number) => claimTurn(db, 'turn', nowMs, 30_000);
  expect(await Promise.all([claim(100_000), claim(100_000)])).toEqual([true, false]);
  expect([await claim(129_999), await claim(130_000), await claim(130_001)]).toEqual([
    false,
    true,
    false,
  ]);
});

test('gateway: a code enrols nobody after a day; a revoked laptop is out at once', async () => {
  gateway = await startGateway(service);
  const { db } = gateway.context;
  const dayAgo = { ...machineClock, now: () => Date.now() - 25 * 3_600_000 };
  const old = await createCode(db, dayAgo, { name: 'L', isDispatcher: false });
  expect((await enrol(gateway.baseUrl, old.code, newKey().publicPem)).status).toBe(403);

  const laptop = await gateway.laptop();
  expect((await laptop.request('GET', cases)).status).toBe(200);
  await revokeClient(db, machineClock, laptop.clientId);
  expect((await laptop.request('GET', cases)).status).toBe(401);
  await expect(laptop.freshToken()).rejects.toThrow('invalid_client');
});

test('gateway: a case of another client is told apart from no other organization’s', async () => {
  const [mine, others] = [await newCase(), await newCase()];
  gateway = await startGateway(service, { visibility: 'assigned' });
  const { db } = gateway.context;
  const laptop = await gateway.laptop();
  const dispatcher = await gateway.laptop(true);
  expect(listed(await laptop.request('GET', cases)).Total).toBe(0);
  const assignment = { caseId: mine, clientId: laptop.clientId, isRemoved: false };
  expect(await assignCase(db, machineClock, assignment)).toBe(true);
  expect(listed(await laptop.request('GET', cases)).Items.map((item) => item.Id)).toEqual([mine]);
  expect(listed(await dispatcher.request('GET', cases)).Total).toBe(2);
  const amounts = { body: { CostEstimateAmount: 1, ApprovedAmount: null } };
  for (const [method, path, request] of [
    ['GET', '', {}],
    ['GET', '/documents', {}],
    ['GET', '/reports', {}],
    ['PUT', '/amounts', amounts],
  ] as const) {
    const answer = await laptop.request(method, `${cases}/${others}${path}`, request);
    expect([answer.status, answer.json]).toMatchObject([403, { title: 'forbidden' }]);
  }
  const stranger = await service.partner('otherExpert');
  const foreign = await stranger.request('GET', `${cases}/${others}`);
  const hidden = await laptop.request('GET', `${cases}/${others}`);
  expect({ ...(hidden.json as object), instance: '' }).toEqual({
    ...(foreign.json as object),
    instance: '',
  });
});

test('gateway: a submission that nobody knows costs the partner no request', async () => {
  await newCase();
  for (const visibility of ['all', 'assigned'] as const) {
    gateway = await startGateway(service, { visibility });
    const { upstream, pull } = gateway.context;
    const laptop = await gateway.laptop();
    await pull.stop();
    const before = upstream.counters.requests;
    const path = `/v1/experts/reports/${randomUUID()}`;
    const document = { FileName: 'a.txt', ContentType: 'text/plain', ContentBase64: 'eA==' };
    for (const [method, rest, request] of [
      ['GET', '/documents', {}],
      ['POST', '/documents', { body: document }],
      ['DELETE', `/documents/${randomUUID()}`, {}],
      ['POST', '/submit', {}],
    ] as const) {
      const answer = await laptop.request(method, path + rest, request);
      expect([rest, answer.status, answer.json]).toMatchObject([rest, 404, { title: 'not_found' }]);
    }
    expect(upstream.counters.requests).toBe(before);
    await gateway.remove();
    gateway = undefined;
  }
});

test('gateway: a change of a case that moves to another while it waits is refused, and not sent', async () => {
  const id = await newCase();
  const pauses = createPauses();
  gateway = await startGateway(service, { visibility: 'assigned', clock: pauses.clock });
  const { upstream, db } = gateway.context;
  const laptop = await gateway.laptop();
  const assignment = { caseId: id, clientId: laptop.clientId, isRemoved: false };
  await assignCase(db, machineClock, assignment);
  const wait = { Effect: 'status', Status: 429, Title: 'rate_limited', Times: 1 };
  await backoffice(service, 'PUT', '/faults', { Rules: [{ Method: 'PUT', ...wait }] });
  const comment = (text: string) =>
    laptop.request('PUT', `${cases}/${id}/expert-comment`, { body: { Text: text } });
  // The partner makes the first wait, and the second waits behind it.
  pauses.stop();
  const first = comment('first');
  while (upstream.counters.throttled === 0) await turn();
  const second = laptop.request('PUT', `${cases}/${id}/amounts`, {
    body: { CostEstimateAmount: 1, ApprovedAmount: null },
  });
  while (upstream.turns.standard.waiting() < 2) await turn();
  await assignCase(db, machineClock, { ...assignment, isRemoved: true });
  pauses.end();
  const refused = await second;
  expect([refused.status, refused.json]).toMatchObject([403, { title: 'forbidden' }]);
  await first;
  const expert = await service.partner('expert');
  const found = await expert.request('GET', `${cases}/${id}`);
  expect(found.json).toMatchObject({ CostEstimateAmount: null });
});

test('gateway: a change waits for the one before it of the same value, and is sent though that one fails', async () => {
  const id = await newCase();
  const pauses = createPauses();
  gateway = await startGateway(service, { clock: pauses.clock });
  const { upstream, jtis } = gateway.context;
  const laptop = await gateway.laptop();
  await laptop.token();
  const admitted = vi.spyOn(jtis, 'use');
  // The first is repeated after a pause. It is refused then, but may have run before.
  const Rules = [
    { Method: 'PUT', Effect: 'drop-before', Times: 1 },
    { Method: 'PUT', Effect: 'status', Status: 400, Title: 'invalid_request', Times: 1 },
  ];
  await backoffice(service, 'PUT', '/faults', { Rules });
  const comment = (text: string) =>
    laptop.request('PUT', `${cases}/${id}/expert-comment`, { body: { Text: text } });
  const sent = upstream.counters.requests;
  pauses.stop();
  const first = comment('first');
  while (upstream.counters.requests === sent) await turn();
  const second = comment('second');
  while (admitted.mock.calls.length < 2) await turn();
  // If it were not behind the first, it would be sent now.
  for (let number = 0; number < 1000; number += 1) await turn();
  pauses.end();
  expect([(await first).status, (await second).status]).toEqual([503, 204]);
});

test('gateway: a device whose key is replaced while its change waits sends nothing', async () => {
  const id = await newCase();
  const pauses = createPauses();
  gateway = await startGateway(service, { clock: pauses.clock });
  const { upstream, db } = gateway.context;
  const laptop = await gateway.laptop();
  const wait = { Effect: 'status', Status: 429, Title: 'rate_limited', Times: 1 };
  await backoffice(service, 'PUT', '/faults', { Rules: [{ Method: 'PUT', ...wait }] });
  pauses.stop();
  // Another's change, which the partner makes wait.
  const first = (await gateway.laptop()).request('PUT', `${cases}/${id}/expert-comment`, {
    body: { Text: 'first' },
  });
  while (upstream.counters.throttled === 0) await turn();
  const second = laptop.request('PUT', `${cases}/${id}/amounts`, {
    body: { CostEstimateAmount: 1, ApprovedAmount: null },
  });
  while (upstream.turns.standard.waiting() < 2) await turn();
  const renewal = { name: 'Laptop', isDispatcher: false, clientId: laptop.clientId };
  const { code } = await createCode(db, machineClock, renewal);
  expect((await enrol(gateway.baseUrl, code, newKey().publicPem)).status).toBe(201);
  pauses.end();
  const refused = await second;
  expect([refused.status, refused.json]).toMatchObject([401, { title: 'unauthorized' }]);
  expect((await first).status).toBe(204);
  const expert = await service.partner('expert');
  const found = await expert.request('GET', `${cases}/${id}`);
  expect(found.json).toMatchObject({ ExpertComment: 'first', CostEstimateAmount: null });
});

test('gateway: an answer about another case is none', () => {
  const answer = { Id: randomUUID(), Status: 'Accepted' };
  const { data } = partnerCaseOf(answer.Id.toUpperCase()).safeParse(answer);
  expect(data).toMatchObject({ raw: answer, fields: { Id: answer.Id, Status: 'Accepted' } });
  const { error } = partnerCaseOf(randomUUID()).safeParse(answer);
  expect(error?.issues).toMatchObject([{ path: ['Id'] }]);
});
