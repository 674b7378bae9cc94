// What can be chosen of cases, apart from the schemas, so that the window starts without them.

/** Cases that can be chosen at once. */
export const selectionMax = 10_000;

export const exportFormats = ['csv', 'xlsx', 'json'] as const;

/**
 * Fields of a case that the user types into: the two amounts, the comment, the reason to reopen.
 */
export const editParts = ['estimate', 'approved', 'comment', 'reason'] as const;
export type EditPart = (typeof editParts)[number];

/**
 * Open cases that are late: inspected, or created, more than this many days ago.
 */
export const lateChoices = ['visit7', 'visit14', 'visit30', 'age30', 'age60', 'age90'] as const;
export type LateChoice = (typeof lateChoices)[number];

/** A name of the office for whom a case is in hand. */
export const handlerMaxLength = 80;

/** Columns of the list that a page can be sorted by: all of them. */
export const caseSorts = [
  'lastChangedAt',
  'createdAt',
  'inspectionDate',
  'externalKey',
  'status',
  'category',
  'partyName',
  'subject',
  'licensePlate',
  'place',
  'insurer',
  'policyNumber',
  'inspectionType',
  'incidentDate',
  'costEstimateRappen',
  'approvedRappen',
  'savingsRappen',
  'ageDays',
  'daysSinceVisit',
  'handledBy',
] as const;
export type CaseSort = (typeof caseSorts)[number];
