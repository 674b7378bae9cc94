import { describe, expect, test } from 'vitest';
import { caseStatuses, type CaseStatus } from '#shared/api/case.ts';
import {
  caseTransitions,
  caseTriggers,
  nextCaseStatus,
  type CaseTrigger,
} from '#main/service/states/case-states.ts';

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
