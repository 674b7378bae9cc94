import type { SubmissionStatus } from '#shared/api/submission.ts';

/** What can happen to a submission. `edit` is a change of its comment or documents. */
export const submissionTriggers = ['edit', 'submit', 'approve', 'return', 'cancel'] as const;
export type SubmissionTrigger = (typeof submissionTriggers)[number];

interface SubmissionTransition {
  readonly from: SubmissionStatus;
  readonly trigger: SubmissionTrigger;
  readonly to: SubmissionStatus;
}

/** The submission's state machine (decisions, "States"); a pair not in it is `invalid_state`. */
export const submissionTransitions: readonly SubmissionTransition[] = [
  { from: 'Draft', trigger: 'edit', to: 'Draft' },
  { from: 'Draft', trigger: 'submit', to: 'Submitted' },
  { from: 'Submitted', trigger: 'approve', to: 'Approved' },
  { from: 'Submitted', trigger: 'return', to: 'Returned' },
  { from: 'Draft', trigger: 'cancel', to: 'Cancelled' },
  { from: 'Submitted', trigger: 'cancel', to: 'Cancelled' },
];

/** The status that the trigger leads to, or undefined where it is not allowed. */
export function nextSubmissionStatus(
  from: SubmissionStatus,
  trigger: SubmissionTrigger,
): SubmissionStatus | undefined {
  return submissionTransitions.find((row) => row.from === from && row.trigger === trigger)?.to;
}
