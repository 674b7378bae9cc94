import { expect, test } from 'vitest';
import { DeskError } from '#shared/desk/contract/errors.ts';
import {
  assertDraftMatches,
  assertSubmittedMatches,
  assertUploadMatches,
  assertValueMatches,
} from '#main/engine/sync/check-answer.ts';
import type { StoredAttachment } from '#main/engine/work/attachment-rows.ts';
import type { ClientEcho, ClientSubmission, ClientUpload } from '#main/partner/answers/answers.ts';

const caseId = '00000000-0000-4000-8000-000000000001';
const other = '00000000-0000-4000-8000-000000000002';
const comment = { kind: 'comment', text: 'Grüezi', seen: '' } as const;
const amounts = {
  kind: 'amounts',
  costEstimateRappen: 100,
  approvedRappen: null,
  seen: { costEstimateRappen: null, approvedRappen: null },
} as const;
const reopen = { kind: 'reopen', reason: 'neue Teile' } as const;
type Value = Parameters<typeof assertValueMatches>[0];

const nothing: ClientEcho = {
  id: undefined,
  status: undefined,
  comment: undefined,
  costEstimateRappen: undefined,
  approvedRappen: undefined,
};

/** Returns what the refusal names, or undefined without one. */
function named(check: () => void): unknown {
  try {
    check();
    return undefined;
  } catch (error) {
    return error instanceof DeskError && error.code === 'answer_mismatch'
      ? error.problem.params
      : error;
  }
}

const contradiction = (act: Value, echo: Partial<ClientEcho> | null) =>
  named(() => assertValueMatches(act, echo && { ...nothing, ...echo }, caseId));

test.each<readonly [Value, Partial<ClientEcho> | null]>([
  [comment, null],
  [comment, {}],
  [comment, { id: caseId.toUpperCase(), comment: 'Gru\u0308ezi' }],
  // What another act sets is no matter of this one.
  [comment, { costEstimateRappen: 5, approvedRappen: 5, status: 'Final' }],
  [amounts, { id: caseId, costEstimateRappen: 100, approvedRappen: null }],
  [amounts, { comment: 'another', status: 'Final' }],
  [reopen, { status: 'InProgress', comment: 'another', costEstimateRappen: 5 }],
])('an answer to %o of %o contradicts nothing', (act, echo) => {
  expect(contradiction(act, echo)).toBeUndefined();
});

test.each<readonly [Value, Partial<ClientEcho>, string, string]>([
  [comment, { id: other }, 'X3', 'Id'],
  [comment, { comment: 'another' }, 'X3', 'ExpertComment'],
  [amounts, { id: other }, 'X4', 'Id'],
  [amounts, { costEstimateRappen: 101 }, 'X4', 'CostEstimateAmount'],
  [amounts, { costEstimateRappen: null }, 'X4', 'CostEstimateAmount'],
  [amounts, { approvedRappen: 0 }, 'X4', 'ApprovedAmount'],
  [reopen, { id: other }, 'X5', 'Id'],
  [reopen, { status: 'Final' }, 'X5', 'Status'],
])('an answer to %o of %o contradicts it', (act, echo, operation, field) => {
  expect(contradiction(act, echo)).toEqual({ operation, field });
});

test.each(['X8', 'X9'] as const)('%s: a draft is of the case, and a draft', (operation) => {
  // The other fields are not looked at.
  const of = (draft: Partial<ClientSubmission>) =>
    named(() => assertDraftMatches(operation, draft as ClientSubmission, caseId));
  expect(of({ caseId, status: 'Draft' })).toBeUndefined();
  expect(of({ caseId: other, status: 'Draft' })).toEqual({ operation, field: 'ClaimId' });
  expect(of({ caseId, status: 'Submitted' })).toEqual({ operation, field: 'Status' });
});

test('X15: a submission is the one that was submitted, of the case, and no draft any more', () => {
  const [id, its] = ['00000000-0000-4000-8000-00000000000a', { caseId, status: 'Submitted' }];
  const of = (submission: Partial<ClientSubmission>) =>
    named(() => assertSubmittedMatches(submission as ClientSubmission, id, caseId));
  expect(of({ id: id.toUpperCase(), ...its })).toBeUndefined();
  for (const status of ['Submitted', 'Approved', 'Returned'])
    expect(of({ id, ...its, status, submittedAt: null })).toBeUndefined();
  expect(of({ id: other, ...its })).toEqual({ operation: 'X15', field: 'Id' });
  expect(of({ id, ...its, caseId: other })).toEqual({ operation: 'X15', field: 'ClaimId' });
  const draft = { submittedAt: null, status: 'Draft' };
  expect(of({ id, ...its, ...draft })).toEqual({ operation: 'X15', field: 'Status' });
});

test('X15: a cancelled submission was submitted if it says when', () => {
  const [id, its] = ['00000000-0000-4000-8000-00000000000a', { caseId, status: 'Cancelled' }];
  const of = (submittedAt: string | null) =>
    named(() =>
      assertSubmittedMatches({ id, ...its, submittedAt } as ClientSubmission, id, caseId),
    );
  expect(of('2026-06-15T10:00:00Z')).toBeUndefined();
  expect(of(null)).toEqual({ operation: 'X15', field: 'Status' });
});

const attachment = { fileName: 'Gr\u00fcezi.pdf', sizeBytes: 7, isSalvageSale: false };
const submissionId = '00000000-0000-4000-8000-00000000000b';
const upload = (answer: Partial<ClientUpload>) => {
  const absent = { fileName: null, sizeBytes: null, isSalvageSale: null };
  const given = { submissionId: null, caseId: null, ...absent, ...answer } as ClientUpload;
  const sent = attachment as StoredAttachment;
  return named(() => assertUploadMatches(given, sent, submissionId, caseId));
};

test.each<Partial<ClientUpload>>([
  {},
  { submissionId: submissionId.toUpperCase(), caseId: caseId.toUpperCase() },
  { ...attachment },
  { fileName: 'Gru\u0308ezi.pdf' },
])('X13: an answer of %o contradicts nothing', (answer) => {
  expect(upload(answer)).toBeUndefined();
});

test.each<readonly [string, Partial<ClientUpload>]>([
  ['SubmissionId', { submissionId: other }],
  ['ClaimId', { caseId: other }],
  ['FileName', { fileName: 'gr\u00fcezi.pdf' }],
  ['SizeBytes', { sizeBytes: 0 }],
  ['IsSalvageSale', { isSalvageSale: true }],
])('X13: another %s contradicts the upload', (field, answer) => {
  expect(upload(answer)).toEqual({ operation: 'X13', field });
});
