import { beforeEach, expect, test } from 'vitest';
import { contentOf, storeContent } from '#main/front/contents/contents.ts';
import { partnerCase, storeCases } from '#main/gateway/reading/store-cases.ts';
import { readList, storeSubmission, type ListName } from '#main/gateway/reading/store-lists.ts';
import type { Upstream } from '#main/gateway/upstream.ts';
import { openChange } from '#main/gateway/writing/open-changes.ts';
import { machineClock } from '../../service/support/fake-clock.ts';
import { shareGatewayStore } from '../support/store.ts';

/* The stored lists of a case: a laptop gets what the partner listed. */

const caseId = '0b8c2b9e-5c38-4d0a-8a75-0a3a7f3b2c11';
const other = '7d1f0c52-3f0e-4b1a-9d57-5a1e2b0c4d66';
const changedAt = '2026-03-01T10:00:00.000Z';

const store = shareGatewayStore();
/** The partner's answers, page after page. */
let pages: readonly object[];
/** What happens before an answer. */
let meanwhile: () => Promise<unknown>;
let asked: object[];

const upstream: Pick<Upstream, 'read'> = {
  async read(asker, schema, what) {
    await meanwhile();
    asked.push({ asker, ...what });
    const value = schema.parse(pages[asked.length - 1]);
    return { value, status: 200, correlationId: '', serverDateMs: null };
  },
};

beforeEach(async () => {
  asked = [];
  meanwhile = () => Promise.resolve();
  const cases = [caseId, other].map((Id) =>
    partnerCase.parse({ Id, Status: 'Accepted', LastChangedAt: changedAt, PayloadJson: '{}' }),
  );
  await store()
    .db.transaction()
    .execute((db) => storeCases(db, machineClock, cases, machineClock.now()));
});

const rowOf = (id: string) =>
  store().db.selectFrom('cases').selectAll().where('id', '=', id).executeTakeFirstOrThrow();

const page = (items: readonly unknown[], more: object = {}) => ({
  Total: items.length,
  Items: items,
  ...more,
});

/** Reads a list of which these are the pages. */
async function read(list: ListName, ...answers: readonly object[]) {
  asked = [];
  pages = answers;
  return readList({ db: store().db, upstream }, 'laptop', await rowOf(caseId), list);
}

const document = (id: string, more: object = {}) => ({
  Id: id,
  FileName: `${id}.pdf`,
  ContentType: 'application/pdf',
  SizeBytes: 3,
  Sha256: 'a'.repeat(64),
  CreatedAt: changedAt,
  ...more,
});
const report = (id: string, more: object = {}) => ({
  Id: id,
  ClaimId: caseId,
  SequenceNo: 1,
  RevisionNo: 1,
  Status: 'Draft',
  Comment: 'A comment.',
  SubmittedAt: null,
  CreatedAt: changedAt,
  UpdatedAt: changedAt,
  ...more,
});

/** The stored items of a list, as laptops get them. */
async function listed(list: ListName, of = caseId): Promise<unknown[]> {
  const rows = await store()
    .db.selectFrom(list)
    .select('body_json')
    .where('case_id', '=', of)
    .orderBy('position')
    .execute();
  return rows.map(({ body_json: json }): unknown => JSON.parse(json));
}

async function keepContent(id: string): Promise<string> {
  await storeContent(store().db, contentOf(id, Buffer.from('abc')), 0);
  return id;
}
const contents = async () =>
  (await store().db.selectFrom('contents').select('id').execute()).map(({ id }) => id);

test.each(['documents', 'reports'] as const)(
  'list: the %s are stored as they are listed, and count as read',
  async (list) => {
    const item = list === 'documents' ? document : report;
    const whole = page([item('b', { Unknown: [1] }), item('a')]);
    expect(await read(list, whole)).toBe('whole');
    expect(await listed(list)).toEqual(whole.Items);
    expect(await rowOf(caseId)).toMatchObject({ [`${list}_as_of`]: changedAt });
    expect(await rowOf(other)).toMatchObject({ documents_as_of: null, reports_as_of: null });
    const operation = list === 'documents' ? 'X6' : 'X10';
    const query = { page: '1', size: '200' };
    expect(asked).toEqual([{ asker: { client: 'laptop' }, operation, params: { caseId }, query }]);
    expect(await read(list, page([item('a'), item('b')]))).toBe('whole');
    expect(await listed(list)).toEqual([item('a'), item('b')]);
  },
);

test('list: it is read to its end, without the contents', async () => {
  const one = document('a', { ContentBase64: 'YWJj' });
  const [first, second] = [page([one], { Total: 2 }), page([document('b')], { Total: 2 })];
  expect(await read('documents', first, second)).toBe('whole');
  expect(await listed('documents')).toEqual([document('a'), document('b')]);
  const sizes = await store().db.selectFrom('documents').select('size_bytes').execute();
  expect(sizes).toEqual([{ size_bytes: 3 }, { size_bytes: 3 }]);
});

test('list: a document that is listed again keeps its content, and one that is gone loses it', async () => {
  await read('documents', page([document('a'), document('b')]));
  for (const id of ['a', 'b']) {
    const content_id = await keepContent(`content ${id}`);
    await store().db.updateTable('documents').set({ content_id }).where('id', '=', id).execute();
  }
  await store()
    .db.insertInto('documents')
    .values({
      id: 'c',
      case_id: other,
      position: 0,
      body_json: '{}',
      size_bytes: 0,
      content_id: null,
    })
    .execute();
  expect(await read('documents', page([document('b')]))).toBe('whole');
  expect(await listed('documents')).toEqual([document('b')]);
  expect(await listed('documents', other)).toEqual([{}]);
  expect(await contents()).toEqual(['content b']);
  const kept = store().db.selectFrom('documents').select('content_id').where('id', '=', 'b');
  expect(await kept.execute()).toEqual([{ content_id: 'content b' }]);
});

test('list: a document that the partner replaced under its id is fetched again', async () => {
  await read('documents', page([document('a'), document('b'), document('c')]));
  for (const id of ['a', 'b']) {
    const content_id = await keepContent(`content ${id}`);
    // The content has another size than the partner states, which does not make it another one.
    await store()
      .db.updateTable('documents')
      .set({ content_id, size_bytes: 5 })
      .where('id', '=', id)
      .execute();
  }
  const renamed = document('a', { FileName: 'new.pdf' });
  await read('documents', page([renamed, document('b', { SizeBytes: 4 }), document('c')]));
  expect(await contents()).toEqual(['content a']);
  const kept = store().db.selectFrom('documents').select('content_id').orderBy('id');
  expect(await kept.execute()).toEqual([
    { content_id: 'content a' },
    { content_id: null },
    { content_id: null },
  ]);
});

async function keepPage(submission_id: string): Promise<void> {
  const content_id = await keepContent(`page ${submission_id}`);
  await store()
    .db.insertInto('report_pages')
    .values({ submission_id, page: 1, size: 50, size_bytes: 3, content_id })
    .execute();
}

test('list: the stored documents of a report that is a draft again, at a restored partner, are deleted', async () => {
  for (const id of ['a', 'b']) await keepPage(id);
  await read('reports', page([report('a', { Status: 'Submitted' }), report('b')]));
  expect(await contents()).toEqual(['page a']);
  const left = await store().db.selectFrom('report_pages').select('submission_id').execute();
  expect(left).toEqual([{ submission_id: 'a' }]);
});

test('list: the stored documents of a report go with it', async () => {
  const submitted = (id: string) => report(id, { Status: 'Submitted' });
  await read('reports', page([submitted('a'), submitted('b')]));
  for (const id of ['a', 'b']) await keepPage(id);
  // Ids of documents and of reports have nothing to do with each other.
  await read('documents', page([document('b')]));
  await read('documents', page([]));
  expect(await contents()).toEqual(['page a', 'page b']);
  expect(await read('reports', page([submitted('b')]))).toBe('whole');
  expect(await contents()).toEqual(['page b']);
  const left = await store().db.selectFrom('report_pages').select('submission_id').execute();
  expect(left).toEqual([{ submission_id: 'b' }]);
});

test('list: nothing is stored if a change of the case was sent during the reading', async () => {
  await read('reports', page([report('a')]));
  const before = await rowOf(caseId);
  meanwhile = () => openChange(store().db, { caseId, now: 1 });
  expect(await read('reports', page([]))).toBe('overtaken');
  expect(await listed('reports')).toEqual([report('a')]);
  expect((await rowOf(caseId)).latest_change).not.toBe(before.latest_change);
  // A change of another case changes nothing here.
  meanwhile = () => openChange(store().db, { caseId: other, now: 1 });
  expect(await read('reports', page([]))).toBe('whole');
  expect(await listed('reports')).toEqual([]);
});

test('list: while a change of the case is open, its lists do not count as read', async () => {
  await openChange(store().db, { caseId, now: 1 });
  expect(await read('reports', page([report('a')]))).toBe('whole');
  expect(await listed('reports')).toEqual([report('a')]);
  expect((await rowOf(caseId)).reports_as_of).toBeNull();
});

test('list: an item that only the laptop can judge is passed on, and the list does not count as read', async () => {
  const odd = document('b', { SizeBytes: -1 });
  expect(await read('documents', page([document('a'), odd]))).toBe('unreadable');
  expect(await listed('documents')).toEqual([document('a'), odd]);
  expect((await rowOf(caseId)).documents_as_of).toBeNull();
});

test('list: one without a usable id is passed on too, so that no laptop takes the list for whole', async () => {
  const { Id: _, ...nameless } = document('b');
  const list = page([document('a'), nameless, 7]);
  expect(await read('documents', list)).toBe('unreadable');
  expect(await listed('documents')).toEqual([document('a'), nameless, 7]);
  // The same in another case is another item.
  const found = await rowOf(other);
  [asked, pages] = [[], [page([nameless])]];
  await readList({ db: store().db, upstream }, '', found, 'documents');
  expect(await listed('documents', other)).toEqual([nameless]);
  expect(await listed('documents')).toEqual(list.Items);
  // It goes when the partner has mended it.
  expect(await read('documents', page([document('a'), document('b')]))).toBe('whole');
  expect(await listed('documents')).toEqual([document('a'), document('b')]);
});

test('list: one without an id that is too large to be stored makes the list incomplete', async () => {
  const large = { Text: 'x'.repeat(1_000_001) };
  expect(await read('documents', page([document('a'), large]))).toBe('incomplete');
  expect(await listed('documents')).toEqual([document('a')]);
});

test('list: what a list that ended early does not name is kept', async () => {
  await read('documents', page([document('a'), document('b')]));
  const early = page([document('b', { FileName: 'new.pdf' })], { Total: 2 });
  await store().db.updateTable('cases').set({ documents_as_of: null }).execute();
  expect(await read('documents', early, page([], { Total: 2 }))).toBe('incomplete');
  expect(await listed('documents')).toHaveLength(2);
  expect(await listed('documents')).toContainEqual(document('b', { FileName: 'new.pdf' }));
  expect((await rowOf(caseId)).documents_as_of).toBeNull();
});

/** The ids of the stored reports of a case. */
const reportsOf = async (of: string) =>
  (await store().db.selectFrom('reports').select('id').where('case_id', '=', of).execute()).map(
    ({ id }) => id,
  );

test('list: a report of another case is passed on, and does not move to this one', async () => {
  const theirs = report('b', { ClaimId: other });
  await storeSubmission(store().db, other, Buffer.from(JSON.stringify(theirs)));
  const own = report('a', { ClaimId: caseId.toUpperCase() });
  expect(await read('reports', page([own, theirs]))).toBe('unreadable');
  expect(await listed('reports')).toEqual([own, theirs]);
  expect(await reportsOf(caseId)).toEqual(['a', `${caseId} b`]);
  expect(await reportsOf(other)).toEqual(['b']);
  expect((await rowOf(caseId)).reports_as_of).toBeNull();
});

test('list: the submission of an answer belongs to the case that was changed, unless it names another', async () => {
  const answered = (body: string) => storeSubmission(store().db, caseId, Buffer.from(body));
  await answered('');
  // A partner may answer a change with anything.
  await answered('OK');
  await answered(JSON.stringify({ Id: caseId, Status: 'Accepted' }));
  await answered(JSON.stringify(report('b', { ClaimId: other })));
  expect(await reportsOf(caseId)).toEqual([]);
  await answered(JSON.stringify(report('a')));
  await answered(JSON.stringify(report('a', { Status: 'Submitted' })));
  expect(await listed('reports')).toEqual([report('a')]);
});
