/**
 * The categories and states of a case. They are not in the file of the schemas, so that the window
 * starts without the schema library.
 */
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
