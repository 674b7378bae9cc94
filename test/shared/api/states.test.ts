import { describe, expect, test } from 'vitest';
import { caseStatuses, type CaseStatus } from '#shared/api/case-words.ts';
import {
  acceptsWork,
  awaitsWork,
  canReopen,
  caseTransitions,
  caseTriggers,
  dueStatuses,
  endedStatuses,
  nextCaseStatus,
  nextSubmissionStatus,
  submissionTransitions,
  submissionTriggers,
  takesDrafts,
  type CaseTrigger,
  type SubmissionTrigger,
} from '#shared/api/states.ts';
import { submissionStatuses, type SubmissionStatus } from '#shared/api/submission.ts';

/** The decisions' table once more, read the other way: a row a status, a column a trigger. */
const expected: Readonly<Record<CaseStatus, Partial<Record<CaseTrigger, CaseStatus>>>> = {
  Created: { assign: 'Assigned', cancel: 'AdminCancelled' },
  Assigned: { accept: 'Accepted', reject: 'Rejected', cancel: 'AdminCancelled' },
  Rejected: { assign: 'Assigned', cancel: 'AdminCancelled' },
  Accepted: { work: 'InProgress', edit: 'Accepted', cancel: 'AdminCancelled' },
  InProgress: {
    work: 'InProgress',
    edit: 'InProgress',
    submit: 'ExpertCompleted',
    cancel: 'AdminCancelled',
  },
  ExpertCompleted: {
    work: 'ExpertCompleted',
    edit: 'ExpertCompleted',
    submit: 'ExpertCompleted',
    approve: 'AdminApproved',
    return: 'AdminReturned',
    cancel: 'AdminCancelled',
  },
  AdminApproved: {
    work: 'AdminApproved',
    edit: 'AdminApproved',
    submit: 'ExpertCompleted',
    finalize: 'Final',
    cancel: 'AdminCancelled',
  },
  AdminReturned: {
    work: 'InProgress',
    edit: 'AdminReturned',
    submit: 'ExpertCompleted',
    cancel: 'AdminCancelled',
  },
  AdminCancelled: { cancel: 'AdminCancelled' },
  Final: { reopen: 'InProgress' },
};

const pairs = caseStatuses.flatMap((from) =>
  caseTriggers.map((trigger) => ({ from, trigger, to: expected[from][trigger] })),
);

describe('case states', () => {
  test.each(pairs)('$from, $trigger: $to', ({ from, trigger, to }) => {
    expect(nextCaseStatus(from, trigger)).toBe(to);
  });

  test('the table names no pair twice', () => {
    const named = caseTransitions.map(({ from, trigger }) => `${from} ${trigger}`);
    expect(new Set(named).size).toBe(named.length);
  });
});

describe('what the desk offers', () => {
  test.each(caseStatuses)('%s: what the service allows', (status) => {
    expect(acceptsWork(status)).toBe(expected[status].work !== undefined);
    expect(acceptsWork(status)).toBe(expected[status].edit !== undefined);
    expect(canReopen(status)).toBe(expected[status].reopen !== undefined);
  });

  test('a case that others may open again awaits work, a closed or cancelled one does not', () => {
    expect(caseStatuses.filter(awaitsWork)).toEqual(['Created', 'Assigned', 'Rejected']);
    expect(caseStatuses.filter((status) => !takesDrafts(status))).toEqual([
      'AdminCancelled',
      'Final',
    ]);
    expect([awaitsWork('Parked'), takesDrafts('Parked')]).toEqual([false, true]);
  });

  test('a status that is not documented is left to the partner', () => {
    expect(acceptsWork('Parked')).toBe(true);
    expect(canReopen('Parked')).toBe(false);
  });

  test('no case is due and ended', () => {
    expect(dueStatuses.filter((status) => endedStatuses.includes(status))).toEqual([]);
  });
});

const expectedOfSubmission: Readonly<
  Record<SubmissionStatus, Partial<Record<SubmissionTrigger, SubmissionStatus>>>
> = {
  Draft: { edit: 'Draft', submit: 'Submitted', cancel: 'Cancelled' },
  Submitted: { approve: 'Approved', return: 'Returned', cancel: 'Cancelled' },
  Approved: {},
  Returned: {},
  Cancelled: {},
};

const submissionPairs = submissionStatuses.flatMap((from) =>
  submissionTriggers.map((trigger) => ({ from, trigger, to: expectedOfSubmission[from][trigger] })),
);

describe('submission states', () => {
  test.each(submissionPairs)('$from, $trigger: $to', ({ from, trigger, to }) => {
    expect(nextSubmissionStatus(from, trigger)).toBe(to);
  });

  test('the table names no pair twice', () => {
    const named = submissionTransitions.map(({ from, trigger }) => `${from} ${trigger}`);
    expect(new Set(named).size).toBe(named.length);
  });
});
