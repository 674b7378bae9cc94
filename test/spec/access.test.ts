import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import {
  acceptedCase,
  attach,
  idOf,
  openDraft,
  titleOf,
  upload,
} from '../main/service/support/claims.ts';
import type { Partner } from '../main/service/support/partner.ts';
import { createPartner } from '../main/service/support/partner.ts';
import { registerOrganization } from '#main/service/organizations/organizations.ts';
import { shareService } from '../main/service/support/service.ts';

const { service, insurer, expert } = await shareService();
let strangers: Record<'insurer' | 'expert', Partner>;
/** A case of the expert's with everything in it. */
const ours = { claimId: '', caseId: '', documentId: '', submissionId: '', docId: '' };
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
  ours.claimId = claim.Id;
  ours.caseId = claim.Id;
  ours.documentId = await idOf(
    insurer.request('POST', `/v1/insurers/claims/${claim.Id}/documents`, { body: upload() }),
  );
  ours.submissionId = await openDraft(expert, claim.Id);
  ours.docId = await attach(expert, ours.submissionId);
});

const amounts = { CostEstimateAmount: 1, ApprovedAmount: null };
/** Ids in a path are named as in `ours`. */
type Call = [id: string, method: string, path: string, body?: object];
const calls: Call[] = [
  ['I4', 'GET', '/v1/insurers/claims/{claimId}'],
  ['I5', 'GET', '/v1/insurers/claims/{claimId}/documents'],
  ['I6', 'POST', '/v1/insurers/claims/{claimId}/documents', upload()],
  ['I7', 'GET', '/v1/insurers/claims/{claimId}/documents/{documentId}'],
  ['I8', 'GET', '/v1/insurers/claims/{claimId}/reports'],
  ['I9', 'GET', '/v1/insurers/claims/{claimId}/reports/{submissionId}/documents'],
  ['X2', 'GET', '/v1/experts/cases/{caseId}'],
  ['X3', 'PUT', '/v1/experts/cases/{caseId}/expert-comment', { Text: '' }],
  ['X4', 'PUT', '/v1/experts/cases/{caseId}/amounts', amounts],
  ['X5', 'POST', '/v1/experts/cases/{caseId}:reopen', { Reason: 'x' }],
  ['X6', 'GET', '/v1/experts/cases/{caseId}/documents'],
  ['X7', 'GET', '/v1/experts/cases/{caseId}/documents/{documentId}'],
  ['X8', 'POST', '/v1/experts/cases/{caseId}/reports:draft', { Comment: '' }],
  ['X9', 'PUT', '/v1/experts/cases/{caseId}/reports:draft', { Comment: '' }],
  ['X10', 'GET', '/v1/experts/cases/{caseId}/reports'],
  ['X11', 'GET', '/v1/experts/cases/{caseId}/reports/{submissionId}'],
  ['X12', 'GET', '/v1/experts/reports/{submissionId}/documents'],
  ['X13', 'POST', '/v1/experts/reports/{submissionId}/documents', upload()],
  ['X14', 'DELETE', '/v1/experts/reports/{submissionId}/documents/{docId}'],
  ['X15', 'POST', '/v1/experts/reports/{submissionId}/submit'],
];
const parameter = /\{(\w+)\}/g;
const pathOf = (path: string, ids: Readonly<Record<string, string>>) =>
  path.replaceAll(parameter, (_, name: string) => ids[name] ?? '');

describe.each(calls)('%s', (id, method, path, body) => {
  const kind = id.startsWith('I') ? 'insurer' : 'expert';
  const request = (partner: Partner, at: string) =>
    partner.request(method, at, { ...(body !== undefined && { body }) });

  test(`${id}: a record of another organization is forbidden`, async () => {
    const answer = await request(strangers[kind], pathOf(path, ours));
    expect([answer.status, titleOf(answer)]).toEqual([403, 'forbidden']);
  });

  test(`${id}: an id that exists nowhere is not_found`, async () => {
    const unknown = path.replaceAll(parameter, () => randomUUID());
    const answer = await request(kind === 'insurer' ? insurer : expert, unknown);
    expect([answer.status, titleOf(answer)]).toEqual([404, 'not_found']);
  });

  test(`${id}: an id that is no uuid is invalid_request`, async () => {
    const wrong = path.replaceAll(parameter, '12');
    const answer = await request(kind === 'insurer' ? insurer : expert, wrong);
    expect([answer.status, titleOf(answer)]).toEqual([400, 'invalid_request']);
    const { errors } = answer.json as { errors: object };
    expect(Object.keys(errors)).toEqual([...path.matchAll(parameter)].map(([, name]) => name));
  });

  test(`${id}: a token of the other kind is invalid_org_context`, async () => {
    const answer = await request(kind === 'insurer' ? expert : insurer, pathOf(path, ours));
    expect([answer.status, titleOf(answer)]).toEqual([403, 'invalid_org_context']);
  });
});

describe('an inner record under the wrong case', () => {
  test.each(calls.filter(([id]) => ['I7', 'I9', 'X7', 'X11'].includes(id)))(
    '%s: is not_found there',
    async (id, method, path) => {
      const partner = id.startsWith('I') ? insurer : expert;
      const answer = await partner.request(
        method,
        pathOf(path, { ...ours, claimId: second, caseId: second }),
      );
      expect([answer.status, titleOf(answer)]).toEqual([404, 'not_found']);
    },
  );
});

describe('a document under the wrong submission', () => {
  test('X14: is not_found there and stays', async () => {
    const path = `/v1/experts/reports/${await openDraft(expert, second)}/documents/${ours.docId}`;
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
