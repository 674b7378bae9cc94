import { randomUUID } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { json, problem } from '../../../support/partner/hostile-server.ts';
import { startGateway, type GatewayForTest } from '../support/gateway.ts';
import { startOddPartner, type OddPartner } from '../support/odd-partner.ts';

/* What devices read through the gateway, and how often the partner is asked for it. */

const [one, two, foreign] = [randomUUID(), randomUUID(), randomUUID()];
let partner: OddPartner;
let gateway: GatewayForTest;
let device: Awaited<ReturnType<GatewayForTest['laptop']>>;

beforeAll(async () => {
  partner = await startOddPartner(one, two, foreign);
  gateway = await startGateway(partner, { visibility: 'assigned' });
  await gateway.context.pull.stop();
  device = await gateway.laptop();
  const assigned = [one, two].map((case_id) => ({ case_id, client_id: device.clientId }));
  await gateway.context.db.insertInto('assignments').values(assigned).execute();
  await device.token();
});
afterAll(async () => {
  await gateway.remove();
  await partner.stop();
});
beforeEach(async () => {
  partner.forget();
  // The gateway has read ahead.
  const { db } = gateway.context;
  for (const list of ['documents', 'reports'] as const) await db.deleteFrom(list).execute();
  await db.updateTable('cases').set({ documents_as_of: null, reports_as_of: null }).execute();
  partner.seen.length = 0;
});
afterEach(() => vi.restoreAllMocks());

const documents = (caseId: string) => `/v1/experts/cases/${caseId}/documents`;
const document = (Id: string, more: object = {}) => ({
  Id,
  FileName: `${Id}.txt`,
  ContentType: 'text/plain',
  SizeBytes: 3,
  CreatedAt: '2026-03-01T10:00:00.000Z',
  ...more,
});
const listOf = (...Items: readonly object[]) =>
  json(200, { Total: Items.length, Page: 1, Size: 200, Items });
const content = (Id: string) => json(200, document(Id, { ContentBase64: 'YWJj' }));
/** A new document of a case, which the gateway has listed. */
async function listed(caseId: string): Promise<string> {
  const id = randomUUID();
  partner.next(listOf(document(id)));
  expect((await device.request('GET', documents(caseId))).status).toBe(200);
  return id;
}
const turn = () => new Promise((resolve) => setImmediate(resolve));
const askedFor = (path: string) => partner.seen.filter(({ url }) => url === path).length;

test('X7: one that two devices ask for at once is fetched once', async () => {
  const id = await listed(one);
  const path = `${documents(one)}/${id}`;
  partner.next(content(id));
  const answers = await Promise.all([device.request('GET', path), device.request('GET', path)]);
  expect(answers.map(({ json: found }) => found)).toMatchObject([
    { Id: id, ContentBase64: 'YWJj' },
    { Id: id, ContentBase64: 'YWJj' },
  ]);
  expect(askedFor(path)).toBe(1);
});

test('X7: those who waited for a fetch that failed fetch it once more', async () => {
  const id = await listed(two);
  const path = `${documents(two)}/${id}`;
  const admitted = vi.spyOn(gateway.context.jtis, 'use');
  const refuse = async (...args: Parameters<ReturnType<typeof problem>>) => {
    while (admitted.mock.calls.length < 3) await turn();
    // They have found that the document is being fetched.
    for (let number = 0; number < 100; number += 1) await turn();
    await problem(403, 'forbidden')(...args);
  };
  partner.next(refuse, content(id));
  const answers = await Promise.all([1, 2, 3].map(() => device.request('GET', path)));
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 200, 403]);
  expect(askedFor(path)).toBe(2);
});

test('X7: a stored one is read without the partner, and one that is not listed yet is looked for there', async () => {
  const id = randomUUID();
  partner.next(listOf(document(id)), content(id));
  const path = `${documents(one)}/${id}`;
  const whole = { Id: id, FileName: `${id}.txt`, ContentBase64: 'YWJj' };
  expect((await device.request('GET', path)).json).toMatchObject(whole);
  expect(partner.seen.map(({ url }) => url.split('?')[0])).toEqual([documents(one), path]);
  // Its list is not read for it, although its case may have changed.
  await gateway.context.db.updateTable('cases').set({ documents_as_of: null }).execute();
  expect((await device.request('GET', path)).json).toMatchObject(whole);
  expect(partner.seen).toHaveLength(2);
});

test('X7: one that no list has, or that is of another case, is not found', async () => {
  const id = await listed(one);
  for (const [caseId, documentId] of [
    [one, randomUUID()],
    [two, id],
  ] as const) {
    if (caseId === two) partner.next(listOf());
    const answer = await device.request('GET', `${documents(caseId)}/${documentId}`);
    expect([answer.status, answer.json]).toMatchObject([
      404,
      { title: 'not_found', detail: 'The case has no such document.' },
    ]);
  }
});

const reports = (caseId: string) => `/v1/experts/cases/${caseId}/reports`;
const report = (Id: string, caseId: string, Status = 'Draft') => ({
  Id,
  ClaimId: caseId,
  SequenceNo: 1,
  RevisionNo: 2,
  Status,
  Comment: 'Seen.',
  SubmittedAt: null,
  CreatedAt: '2026-03-01T10:00:00.000Z',
  UpdatedAt: '2026-03-01T10:00:00.000Z',
});

test('X10 and X11: the list has the revision and the submission has not, each of its case alone', async () => {
  const id = randomUUID();
  const whole = report(id, one);
  const { RevisionNo: _, ...single } = whole;
  partner.next(listOf(whole));
  expect((await device.request('GET', reports(one))).json).toMatchObject({
    Total: 1,
    Items: [whole],
  });
  expect((await device.request('GET', `${reports(one)}/${id}`)).json).toEqual(single);
  expect(partner.seen).toHaveLength(1);
  partner.next(listOf());
  for (const path of [`${reports(two)}/${id}`, `${reports(one)}/${randomUUID()}`]) {
    const answer = await device.request('GET', path);
    expect([answer.status, answer.json]).toMatchObject([
      404,
      { title: 'not_found', detail: 'There is no such submission.' },
    ]);
  }
});

test('X6 and X10: pages are answered from the store, and a list with a gap counts one more', async () => {
  const ids = [randomUUID(), randomUUID()];
  partner.next(listOf(...ids.map((id) => document(id))));
  const first = await device.request('GET', `${documents(one)}?page=1&size=1`);
  const second = await device.request('GET', `${documents(one)}?page=2&size=1`);
  expect([first.json, second.json]).toMatchObject([
    { Total: 2, Page: 1, Size: 1, Items: [{ Id: ids[0] }] },
    { Total: 2, Page: 2, Size: 1, Items: [{ Id: ids[1] }] },
  ]);
  expect(partner.seen).toHaveLength(1);
  for (const [list, item] of [
    [documents, document(randomUUID())],
    [reports, report(randomUUID(), two)],
  ] as const) {
    partner.next(json(200, { Total: 2, Page: 1, Size: 200, Items: [item] }), listOf());
    expect((await device.request('GET', list(two))).json).toMatchObject({
      Total: 2,
      Items: [item],
    });
  }
});

test('every read of a case that a device may not see is refused, and asks the partner nothing', async () => {
  const { db } = gateway.context;
  const submission = await reported(foreign, 'Submitted');
  const stored = document(randomUUID());
  await db
    .insertInto('documents')
    .values({
      id: stored.Id,
      case_id: foreign,
      position: 0,
      body_json: JSON.stringify(stored),
      size_bytes: 3,
      content_id: null,
    })
    .execute();
  for (const path of [
    `/v1/experts/cases/${foreign}`,
    `${documents(foreign)}/${stored.Id}`,
    documents(foreign),
    `${documents(foreign)}/${randomUUID()}`,
    reports(foreign),
    `${reports(foreign)}/${submission}`,
    `/v1/experts/reports/${submission}/documents`,
  ]) {
    const answer = await device.request('GET', path);
    expect([path, answer.status, answer.json]).toMatchObject([path, 403, { title: 'forbidden' }]);
  }
  const unknown = await device.request('GET', `/v1/experts/reports/${randomUUID()}/documents`);
  expect([unknown.status, unknown.json]).toMatchObject([
    404,
    { title: 'not_found', detail: 'There is no such submission.' },
  ]);
  expect(partner.seen).toEqual([]);
});

test('X1: the cases of a device are listed from the store', async () => {
  const answer = await device.request('GET', '/v1/experts/cases?size=5');
  const { Items, ...envelope } = answer.json as { Items: { Id: string }[] };
  expect(envelope).toMatchObject({ Total: 2, Page: 1, Size: 5 });
  expect(Items.map(({ Id }) => Id).toSorted()).toEqual([one, two].toSorted());
  expect(partner.seen).toEqual([]);
});

test('X2: a case is answered from the store, with the time of its change', async () => {
  const { db } = gateway.context;
  const row = await db
    .selectFrom('cases')
    .selectAll()
    .where('id', '=', one)
    .executeTakeFirstOrThrow();
  const answer = await device.request('GET', `/v1/experts/cases/${one}`);
  expect(answer.json).toEqual({
    ...(JSON.parse(row.body_json) as object),
    LastChangedAt: new Date(row.changed_at).toISOString(),
  });
  expect(partner.seen).toEqual([]);
});

const submitted = (id: string) => `/v1/experts/reports/${id}/documents`;

/** A submission that the gateway has listed. */
async function reported(case_id: string, Status: string): Promise<string> {
  const id = randomUUID();
  const body_json = JSON.stringify({ Status });
  await gateway.context.db
    .insertInto('reports')
    .values({ id, case_id, position: 0, body_json })
    .execute();
  return id;
}

/** A page of the documents of a submission. */
const pageOf = (submissionId: string) =>
  json(200, {
    Total: 1,
    Page: 2,
    Size: 7,
    Items: [
      document(randomUUID(), {
        SubmissionId: submissionId,
        ClaimId: one,
        Kind: 'other',
        IsSalvageSale: false,
        ContentBase64: 'YWJj',
      }),
    ],
  });

test('X12: a page of a report that was submitted is asked for once, with its bytes', async () => {
  const id = await reported(one, 'Submitted');
  partner.next(pageOf(id));
  const path = `${submitted(id)}?page=2&size=7`;
  const first = await device.request('GET', path);
  expect(first.json).toMatchObject({ Items: [{ SubmissionId: id, ContentBase64: 'YWJj' }] });
  expect((await device.request('GET', path)).body).toEqual(first.body);
  expect(partner.seen.map(({ url }) => url)).toEqual([path]);
});

test.each(['Draft', 'Submitted'])(
  'X12: a page that the partner compresses arrives whole, of a report that is %s',
  async (Status) => {
    const id = await reported(one, Status);
    const page = { Total: 1, Page: 1, Size: 7, Items: [], Padding: 'x'.repeat(500) };
    const bytes = gzipSync(JSON.stringify(page));
    partner.next((response) => {
      const headers = { 'content-encoding': 'gzip', 'content-length': bytes.length };
      response.writeHead(200, { 'content-type': 'application/json', ...headers }).end(bytes);
    });
    const answer = await device.request('GET', `${submitted(id)}?page=1&size=7`);
    expect([answer.status, answer.json]).toEqual([200, page]);
  },
);

test('X12: what the partner refuses is passed on', async () => {
  const id = await reported(one, 'Draft');
  partner.next(problem(403, 'forbidden'));
  const answer = await device.request('GET', submitted(id));
  expect([answer.status, answer.json]).toMatchObject([403, { title: 'forbidden' }]);
});

test('X12: a page is kept for its number, its size and its report, and only while that is no draft', async () => {
  const id = await reported(one, 'Draft');
  const { db } = gateway.context;
  const become = (Status: string) =>
    db
      .updateTable('reports')
      .set({ body_json: JSON.stringify({ Status }) })
      .where('id', '=', id)
      .execute();
  /** The id of the document that the page has; the partner answers each request with another one. */
  const read = async (query: string) => {
    partner.forget();
    partner.next(pageOf(id));
    const { json: found } = await device.request('GET', `${submitted(id)}?${query}`);
    return (found as { Items: { Id: string }[] }).Items[0]?.Id;
  };
  const ofDraft = await read('page=1&size=7');
  await become('Submitted');
  const first = await read('page=1&size=7');
  expect(first).not.toBe(ofDraft);
  expect(await read('page=1&size=7')).toBe(first);
  const others = [await read('page=2&size=7'), await read('page=1&size=8')];
  expect(new Set([first, ...others]).size).toBe(3);
  expect([await read('page=2&size=7'), await read('page=1&size=8')]).toEqual(others);
  // At a partner that was restored from a backup.
  await become('Draft');
  expect(await read('page=1&size=7')).not.toBe(first);
});

test.each(['documents', 'reports'])(
  'a device whose case is taken away while the %s are read gets none of them',
  async (list) => {
    const { db } = gateway.context;
    const row = { case_id: one, client_id: device.clientId };
    partner.next(async (...args) => {
      await db.deleteFrom('assignments').where('case_id', '=', one).execute();
      await listOf()(...args);
    });
    const { status } = await device.request('GET', `/v1/experts/cases/${one}/${list}`);
    await db.insertInto('assignments').values(row).execute();
    expect([status, partner.seen.length]).toEqual([403, 1]);
  },
);

test('X7: a device whose case is taken away while it waits for another fetch gets nothing', async () => {
  const id = await listed(one);
  const path = `${documents(one)}/${id}`;
  const { db } = gateway.context;
  const admitted = vi.spyOn(gateway.context.jtis, 'use');
  partner.next(async (...args) => {
    while (admitted.mock.calls.length < 2) await turn();
    // The second device has found that the document is being fetched.
    for (let number = 0; number < 100; number += 1) await turn();
    await db.deleteFrom('assignments').where('case_id', '=', one).execute();
    await content(id)(...args);
  });
  const answers = await Promise.all([device.request('GET', path), device.request('GET', path)]);
  await db.insertInto('assignments').values({ case_id: one, client_id: device.clientId }).execute();
  expect(answers.map(({ status }) => status).toSorted()).toEqual([403, 403]);
});

test.each([
  ['a document', async () => `${documents(one)}/${await listed(one)}`],
  ['the documents of a draft', async () => submitted(await reported(one, 'Draft'))],
  ['the documents of a report', async () => submitted(await reported(one, 'Submitted'))],
])('a device whose case is taken away while %s is awaited gets nothing of it', async (_, make) => {
  const path = await make();
  const { db } = gateway.context;
  partner.seen.length = 0;
  partner.next(async (...args) => {
    await db.deleteFrom('assignments').where('case_id', '=', one).execute();
    const answer = path.startsWith(documents(one)) ? content : pageOf;
    await answer(path.split('/').at(-1) ?? '')(...args);
  });
  const { status } = await device.request('GET', path);
  await db.insertInto('assignments').values({ case_id: one, client_id: device.clientId }).execute();
  expect([status, partner.seen.length]).toEqual([403, 1]);
});

test('X1: a dispatcher whose right ends while the list waits for the partner sees no other case', async () => {
  const { db } = gateway.context;
  const setDispatcher = (dispatcher: number) =>
    db
      .updateTable('clients')
      .set({ dispatcher })
      .where('client_id', '=', device.clientId)
      .execute();
  await setDispatcher(1);
  const [hidden] = await db.selectFrom('cases').selectAll().where('id', '=', foreign).execute();
  expect(hidden?.delisted).toBe(0);
  const { upstream } = gateway.context;
  const read = upstream.read.bind(upstream);
  vi.spyOn(upstream, 'read').mockImplementationOnce(async (...args) => {
    await setDispatcher(0);
    return read(...args);
  });
  const path = '/v1/experts/cases?completedFrom=2026-01-01T00:00:00Z';
  const { json: found } = await device.request('GET', path);
  expect(found).toMatchObject({ Total: 2 });
});
