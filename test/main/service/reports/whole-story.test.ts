import { expect, test } from 'vitest';
import { acceptedCase, backoffice, contents, expectDone, upload } from '../support/claims.ts';
import { shareService } from '../support/service.ts';

const { service, insurer, expert } = await shareService();

test('a claim goes from creation to its closing and is reopened', async () => {
  const claim = await acceptedCase(service, insurer);
  const casePath = `/v1/experts/cases/${claim.Id}`;
  const claimPath = `/v1/insurers/claims/${claim.Id}`;
  const statusOf = async () => (await expert.request('GET', casePath)).json;
  expect(claim.Status).toBe('Created');
  expect(await statusOf()).toMatchObject({ Status: 'Accepted', ExpertComment: '' });

  await expectDone(
    insurer.request('POST', `${claimPath}/documents`, {
      body: upload(contents.jpeg, { FileName: 'Foto.jpg', ContentType: 'image/jpeg' }),
    }),
  );
  await expectDone(
    expert.request('PUT', `${casePath}/amounts`, {
      body: { CostEstimateAmount: 1000.1, ApprovedAmount: 900.05 },
    }),
  );
  await expectDone(expert.request('PUT', `${casePath}/expert-comment`, { body: { Text: 'Gut.' } }));
  expect(await statusOf()).toMatchObject({
    Status: 'InProgress',
    ExpertComment: 'Gut.',
    SavingsAmount: 100.05,
  });

  const draft = await expectDone(
    expert.request('POST', `${casePath}/reports:draft`, { body: { Comment: 'Erster' } }),
  );
  const { Id: submissionId } = draft.json as { Id: string };
  const reportPath = `/v1/experts/reports/${submissionId}`;
  const added = await expectDone(
    expert.request('POST', `${reportPath}/documents`, { body: upload() }),
  );
  expect(added.json).toMatchObject({ Kind: 'Report', IsSalvageSale: false });
  expect(added.json).not.toHaveProperty('ContentBase64');
  const submitted = await expectDone(expert.request('POST', `${reportPath}/submit`));
  expect(submitted.json).toMatchObject({ Status: 'Submitted', SequenceNo: 1 });

  await expectDone(
    backoffice(service, 'POST', `/reports/${submissionId}/approve`, { Reason: 'In Ordnung' }),
  );
  const seen = await expectDone(
    insurer.request('GET', `${claimPath}/reports/${submissionId}/documents?lang=fr`),
  );
  expect(seen.json).toMatchObject({
    Total: 1,
    Items: [{ ContentBase64: contents.pdf.toString('base64') }],
  });
  await expectDone(backoffice(service, 'POST', `/claims/${claim.Id}/finalize`));
  await expectDone(
    expert.request('POST', `${casePath}:reopen`, { body: { Reason: ' Nachtrag ' } }),
  );
  expect(await statusOf()).toMatchObject({ Status: 'InProgress' });

  const events = await expectDone(backoffice(service, 'GET', `/claims/${claim.Id}/events`));
  const expertId = service.credentials.expert.clientId;
  expect(events.json).toMatchObject([
    { Name: 'Created', By: service.credentials.insurer.clientId },
    { Name: 'Assigned', By: 'backoffice' },
    { Name: 'Accepted' },
    { Name: 'document_added' },
    { Name: 'InProgress', By: expertId },
    { Name: 'amounts_changed' },
    { Name: 'expert_comment_changed' },
    { Name: 'draft_created' },
    { Name: 'submission_document_added' },
    { Name: 'submission_submitted' },
    { Name: 'ExpertCompleted' },
    { Name: 'submission_approved' },
    { Name: 'AdminApproved', Detail: 'In Ordnung' },
    { Name: 'Finalized' },
    { Name: 'reopened_by_expert', By: expertId, Detail: 'Nachtrag' },
  ]);
});
