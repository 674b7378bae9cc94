import { caseStatuses } from '#shared/api/case-words.ts';

/** Statuses in which the partner accepts amounts, comments and reports. */
const working = ['Accepted', 'InProgress', 'ExpertCompleted', 'AdminApproved', 'AdminReturned'];

/** Whether work on a case can be accepted; a status that the desk does not know is left to the engine. */
export const acceptsWork = (status: string): boolean =>
  working.includes(status) || !caseStatuses.some((known) => known === status);

/** Only a closed case can be reopened. */
export const canReopen = (status: string): boolean => status === 'Final';
