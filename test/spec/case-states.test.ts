import { describe, expect, test } from 'vitest';
import type { CaseStatus } from '#shared/api/case-words.ts';
import { caseStatuses } from '#shared/api/case-words.ts';
import {
  acceptedCase,
  assign,
  attach,
  backoffice,
  createClaimOver,
  expectDone,
  handIn,
  openDraft,
  titleOf,
  upload,
  anyString,
  at,
} from '../main/service/support/claims.ts';
import type { Partner, PartnerAnswer } from '../main/service/support/partner.ts';
import { shareService } from '../main/service/support/service.ts';

const { service, insurer, expert } = await shareService();

interface Subject {
  readonly id: string;
  /** The latest submission; empty before the first draft. */
  readonly submissionId: string;
}

const move = (id: string, name: string) =>
  expectDone(backoffice(service, 'POST', `/claims/${id}/${name}`));

const draft = (id: string) => openDraft(expert, id);

async function judged(id: string, verdict: 'approve' | 'return'): Promise<string> {
  const submissionId = await handIn(expert, id);
  await expectDone(backoffice(service, 'POST', `/reports/${submissionId}/${verdict}`));
  return submissionId;
}

/** Takes a new case along the shortest way into the status. */
async function caseIn(status: CaseStatus): Promise<Subject> {
  if (status === 'Created') {
    return { id: (await createClaimOver(insurer)).Id, submissionId: '' };
  }
  if (status === 'Assigned' || status === 'Rejected') {
    const { Id: id } = await createClaimOver(insurer);
    await expectDone(assign(service, id));
    if (status === 'Rejected') await move(id, 'reject');
    return { id, submissionId: '' };
  }
  const { Id: id } = await acceptedCase(service, insurer);
  switch (status) {
    case 'Accepted':
      return { id, submissionId: '' };
    case 'InProgress':
      return { id, submissionId: await draft(id) };
    case 'ExpertCompleted':
      return { id, submissionId: await handIn(expert, id) };
    case 'AdminReturned':
      return { id, submissionId: await judged(id, 'return') };
    case 'AdminCancelled':
      await move(id, 'cancel');
      return { id, submissionId: '' };
    case 'AdminApproved':
      return { id, submissionId: await judged(id, 'approve') };
    case 'Final': {
      const submissionId = await judged(id, 'approve');
      await move(id, 'finalize');
      return { id, submissionId };
    }
  }
}

async function statusOf(id: string): Promise<unknown> {
  const answer = await insurer.request('GET', `/v1/insurers/claims/${id}`);
  return (answer.json as { Status: string }).Status;
}

const amounts = { CostEstimateAmount: 5, ApprovedAmount: 1 };
const acts: Readonly<Record<string, (subject: Subject) => Promise<PartnerAnswer>>> = {
  X3: ({ id }) =>
    expert.request('PUT', `/v1/experts/cases/${id}/expert-comment`, { body: { Text: 'a' } }),
  X4: ({ id }) => expert.request('PUT', `/v1/experts/cases/${id}/amounts`, { body: amounts }),
  X5: ({ id }) =>
    expert.request('POST', `/v1/experts/cases/${id}:reopen`, { body: { Reason: 'a' } }),
  X8: ({ id }) =>
    expert.request('POST', `/v1/experts/cases/${id}/reports:draft`, { body: { Comment: '' } }),
  assign: ({ id }) => assign(service, id),
  accept: ({ id }) => backoffice(service, 'POST', `/claims/${id}/accept`),
  reject: ({ id }) => backoffice(service, 'POST', `/claims/${id}/reject`),
  finalize: ({ id }) => backoffice(service, 'POST', `/claims/${id}/finalize`),
  cancel: ({ id }) => backoffice(service, 'POST', `/claims/${id}/cancel`),
};

/** Where each act leads from each status; what is missing is refused. */
const leads: Readonly<Record<string, Partial<Record<CaseStatus, CaseStatus>>>> = {
  X3: {
    Accepted: 'InProgress',
    InProgress: 'InProgress',
    ExpertCompleted: 'ExpertCompleted',
    AdminApproved: 'AdminApproved',
    AdminReturned: 'InProgress',
  },
  X5: { Final: 'InProgress' },
  assign: { Created: 'Assigned', Rejected: 'Assigned' },
  accept: { Assigned: 'Accepted' },
  reject: { Assigned: 'Rejected' },
  finalize: { AdminApproved: 'Final' },
  cancel: Object.fromEntries(
    caseStatuses.filter((status) => status !== 'Final').map((status) => [status, 'AdminCancelled']),
  ),
};
const sameAs: Readonly<Record<string, string>> = { X4: 'X3', X8: 'X3' };

const cells = Object.entries(acts).flatMap(([act, run]) =>
  caseStatuses.map((from) => ({ act, run, from, to: leads[sameAs[act] ?? act]?.[from] })),
);

describe('case states over HTTP', () => {
  test.each(cells)('$act: $from leads to $to', async ({ act, run, from, to }) => {
    const subject = await caseIn(from);
    expect(await statusOf(subject.id)).toBe(from);
    const answer = await run(subject);
    // A created case is nobody's yet, so the expert may not even see it.
    const isHidden = from === 'Created' && act.startsWith('X');
    const isRefused = to === undefined || (act === 'X8' && from === 'InProgress');
    const refusal = isHidden ? [403, 'forbidden'] : isRefused ? [400, 'invalid_state'] : null;
    expect(answer.status < 300 ? null : [answer.status, titleOf(answer)]).toEqual(refusal);
    expect(await statusOf(subject.id)).toBe(to ?? from);
  });
});

/** Takes a new case into the status with a draft open, which has a document. */
async function caseWithDraft(status: CaseStatus): Promise<Subject & { docId: string }> {
  const isNew = status === 'InProgress' || status === 'AdminCancelled';
  const { id, submissionId: handedIn } = await caseIn(isNew ? 'Accepted' : 'ExpertCompleted');
  const submissionId = await draft(id);
  const docId = await attach(expert, submissionId);
  const judge = (verdict: string) =>
    expectDone(backoffice(service, 'POST', `/reports/${handedIn}/${verdict}`));
  if (status === 'AdminReturned') await judge('return');
  if (status === 'AdminApproved' || status === 'Final') await judge('approve');
  if (status === 'Final') await move(id, 'finalize');
  if (status === 'AdminCancelled') await move(id, 'cancel');
  return { id, submissionId, docId };
}

type DraftAct = (draft: {
  id: string;
  submissionId: string;
  docId: string;
}) => Promise<PartnerAnswer>;
const draftActs: Readonly<Record<string, DraftAct>> = {
  X9: ({ id }) =>
    expert.request('PUT', `/v1/experts/cases/${id}/reports:draft`, { body: { Comment: 'neu' } }),
  X13: ({ submissionId }) =>
    expert.request('POST', `/v1/experts/reports/${submissionId}/documents`, { body: upload() }),
  X14: ({ submissionId, docId }) =>
    expert.request('DELETE', `/v1/experts/reports/${submissionId}/documents/${docId}`),
  X15: ({ submissionId }) => expert.request('POST', `/v1/experts/reports/${submissionId}/submit`),
};
/** States in which a draft can be worked on; a draft can be open in these and in Final and AdminCancelled. */
const draftStatuses = ['InProgress', 'ExpertCompleted', 'AdminReturned', 'AdminApproved'] as const;

describe('an open draft over HTTP', () => {
  const draftCells = Object.entries(draftActs).flatMap(([act, run]) =>
    draftStatuses.map((from) => ({ act, run, from, to: act === 'X15' ? 'ExpertCompleted' : from })),
  );
  test.each(draftCells)('$act: with the case in $from leads to $to', async ({ run, from, to }) => {
    const subject = await caseWithDraft(from);
    expect(await statusOf(subject.id)).toBe(from);
    expect((await run(subject)).status).toBeLessThan(300);
    expect(await statusOf(subject.id)).toBe(to);
  });

  const refusedCells = Object.entries(draftActs).flatMap(([act, run]) =>
    (['Final', 'AdminCancelled'] as const).map((from) => ({ act, run, from })),
  );
  test.each(refusedCells)(
    '$act: with the case in $from is invalid_state',
    async ({ run, from }) => {
      const subject = await caseWithDraft(from);
      expect(await statusOf(subject.id)).toBe(from);
      const answer = await run(subject);
      expect([answer.status, titleOf(answer)]).toEqual([400, 'invalid_state']);
      const documents = await expert.request(
        'GET',
        `/v1/experts/reports/${subject.submissionId}/documents`,
      );
      expect(documents.json).toMatchObject({ Total: 1, Items: [{ Id: subject.docId }] });
    },
  );

  test.each(['approve', 'return'])('%s: a draft, and a submission that was judged', async (act) => {
    const { id, submissionId } = await caseIn('ExpertCompleted');
    const judge = (one: string) => backoffice(service, 'POST', `/reports/${one}/${act}`);
    expect(titleOf(await judge(await draft(id)))).toBe('invalid_state');
    expect((await judge(submissionId)).status).toBe(204);
    expect(titleOf(await judge(submissionId))).toBe('invalid_state');
  });
});

describe('submissions', () => {
  const report = (submissionId: string) => `/v1/experts/reports/${submissionId}`;

  test('X8: SequenceNo counts up, RevisionNo only after a return', async () => {
    const { id } = await caseIn('AdminReturned');
    await judged(id, 'return');
    await judged(id, 'approve');
    await draft(id);
    const answer = await expert.request('GET', `/v1/experts/cases/${id}/reports`);
    const { Items } = answer.json as { Items: Record<string, unknown>[] };
    const rows = Items.map((item) => [item['SequenceNo'], item['RevisionNo'], item['Status']]);
    expect(rows.sort()).toEqual([
      [1, 1, 'Returned'],
      [2, 2, 'Returned'],
      [3, 3, 'Approved'],
      [4, 1, 'Draft'],
    ]);
  });

  test('I8, X10: a page of reports, the newest first', async () => {
    const { id } = await caseIn('AdminReturned');
    await judged(id, 'approve');
    await draft(id);
    const pageOf = async (partner: Partner, path: string, query: string) => {
      const answer = await expectDone(partner.request('GET', `${path}/reports${query}`));
      const { Items, ...rest } = answer.json as { Items: { SequenceNo: number }[] };
      return { ...rest, numbers: Items.map(({ SequenceNo }) => SequenceNo) };
    };
    const cases = (query: string) => pageOf(expert, `/v1/experts/cases/${id}`, query);
    expect(await cases('')).toEqual({ Total: 3, Page: 1, Size: 50, numbers: [3, 2, 1] });
    expect(await cases('?size=2')).toEqual({ Total: 3, Page: 1, Size: 2, numbers: [3, 2] });
    expect(await cases('?size=2&page=2')).toEqual({ Total: 3, Page: 2, Size: 2, numbers: [1] });
    expect(await cases('?size=201&page=2')).toEqual({ Total: 3, Page: 2, Size: 200, numbers: [] });
    // The draft is the expert's alone, and counts for nobody else.
    const claims = (query: string) => pageOf(insurer, `/v1/insurers/claims/${id}`, query);
    expect(await claims('?size=1&page=2')).toEqual({ Total: 2, Page: 2, Size: 1, numbers: [1] });
    const refused = await expert.request('GET', `/v1/experts/cases/${id}/reports?page=0`);
    expect(refused.json).toMatchObject({ title: 'invalid_request', errors: { page: [anyString] } });
  });

  test.each([
    ['1 character', 'x'],
    ['4000 characters', '😀'.repeat(4000)],
  ])('X5: a Reason of %s is recorded, without what surrounds it', async (_, reason) => {
    const { id } = await caseIn('Final');
    const answer = await expert.request('POST', `/v1/experts/cases/${id}:reopen`, {
      body: { Reason: `  ${reason}\n` },
    });
    expect([answer.status, answer.text]).toEqual([204, '']);
    const events = (await backoffice(service, 'GET', `/claims/${id}/events`)).json as object[];
    expect(events.at(-1)).toMatchObject({ Name: 'reopened_by_expert', Detail: reason });
  });

  test('X8: the answer is the submission without RevisionNo', async () => {
    const { id } = await caseIn('Accepted');
    const answer = await expert.request('POST', `/v1/experts/cases/${id}/reports:draft`, {
      body: { Comment: 'Bericht' },
    });
    expect(answer.status).toBe(201);
    expect(answer.json).toEqual({
      Id: anyString,
      ClaimId: id,
      SequenceNo: 1,
      Status: 'Draft',
      Comment: 'Bericht',
      SubmittedAt: null,
      CreatedAt: expect.stringMatching(/Z$/) as unknown,
      UpdatedAt: expect.stringMatching(/Z$/) as unknown,
    });
  });

  test.each([
    ['null', { Comment: null }],
    ['absent', {}],
    ['absent like the whole body', undefined],
  ])('X8, X9: a Comment that is %s is empty', async (_, body) => {
    const { id } = await caseIn('Accepted');
    const path = `/v1/experts/cases/${id}/reports:draft`;
    const opened = await expert.request('POST', path, { body });
    expect([opened.status, opened.json]).toEqual([201, expect.objectContaining({ Comment: '' })]);
    await expectDone(expert.request('PUT', path, { body: { Comment: 'before' } }));
    const cleared = await expert.request('PUT', path, { body });
    expect([cleared.status, cleared.json]).toEqual([200, expect.objectContaining({ Comment: '' })]);
  });

  test('X9, X11: replaces the comment of the open draft', async () => {
    const { id, submissionId } = await caseIn('InProgress');
    const answer = await expert.request('PUT', `/v1/experts/cases/${id}/reports:draft`, {
      body: { Comment: 'neu' },
    });
    expect(answer.status).toBe(200);
    expect(answer.json).toMatchObject({ Id: submissionId, Comment: 'neu' });
    const read = await expert.request('GET', `/v1/experts/cases/${id}/reports/${submissionId}`);
    expect(read.json).toEqual(answer.json);
  });

  test('X9: without a draft is not_found', async () => {
    const { id } = await caseIn('ExpertCompleted');
    const answer = await expert.request('PUT', `/v1/experts/cases/${id}/reports:draft`, {
      body: { Comment: 'neu' },
    });
    expect([answer.status, titleOf(answer)]).toEqual([404, 'not_found']);
  });

  test('X13, X14, X15: need a draft', async () => {
    const { submissionId } = await caseIn('ExpertCompleted');
    const list = await expert.request('GET', `${report(submissionId)}/documents`);
    const document = at((list.json as { Items: { Id: string }[] }).Items, 0);
    const answers = [
      await expert.request('POST', `${report(submissionId)}/documents`, { body: upload() }),
      await expert.request('DELETE', `${report(submissionId)}/documents/${document.Id}`),
      await expert.request('POST', `${report(submissionId)}/submit`),
    ];
    expect(answers.map(titleOf)).toEqual(['invalid_state', 'invalid_state', 'invalid_state']);
  });

  test('X14: deletes a document of the draft, once', async () => {
    const { submissionId } = await caseIn('InProgress');
    const path = `${report(submissionId)}/documents/${await attach(expert, submissionId)}`;
    const deleted = await expert.request('DELETE', path);
    expect([deleted.status, deleted.text]).toEqual([204, '']);
    expect((await expert.request('DELETE', path)).status).toBe(404);
    const list = await expert.request('GET', `${report(submissionId)}/documents`);
    expect(list.json).toEqual({ Total: 0, Page: 1, Size: 50, Items: [] });
    const { total } = await service.context.db
      .selectFrom('contents')
      .leftJoin('submission_documents', 'submission_documents.content_id', 'contents.id')
      .select((select) => select.fn.countAll<number>().as('total'))
      .where('submission_documents.id', 'is', null)
      .executeTakeFirstOrThrow();
    expect(total).toBe(0);
  });

  test('X15: without a document is missing_documents', async () => {
    const { submissionId } = await caseIn('InProgress');
    const answer = await expert.request('POST', `${report(submissionId)}/submit`);
    expect([answer.status, titleOf(answer)]).toEqual([400, 'missing_documents']);
  });

  test('cancelling a case cancels its draft and what was handed in', async () => {
    const { id, submissionId } = await caseIn('ExpertCompleted');
    const draftId = await draft(id);
    await move(id, 'cancel');
    for (const one of [submissionId, draftId]) {
      const answer = await expert.request('GET', `/v1/experts/cases/${id}/reports/${one}`);
      expect(answer.json).toMatchObject({ Status: 'Cancelled' });
    }
  });

  test('LastChangedAt: cancelling a case that is cancelled changes nothing', async () => {
    const { id } = await caseIn('AdminCancelled');
    const changedAt = async () => {
      const answer = await insurer.request('GET', `/v1/insurers/claims/${id}`);
      return (answer.json as { LastChangedAt: string }).LastChangedAt;
    };
    const before = await changedAt();
    service.clock.advance(1000);
    await move(id, 'cancel');
    expect(await changedAt()).toBe(before);
  });

  test('I8, I9: the insurer sees every submission but the draft', async () => {
    const { id, submissionId } = await caseIn('ExpertCompleted');
    const draftId = await draft(id);
    const reports = `/v1/insurers/claims/${id}/reports`;
    const list = await insurer.request('GET', reports);
    expect(list.json).toMatchObject({ Total: 1, Items: [{ Id: submissionId, RevisionNo: 1 }] });
    const documents = await insurer.request('GET', `${reports}/${submissionId}/documents`);
    expect(documents.status).toBe(200);
    expect(documents.json).toMatchObject({ Total: 1, Items: [upload()] });
    const ofDraft = await insurer.request('GET', `${reports}/${draftId}/documents`);
    expect([ofDraft.status, titleOf(ofDraft)]).toEqual([404, 'not_found']);
  });

  test('I9: lang is de, fr, it or en', async () => {
    const { id, submissionId } = await caseIn('ExpertCompleted');
    const path = `/v1/insurers/claims/${id}/reports/${submissionId}/documents`;
    expect((await insurer.request('GET', `${path}?lang=it`)).status).toBe(200);
    expect(titleOf(await insurer.request('GET', `${path}?lang=es`))).toBe('invalid_request');
  });
});
