import { afterEach, beforeEach, expect, it } from 'vitest';
import { hasSentReport } from '#main/engine/cases/case-view.ts';
import { listReports, reviseReport, sentReport } from '#main/engine/cases/sent-reports.ts';
import type { PartnerClient } from '#main/partner/partner-client.ts';
import type { DeskError } from '#shared/desk/contract/errors.ts';
import { refusal } from '../../../support/partner/faulty-line.ts';
import { TestDesk } from '../support/test-desk.ts';

let desk: TestDesk;
beforeEach(async () => {
  desk = await TestDesk.open();
});
afterEach(() => desk.remove());

/** A report with small files that another laptop of the office submitted. */
async function submitElsewhere(
  caseId: string,
  fileNames: readonly string[] = ['a.txt'],
): Promise<{ readonly id: string }> {
  const { createDraft, uploadDocument, submit } = desk.partner.createClient();
  const { value: submission } = await createDraft(caseId, 'of another laptop');
  const { blobId } = await desk.attach(desk.work.drafts.create(caseId).id, 'a.txt', 'aaa');
  const open = () => desk.files.open(blobId);
  for (const fileName of fileNames) {
    const source = { fileName, contentType: 'text/plain', sizeBytes: 3, isSalvageSale: false };
    await uploadDocument(submission.id, { ...source, open });
  }
  await submit(submission.id);
  return submission;
}

/** A report of another laptop, which the list of this desk shows. */
async function listedElsewhere(fileNames?: readonly string[]) {
  const { id: caseId } = desk.partner.addCase();
  const submission = await submitElsewhere(caseId, fileNames);
  await desk.sync.run({ documents: 'none' });
  await desk.sync.readReports(caseId, 'person');
  return { caseId, submission };
}

/** What a sent report is fetched with. */
const from = () => ({
  cache: desk.cache,
  work: desk.work,
  workFiles: desk.files,
  sync: desk.sync,
  client: desk.partner.createClient(),
  emit: () => undefined,
});

it.each([
  ['the documents', 3],
  ['those of its page', 1],
  ['more than there are', 9],
])('every document of a sent report is fetched if Total counts %s', async (_, total) => {
  const names = ['a.txt', 'b.txt', 'c.txt'];
  const { caseId, submission } = await listedElsewhere(names);
  desk.partner.distort = (operation, value) => (operation === 'X12' ? { ...value, total } : value);
  // The partner of this test returns no contents.
  expect((await sentReport(from(), caseId, submission.id)).missing).toEqual(names);
});

it.each([
  ['after the last is the end', null, 1],
  ['that Total counts is not the end', 'b.txt', 3],
] as const)('a refused page of documents %s', async (_, refused, total) => {
  const names = ['a.txt', 'b.txt', 'c.txt'];
  const { caseId, submission } = await listedElsewhere(names);
  desk.partner.distort = (operation, value) => {
    if (operation !== 'X12') return value;
    const { document } = value as { document: { fileName: string } | null };
    if ((document?.fileName ?? null) === refused) throw refusal('not_found', 404);
    return { ...value, total };
  };
  const fetched = sentReport(from(), caseId, submission.id).then(
    ({ missing }) => missing,
    (error: unknown) => (error as DeskError).problem.code,
  );
  expect(await fetched).toEqual(refused === null ? names : 'server_refused');
});

it('the documents of a sent report are in the order of their uploads, however a time is written', async () => {
  const names = ['a.txt', 'b.txt', 'c.txt'];
  const { caseId, submission } = await listedElsewhere(names);
  const times = ['2026-03-02T10:00:00Z', '2026-03-02T10:00:00.5Z', '2026-03-02T11:00:01+01:00'];
  const listed = (desk.partner.submissions[0]?.documents ?? [])
    .map((document, index) => ({ ...document, createdAt: times[index] ?? '' }))
    .reverse();
  const client: PartnerClient = {
    ...desk.partner.createClient(),
    fetchSubmissionDocument: async (_id, place, sink) => {
      const document = listed[place - 1] ?? null;
      if (document) await sink(Buffer.from('aaa'));
      const value = { document, hasContent: document !== null, total: listed.length };
      return { value, status: 200, correlationId: '', serverDateMs: null };
    },
  };
  const { copy } = await sentReport({ ...from(), client }, caseId, submission.id);
  expect(copy.attachments.map(({ fileName }) => fileName)).toEqual(names);
});

it('a sent report is not fetched if the list has a document of another one', async () => {
  const { caseId, submission } = await listedElsewhere();
  const [document] = desk.partner.submissions[0]?.documents ?? [];
  desk.partner.distort = (operation, value) =>
    operation === 'X12' ? { ...value, document: { ...document, submissionId: 'another' } } : value;
  await expect(sentReport(from(), caseId, submission.id)).rejects.toMatchObject({
    problem: { code: 'answer_invalid', params: { operation: 'X12', detail: 'SubmissionId' } },
  });
});

it('a sent report that always has another document is not fetched without end', async () => {
  const { caseId, submission } = await listedElsewhere();
  const [document] = desk.partner.submissions[0]?.documents ?? [];
  desk.partner.distort = (operation, value) =>
    operation === 'X12' ? { ...value, document: { ...document, id: desk.partner.newId() } } : value;
  await expect(sentReport(from(), caseId, submission.id)).rejects.toMatchObject({
    problem: { code: 'answer_invalid', params: { operation: 'X12', detail: 'Total' } },
  });
});

it('a sent report whose documents repeat for ever at the partner is not fetched without end', async () => {
  const { caseId, submission } = await listedElsewhere();
  const [document] = desk.partner.submissions[0]?.documents ?? [];
  desk.partner.requests.splice(0);
  desk.partner.distort = (operation, value) =>
    operation === 'X12' ? { ...value, total: 1_000_000, document } : value;
  await expect(sentReport(from(), caseId, submission.id)).rejects.toMatchObject({
    problem: { code: 'answer_invalid', params: { operation: 'X12', detail: 'Total' } },
  });
  expect(desk.partner.requests).toEqual(['X12', 'X12']);
});

it('a report of another case, which the list has by mistake, is not shown', async () => {
  const [caseId, otherId] = [desk.partner.addCase().id, desk.partner.addCase().id];
  await submitElsewhere(otherId);
  const { id } = await submitElsewhere(caseId);
  await desk.sync.run({ documents: 'none' });
  const items = desk.partner.submissions;
  desk.partner.distort = (operation, value) =>
    operation === 'X10' ? { ...value, items, total: items.length } : value;
  await desk.sync.readReports(caseId, 'person');
  expect(desk.cache.reports.list(caseId)).toMatchObject([{ id, caseId }]);
});

it('a case is announced again once its reports are known, because its hints depend on them', async () => {
  const { id: caseId } = desk.partner.addCase();
  await desk.sync.run({ documents: 'none' });
  const { cache, work, sync, log } = desk;
  const announced: unknown[] = [];
  const emit = (event: unknown) => void announced.push(event);
  const list = () =>
    listReports({ cache, work, sync, log, emit }, caseId, {
      refresh: true,
      reasonsOf: () => Promise.resolve([]),
    });
  expect(hasSentReport(desk, caseId)).toBeNull();
  await list();
  expect(hasSentReport(desk, caseId)).toBe(false);
  expect(announced).toEqual([{ type: 'cases.changed', caseIds: [caseId] }]);
  await submitElsewhere(caseId);
  await list();
  await list();
  expect(hasSentReport(desk, caseId)).toBe(true);
  // One that came back was handed in all the same.
  for (const submission of desk.partner.submissions) submission.status = 'Returned';
  await list();
  expect(hasSentReport(desk, caseId)).toBe(true);
  expect(announced).toHaveLength(2);
});

it('the desk’s own report is here, and not fetched, if the list writes its id in capitals', async () => {
  desk.partner.newId = () => 'abcdef00-0000-4000-8000-000000000001';
  const { id: caseId } = desk.partner.addCase();
  await desk.queueReport(caseId, 'mine', [{ name: 'a.txt', content: 'aaa' }]);
  await desk.deliverAll();
  desk.partner.distort = (operation, value) =>
    operation === 'X10'
      ? { ...value, items: desk.partner.submissions.map((one) => ({ ...one, id: capitals })) }
      : value;
  const capitals = desk.partner.submissions[0]?.id.toUpperCase() ?? '';
  const emit = () => undefined;
  const { cache, work, sync, log } = desk;
  const given = { refresh: true, reasonsOf: () => Promise.resolve([]) };
  const { items } = await listReports({ cache, work, sync, log, emit }, caseId, given);
  expect(items).toMatchObject([{ id: capitals, isHere: true }]);
  desk.partner.requests.splice(0);
  const { copy: own } = await sentReport(from(), caseId, capitals);
  expect(own.attachments).toMatchObject([{ fileName: 'a.txt' }]);
  expect(desk.partner.requests).toEqual([]);
});

it('a report that was fetched is here, however a later list writes its id', () => {
  const id = 'abcdef00-0000-4000-8000-000000000001';
  const { drafts } = desk.work;
  const { id: caseId } = desk.partner.addCase();
  const copy = drafts.createWith({ caseId, comment: '', copyOf: id, files: [] });
  expect(drafts.ofSubmission(id.toUpperCase())).toEqual(copy);
  // Ids of another kind may differ in upper and lower case alone.
  drafts.createWith({ caseId, comment: '', copyOf: 'r-1', files: [] });
  expect(drafts.ofSubmission('R-1')).toBeNull();
});

/** The partner returns the contents of these documents of the submission alone. */
function returning(fileNames: readonly string[]): PartnerClient {
  const listed = desk.partner.submissions[0]?.documents ?? [];
  return {
    ...desk.partner.createClient(),
    fetchSubmissionDocument: async (_id, place, sink) => {
      desk.partner.requests.push('X12');
      const document = listed[place - 1] ?? null;
      const hasContent = document !== null && fileNames.includes(document.fileName);
      if (hasContent) await sink(Buffer.from('aaa'));
      const value = { document, hasContent, total: listed.length };
      return { value, status: 200, correlationId: '', serverDateMs: null };
    },
  };
}

it('a copy that lacks files is replaced, also if the list then writes the id in capitals', () => {
  const { id: caseId } = desk.partner.addCase();
  const copyOf = 'abcdef00-0000-4000-8000-000000000001';
  const content = { caseId, comment: '', files: [] };
  const { drafts } = desk.work;
  const partial = drafts.createWith({ ...content, copyOf, isWhole: false });
  const whole = drafts.createWith({ ...content, copyOf: copyOf.toUpperCase() });
  expect(() => drafts.get(partial.id)).toThrow('draft_not_found');
  expect(drafts.ofSubmission(copyOf)?.id).toBe(whole.id);
});

it('a content that is missing is said each time, also in a revision, until the partner returns it', async () => {
  const names = ['a.txt', 'b.txt'];
  const { caseId, submission } = await listedElsewhere(names);
  const read = (client: PartnerClient) => sentReport({ ...from(), client }, caseId, submission.id);
  const [partly, whole] = [returning(['a.txt']), returning(names)];
  const first = await read(partly);
  const again = await read(partly);
  for (const { copy, missing } of [first, again]) {
    expect(copy.attachments.map(({ fileName }) => fileName)).toEqual(['a.txt']);
    expect(missing).toEqual(['b.txt']);
  }
  const { draft, missing } = await reviseReport(
    { ...from(), client: partly },
    caseId,
    submission.id,
  );
  expect([draft.copyOf, draft.attachments.length, missing]).toEqual([null, 1, ['b.txt']]);
  expect(desk.work.drafts.ofSubmission(submission.id)).toBeNull();
  const { copy } = await read(whole);
  desk.partner.requests.splice(0);
  expect(await read(partly)).toEqual({ copy, missing: [] });
  expect(copy.attachments.map(({ fileName }) => fileName)).toEqual(names);
  expect(desk.partner.requests).toEqual([]);
  // The incomplete ones are gone.
  for (const { id } of [first.copy, again.copy])
    expect(() => desk.work.drafts.get(id)).toThrow('draft_not_found');
});

it('two readings of a sent report at once store one copy', async () => {
  const { caseId, submission } = await listedElsewhere();
  const client = returning(['a.txt']);
  const [one, other] = await Promise.all(
    [1, 2].map(() => sentReport({ ...from(), client }, caseId, submission.id)),
  );
  expect(one?.copy.id).toBe(other?.copy.id);
});

it('a report that the list does not have is not asked for', async () => {
  const { caseId } = await listedElsewhere();
  desk.partner.requests.splice(0);
  await expect(sentReport(from(), caseId, desk.partner.newId())).rejects.toMatchObject({
    problem: { code: 'draft_not_found' },
  });
  expect(desk.partner.requests).toEqual([]);
});
