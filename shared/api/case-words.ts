/** Categories and states of a case. Apart from the schemas, so that the window starts without them. */
export const categories = ['vehicle', 'appraiser', 'fraud', 'special'] as const;
export type Category = (typeof categories)[number];

export const caseStatuses = [
  'Created',
  'Assigned',
  'Rejected',
  'Accepted',
  'InProgress',
  'ExpertCompleted',
  'AdminApproved',
  'AdminReturned',
  'AdminCancelled',
  'Final',
] as const;
export type CaseStatus = (typeof caseStatuses)[number];
