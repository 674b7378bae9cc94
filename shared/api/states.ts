import { caseStatuses, type CaseStatus } from './case-words.ts';
import type { SubmissionStatus } from './submission.ts';

/*
 * The state machines of a case and of a report submission (decisions, "States"). The service
 * enforces them; the desk uses them to decide what it offers.
 */

/** The actions of the insurer's back office on a case. */
export const officeTriggers = [
  'assign',
  'accept',
  'reject',
  'approve',
  'return',
  'finalize',
  'cancel',
] as const;

/**
 * What can happen to a case. `work` is an expert comment, an amount or a new draft; `edit` is a
 * change of an open draft.
 */
export const caseTriggers = [...officeTriggers, 'work', 'edit', 'submit', 'reopen'] as const;
export type CaseTrigger = (typeof caseTriggers)[number];

export interface CaseTransition {
  readonly from: CaseStatus;
  readonly trigger: CaseTrigger;
  readonly to: CaseStatus;
}

const moves = (trigger: CaseTrigger, from: readonly CaseStatus[], to: CaseStatus) =>
  from.map((status): CaseTransition => ({ from: status, trigger, to }));

const stays = (trigger: CaseTrigger, statuses: readonly CaseStatus[]) =>
  statuses.map((status): CaseTransition => ({ from: status, trigger, to: status }));

/** The transitions of a case. A pair that is not in this table is `invalid_state`. */
export const caseTransitions: readonly CaseTransition[] = [
  ...moves('assign', ['Created', 'Rejected'], 'Assigned'),
  ...moves('accept', ['Assigned'], 'Accepted'),
  ...moves('reject', ['Assigned'], 'Rejected'),
  ...moves('work', ['Accepted', 'AdminReturned'], 'InProgress'),
  ...stays('work', ['InProgress', 'ExpertCompleted', 'AdminApproved']),
  ...stays('edit', ['Accepted', 'InProgress', 'ExpertCompleted', 'AdminApproved', 'AdminReturned']),
  ...moves(
    'submit',
    ['InProgress', 'AdminReturned', 'ExpertCompleted', 'AdminApproved'],
    'ExpertCompleted',
  ),
  ...moves('approve', ['ExpertCompleted'], 'AdminApproved'),
  ...moves('return', ['ExpertCompleted'], 'AdminReturned'),
  ...moves(
    'cancel',
    caseStatuses.filter((status) => status !== 'Final'),
    'AdminCancelled',
  ),
  ...moves('finalize', ['AdminApproved'], 'Final'),
  ...moves('reopen', ['Final'], 'InProgress'),
];

/** The status that the trigger leads to, or undefined if it is not allowed. */
export function nextCaseStatus(from: string, trigger: CaseTrigger): CaseStatus | undefined {
  return caseTransitions.find((row) => row.from === from && row.trigger === trigger)?.to;
}

/**
 * Whether a case takes comments, amounts and reports now.
 * @param status from the partner; if it is not documented, the partner decides, and the answer is
 *   yes.
 */
export function acceptsWork(status: string): boolean {
  const isKnown = caseStatuses.some((one) => one === status);
  return !isKnown || nextCaseStatus(status, 'work') !== undefined;
}

/**
 * Whether a case takes no work now, but may take it later without an action of the expert. Work for
 * such a case waits. A closed case does not count, because only the expert can reopen it.
 */
export function awaitsWork(status: string): boolean {
  const seen = new Set<string>([status]);
  for (const from of seen) {
    for (const row of caseTransitions) {
      if (row.from === from && row.trigger !== 'reopen') seen.add(row.to);
    }
  }
  return !acceptsWork(status) && [...seen].some(acceptsWork);
}

/** Whether the user may work on a case: it takes work now, or the work waits until it does. */
export function takesDrafts(status: string): boolean {
  return acceptsWork(status) || awaitsWork(status);
}

/** Whether a case can be reopened: only a closed one can. */
export function canReopen(status: string): boolean {
  return nextCaseStatus(status, 'reopen') !== undefined;
}

/** The statuses in which the inspection is ahead or the report is still to be written. */
export const dueStatuses: readonly string[] = [
  'Assigned',
  'Accepted',
  'InProgress',
  'AdminReturned',
] satisfies CaseStatus[];

/** The statuses in which nobody has anything left to do. */
export const endedStatuses: readonly string[] = [
  'Rejected',
  'AdminCancelled',
  'Final',
] satisfies CaseStatus[];

/** The statuses in which the report is with the insurer, and the expert has nothing to do. */
const handedInStatuses: readonly string[] = [
  'ExpertCompleted',
  'AdminApproved',
] satisfies CaseStatus[];

/** The statuses in which the expert's office has nothing left to do. */
export const closedForExperts: readonly string[] = [...handedInStatuses, ...endedStatuses];

/**
 * Whether the expert's office still has something to do. This includes statuses that are not
 * documented.
 */
export const isOpenStatus = (status: string): boolean => !closedForExperts.includes(status);

/** What can happen to a submission. `edit` is a change of its comment or documents. */
export const submissionTriggers = ['edit', 'submit', 'approve', 'return', 'cancel'] as const;
export type SubmissionTrigger = (typeof submissionTriggers)[number];

interface SubmissionTransition {
  readonly from: SubmissionStatus;
  readonly trigger: SubmissionTrigger;
  readonly to: SubmissionStatus;
}

/** The transitions of a submission. A pair that is not in this table is `invalid_state`. */
export const submissionTransitions: readonly SubmissionTransition[] = [
  { from: 'Draft', trigger: 'edit', to: 'Draft' },
  { from: 'Draft', trigger: 'submit', to: 'Submitted' },
  { from: 'Submitted', trigger: 'approve', to: 'Approved' },
  { from: 'Submitted', trigger: 'return', to: 'Returned' },
  { from: 'Draft', trigger: 'cancel', to: 'Cancelled' },
  { from: 'Submitted', trigger: 'cancel', to: 'Cancelled' },
];

/** The status that the trigger leads to, or undefined if it is not allowed. */
export function nextSubmissionStatus(
  from: SubmissionStatus,
  trigger: SubmissionTrigger,
): SubmissionStatus | undefined {
  return submissionTransitions.find((row) => row.from === from && row.trigger === trigger)?.to;
}
