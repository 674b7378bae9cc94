import { beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import {
  acceptedCase,
  attach,
  backoffice,
  createClaimOver,
  expectDone,
  handIn,
  idOf,
  openDraft,
  upload,
} from '../main/service/support/claims.ts';
import type { Partner } from '../main/service/support/partner.ts';
import { shareService } from '../main/service/support/service.ts';

const eventSchema = z.strictObject({
  At: z.iso.datetime(),
  Name: z.string(),
  By: z.string(),
  Detail: z.string(),
});

const { service, insurer, expert } = await shareService();

async function eventsOf(claimId: string) {
  const answer = await expectDone(backoffice(service, 'GET', `/claims/${claimId}/events`));
  return z.array(eventSchema).parse(answer.json);
}

/** The events that `act` adds, without their times, which must be the service's. */
async function added(claimId: string, act: () => Promise<unknown>) {
  const before = await eventsOf(claimId);
  service.clock.advance(60_000);
  const nowMs = service.clock.now();
  await act();
  const events = (await eventsOf(claimId)).slice(before.length);
  for (const { At } of events) expect(Date.parse(At)).toBe(nowMs);
  return events.map(({ Name, By, Detail }) => ({ Name, By, Detail }));
}

const byExpert = () => service.credentials.expert.clientId;
const byInsurer = () => service.credentials.insurer.clientId;
const ask = (partner: Partner, method: string, path: string, body?: unknown) =>
  expectDone(partner.request(method, path, { body }));
const move = (id: string, name: string, body?: object) =>
  expectDone(backoffice(service, 'POST', `/claims/${id}/${name}`, body));

test('audit: I2 records who created the claim, and when', async () => {
  const { Id } = await createClaimOver(insurer);
  expect(await eventsOf(Id)).toEqual([
    {
      At: new Date(service.clock.now()).toISOString(),
      Name: 'Created',
      By: byInsurer(),
      Detail: '',
    },
  ]);
});

test('audit: I6 records the document', async () => {
  const { Id } = await createClaimOver(insurer);
  let documentId = '';
  const events = await added(Id, async () => {
    const path = `/v1/insurers/claims/${Id}/documents`;
    documentId = await idOf(insurer.request('POST', path, { body: upload() }));
  });
  expect(events).toEqual([{ Name: 'document_added', By: byInsurer(), Detail: documentId }]);
});

test('audit: the back office records its moves with their reasons', async () => {
  const { Id } = await createClaimOver(insurer);
  const { organizationId } = service.credentials.expert;
  const by = (Name: string, Detail: string) => [{ Name, By: 'backoffice', Detail }];
  expect(
    await added(Id, () => move(Id, 'assign', { ExpertOrganizationId: organizationId })),
  ).toEqual(by('Assigned', organizationId));
  for (const [name, Name] of [
    ['accept', 'Accepted'],
    ['archive', 'archived'],
    ['cancel', 'AdminCancelled'],
  ] as const) {
    expect(await added(Id, () => move(Id, name, { Reason: 'because' }))).toEqual(
      by(Name, 'because'),
    );
  }
});

describe('a case in the expert’s hands', () => {
  let id: string;
  let path: string;
  const names = async (act: () => Promise<unknown>) =>
    (await added(id, act)).map(({ Name, By }) => `${Name} by ${By === byExpert() ? 'expert' : By}`);

  beforeAll(async () => {
    id = (await acceptedCase(service, insurer)).Id;
    path = `/v1/experts/cases/${id}`;
  });

  test('audit: X3, X4, X8, X9, X13, X14 and X15 record the expert’s client id', async () => {
    expect(await names(() => ask(expert, 'PUT', `${path}/expert-comment`, { Text: 'a' }))).toEqual([
      'InProgress by expert',
      'expert_comment_changed by expert',
    ]);
    const amounts = { CostEstimateAmount: 10, ApprovedAmount: null };
    expect(await added(id, () => ask(expert, 'PUT', `${path}/amounts`, amounts))).toEqual([
      { Name: 'amounts_changed', By: byExpert(), Detail: JSON.stringify(amounts) },
    ]);
    let submission = '';
    expect(
      await names(async () => {
        submission = await openDraft(expert, id);
      }),
    ).toEqual(['draft_created by expert']);
    expect(
      await names(() => ask(expert, 'PUT', `${path}/reports:draft`, { Comment: 'b' })),
    ).toEqual(['draft_comment_changed by expert']);
    const documents = `/v1/experts/reports/${submission}/documents`;
    let document = '';
    expect(
      await names(async () => {
        document = await attach(expert, submission);
      }),
    ).toEqual(['submission_document_added by expert']);
    expect(await names(() => ask(expert, 'DELETE', `${documents}/${document}`))).toEqual([
      'submission_document_deleted by expert',
    ]);
    await attach(expert, submission);
    const submit = `/v1/experts/reports/${submission}/submit`;
    expect(await names(() => ask(expert, 'POST', submit))).toEqual([
      'submission_submitted by expert',
      'ExpertCompleted by expert',
    ]);
    const approve = `/reports/${submission}/approve`;
    const judged = { Reason: 'in order' };
    expect(await added(id, () => expectDone(backoffice(service, 'POST', approve, judged)))).toEqual(
      [
        { Name: 'submission_approved', By: 'backoffice', Detail: submission },
        { Name: 'AdminApproved', By: 'backoffice', Detail: 'in order' },
      ],
    );
  });

  test('audit: Finalized and reopened_by_expert carry who, when and the reason', async () => {
    expect(await added(id, () => move(id, 'finalize', { Reason: 'paid' }))).toEqual([
      { Name: 'Finalized', By: 'backoffice', Detail: 'paid' },
    ]);
    const reopen = { Reason: '  Nachtrag  ' };
    expect(await added(id, () => ask(expert, 'POST', `${path}:reopen`, reopen))).toEqual([
      { Name: 'reopened_by_expert', By: byExpert(), Detail: 'Nachtrag' },
    ]);
  });
});

describe('a submission that was handed in', () => {
  /** A case with a submission handed in. */
  async function handedIn() {
    const { Id } = await acceptedCase(service, insurer);
    return { Id, submitted: await handIn(expert, Id) };
  }
  const by = (Name: string, Detail: string) => ({ Name, By: 'backoffice', Detail });

  test('audit: its return is recorded, and that the case went back with it', async () => {
    const { Id, submitted } = await handedIn();
    const path = `/reports/${submitted}/return`;
    const events = await added(Id, () =>
      expectDone(backoffice(service, 'POST', path, { Reason: 'unclear' })),
    );
    expect(events).toEqual([by('submission_returned', submitted), by('AdminReturned', 'unclear')]);
  });

  test('audit: cancelling the case records each submission that it cancels', async () => {
    const { Id, submitted } = await handedIn();
    const draft = await openDraft(expert, Id);
    expect(await added(Id, () => move(Id, 'cancel', { Reason: 'withdrawn' }))).toEqual([
      by('submission_cancelled', submitted),
      by('submission_cancelled', draft),
      by('AdminCancelled', 'withdrawn'),
    ]);
  });
});

test('audit: what is refused, and what changes nothing, leaves no event', async () => {
  const { Id } = await acceptedCase(service, insurer);
  const path = `/v1/experts/cases/${Id}`;
  await ask(expert, 'PUT', `${path}/expert-comment`, { Text: 'a' });
  expect(
    await added(Id, async () => {
      await ask(expert, 'PUT', `${path}/expert-comment`, { Text: 'a' });
      await expert.request('POST', `${path}:reopen`, { body: { Reason: 'x' } });
      await expert.request('PUT', `${path}/amounts`, { body: { CostEstimateAmount: -1 } });
    }),
  ).toEqual([]);
});
