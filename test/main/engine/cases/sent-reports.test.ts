import { afterEach, beforeEach, expect, it } from 'vitest';
import { hasSentReport } from '#main/engine/cases/case-view.ts';
import { listReports, sentReport } from '#main/engine/cases/sent-reports.ts';
import { TestDesk } from '../support/test-desk.ts';

let desk: TestDesk;
beforeEach(async () => {
  desk = await TestDesk.open();
});
afterEach(() => desk.remove());

/** A report with one file that another laptop of the office submitted. */
async function submitElsewhere(caseId: string): Promise<{ readonly id: string }> {
  const { createDraft, uploadDocument, submit } = desk.partner.createClient();
  const { value: submission } = await createDraft(caseId, 'of another laptop');
  const { blobId } = await desk.attach(desk.work.drafts.create(caseId).id, 'a.txt', 'aaa');
  const open = () => desk.files.open(blobId);
  const source = {
    fileName: 'a.txt',
    contentType: 'text/plain',
    sizeBytes: 3,
    isSalvageSale: false,
  };
  await uploadDocument(submission.id, { ...source, open });
  await submit(submission.id);
  return submission;
}

it('a sent report whose documents repeat for ever at the partner is not fetched without end', async () => {
  const { id: caseId } = desk.partner.addCase();
  const submission = await submitElsewhere(caseId);
  await desk.sync.run({ documents: 'none' });
  await desk.sync.readReports(caseId, 'person');
  const [document] = desk.partner.submissions[0]?.documents ?? [];
  desk.partner.requests.splice(0);
  desk.partner.distort = (operation, value) =>
    operation === 'X12' ? { ...value, total: 1_000_000, document } : value;
  const { cache, work, files: workFiles, sync } = desk;
  const from = {
    cache,
    work,
    workFiles,
    sync,
    client: desk.partner.createClient(),
    emit: () => undefined,
  };
  await expect(sentReport(from, caseId, submission.id)).rejects.toMatchObject({
    problem: { code: 'answer_invalid', params: { operation: 'X12', detail: 'Total' } },
  });
  expect(desk.partner.requests).toEqual(['X12', 'X12']);
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
