import { afterEach, beforeEach, expect, it } from 'vitest';
import { sentReport } from '#main/engine/calls/sent-reports.ts';
import { TestDesk } from './support/test-desk.ts';

let desk: TestDesk;
beforeEach(async () => {
  desk = await TestDesk.open();
});
afterEach(() => desk.remove());

it('a sent report whose documents repeat for ever at the partner is not fetched without end', async () => {
  const { id: caseId } = desk.partner.addCase();
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
