import type { CaseStatus } from '#shared/api/case-words.ts';
import { caseStatuses } from '#shared/api/case-words.ts';

/** What can happen to a case. `work` is an expert comment, an amount or a new draft; `edit` is
 * what the expert does to an open draft. */
export const caseTriggers = [
  'assign',
  'accept',
  'reject',
  'work',
  'edit',
  'submit',
  'approve',
  'return',
  'cancel',
  'finalize',
  'reopen',
] as const;
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

/**
 * The case's state machine (specification, "States and transitions"; decisions, "States").
 * A pair that is not in this table is `invalid_state`.
 */
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

/** The status that the trigger leads to, or undefined where it is not allowed. */
export function nextCaseStatus(from: CaseStatus, trigger: CaseTrigger): CaseStatus | undefined {
  return caseTransitions.find((row) => row.from === from && row.trigger === trigger)?.to;
}
