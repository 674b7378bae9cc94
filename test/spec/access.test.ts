import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { acceptedCase, expectDone, titleOf, upload } from '../main/service/support/claims.ts';
import type { Partner } from '../main/service/support/partner.ts';
import { createPartner } from '../main/service/support/partner.ts';
import { registerOrganization } from '#main/service/organizations/organizations.ts';
import { shareService } from '../main/service/support/service.ts';

const { service, insurer, expert } = await shareService();
let strangers: Record<'insurer' | 'expert', Partner>;
/** A case of the expert's with everything in it. */
const ours = { claimId: '', documentId: '', submissionId: '', docId: '' };
/** Another case of the same expert. */
let second = '';

beforeAll(async () => {
  const otherInsurer = await registerOrganization(service.context, {
    kind: 'insurer',
    name: 'Andere',
    members: 1,
    responsible: { name: '', email: '', phone: '' },
  });
  strangers = {
    insurer: await createPartner(otherInsurer, service.baseUrl, {
      audience: service.context.address.audience,
      now: () => service.clock.now(),
    }),
    expert: await service.partner('otherExpert'),
  };
  const claim = await acceptedCase(service, insurer);
  second = (await acceptedCase(service, insurer)).Id;
  const idOf = async (pending: ReturnType<Partner['request']>) =>
    ((await expectDone(pending)).json as { Id: string }).Id;
  ours.claimId = claim.Id;
  ours.documentId = await idOf(
    insurer.request('POST', `/v1/insurers/claims/${claim.Id}/documents`, { body: upload() }),
  );
  ours.submissionId = await idOf(
    expert.request('POST', `/v1/experts/cases/${claim.Id}/reports:draft`, {
      body: { Comment: '' },
    }),
  );
  ours.docId = await idOf(
    expert.request('POST', `/v1/experts/reports/${ours.submissionId}/documents`, {
      body: upload(),
    }),
  );
});

const amounts = { CostEstimateAmount: 1, ApprovedAmount: null };
type Ids = typeof ours;
type Call = [id: string, method: string, path: (ids: Ids) => string, body: unknown];
const calls: Call[] = [
  ['I4', 'GET', (ids) => `/v1/insurers/claims/${ids.claimId}`, undefined],
  ['I5', 'GET', (ids) => `/v1/insurers/claims/${ids.claimId}/documents`, undefined],
  ['I6', 'POST', (ids) => `/v1/insurers/claims/${ids.claimId}/documents`, upload()],
  [
    'I7',
    'GET',
    (ids) => `/v1/insurers/claims/${ids.claimId}/documents/${ids.documentId}`,
    undefined,
  ],
  ['I8', 'GET', (ids) => `/v1/insurers/claims/${ids.claimId}/reports`, undefined],
  [
    'I9',
    'GET',
    (ids) => `/v1/insurers/claims/${ids.claimId}/reports/${ids.submissionId}/documents`,
    undefined,
  ],
  ['X2', 'GET', (ids) => `/v1/experts/cases/${ids.claimId}`, undefined],
  ['X3', 'PUT', (ids) => `/v1/experts/cases/${ids.claimId}/expert-comment`, { Text: '' }],
  ['X4', 'PUT', (ids) => `/v1/experts/cases/${ids.claimId}/amounts`, amounts],
  ['X5', 'POST', (ids) => `/v1/experts/cases/${ids.claimId}:reopen`, { Reason: 'x' }],
  ['X6', 'GET', (ids) => `/v1/experts/cases/${ids.claimId}/documents`, undefined],
  ['X7', 'GET', (ids) => `/v1/experts/cases/${ids.claimId}/documents/${ids.documentId}`, undefined],
  ['X8', 'POST', (ids) => `/v1/experts/cases/${ids.claimId}/reports:draft`, { Comment: '' }],
  ['X9', 'PUT', (ids) => `/v1/experts/cases/${ids.claimId}/reports:draft`, { Comment: '' }],
  ['X10', 'GET', (ids) => `/v1/experts/cases/${ids.claimId}/reports`, undefined],
  [
    'X11',
    'GET',
    (ids) => `/v1/experts/cases/${ids.claimId}/reports/${ids.submissionId}`,
    undefined,
  ],
  ['X12', 'GET', (ids) => `/v1/experts/reports/${ids.submissionId}/documents`, undefined],
  ['X13', 'POST', (ids) => `/v1/experts/reports/${ids.submissionId}/documents`, upload()],
  [
    'X14',
    'DELETE',
    (ids) => `/v1/experts/reports/${ids.submissionId}/documents/${ids.docId}`,
    undefined,
  ],
  ['X15', 'POST', (ids) => `/v1/experts/reports/${ids.submissionId}/submit`, undefined],
];

describe.each(calls)('%s', (id, method, path, body) => {
  const kind = id.startsWith('I') ? 'insurer' : 'expert';
  const request = (partner: Partner, at: string) =>
    partner.request(method, at, { ...(body !== undefined && { body }) });

  test(`${id}: a record of another organization is forbidden`, async () => {
    const answer = await request(strangers[kind], path(ours));
    expect([answer.status, titleOf(answer)]).toEqual([403, 'forbidden']);
  });

  test(`${id}: an id that exists nowhere is not_found`, async () => {
    const unknown = {
      claimId: randomUUID(),
      documentId: randomUUID(),
      submissionId: randomUUID(),
      docId: randomUUID(),
    };
    const answer = await request(kind === 'insurer' ? insurer : expert, path(unknown));
    expect([answer.status, titleOf(answer)]).toEqual([404, 'not_found']);
  });

  test(`${id}: an id that is no uuid is invalid_request`, async () => {
    const wrong = { claimId: '12', documentId: '12', submissionId: '12', docId: '12' };
    const answer = await request(kind === 'insurer' ? insurer : expert, path(wrong));
    expect([answer.status, titleOf(answer)]).toEqual([400, 'invalid_request']);
  });

  test(`${id}: a token of the other kind is invalid_org_context`, async () => {
    const answer = await request(kind === 'insurer' ? expert : insurer, path(ours));
    expect([answer.status, titleOf(answer)]).toEqual([403, 'invalid_org_context']);
  });
});

describe('an inner record under the wrong case', () => {
  test.each(calls.filter(([id]) => ['I7', 'I9', 'X7', 'X11'].includes(id)))(
    '%s: is not_found there',
    async (id, method, path) => {
      const partner = id.startsWith('I') ? insurer : expert;
      const answer = await partner.request(method, path({ ...ours, claimId: second }));
      expect([answer.status, titleOf(answer)]).toEqual([404, 'not_found']);
    },
  );
});

describe('a document under the wrong submission', () => {
  test('X14: is not_found there and stays', async () => {
    const draft = await expectDone(
      expert.request('POST', `/v1/experts/cases/${second}/reports:draft`, {
        body: { Comment: '' },
      }),
    );
    const { Id } = draft.json as { Id: string };
    const path = `/v1/experts/reports/${Id}/documents/${ours.docId}`;
    const answer = await expert.request('DELETE', path);
    expect([answer.status, titleOf(answer)]).toEqual([404, 'not_found']);
    const list = await expert.request('GET', `/v1/experts/reports/${ours.submissionId}/documents`);
    expect(list.json).toMatchObject({ Items: [{ Id: ours.docId }] });
  });
});

describe('ids', () => {
  test('an id is the same in capitals', async () => {
    const answer = await expert.request('GET', `/v1/experts/cases/${ours.claimId.toUpperCase()}`);
    expect(answer.json).toMatchObject({ Id: ours.claimId });
  });
});
