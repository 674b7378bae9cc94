import { expect, test } from 'vitest';
import { DeskError } from '#shared/desk/contract/errors.ts';
import { assertDraftMatches, assertValueMatches } from '#main/engine/sync/check-answer.ts';
import type { ClientEcho, ClientSubmission } from '#main/partner/answers/answers.ts';

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
