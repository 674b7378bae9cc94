import { describe, expect, test } from 'vitest';
import { submissionStatuses, type SubmissionStatus } from '#shared/api/submission.ts';
import {
  nextSubmissionStatus,
  submissionTransitions,
  submissionTriggers,
  type SubmissionTrigger,
} from '#main/service/states/submission-states.ts';

const expected: Readonly<
  Record<SubmissionStatus, Partial<Record<SubmissionTrigger, SubmissionStatus>>>
> = {
  Draft: { edit: 'Draft', submit: 'Submitted', cancel: 'Cancelled' },
  Submitted: { approve: 'Approved', return: 'Returned', cancel: 'Cancelled' },
  Approved: {},
  Returned: {},
  Cancelled: {},
};

const pairs = submissionStatuses.flatMap((from) =>
  submissionTriggers.map((trigger) => ({ from, trigger, to: expected[from][trigger] })),
);

describe('submission states', () => {
  test.each(pairs)('$from, $trigger: $to', ({ from, trigger, to }) => {
    expect(nextSubmissionStatus(from, trigger)).toBe(to);
  });

  test('the table names no pair twice', () => {
    const named = submissionTransitions.map(({ from, trigger }) => `${from} ${trigger}`);
    expect(new Set(named).size).toBe(named.length);
  });
});
