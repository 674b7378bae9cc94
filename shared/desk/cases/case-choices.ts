// The choices among cases are not in the file of the schemas, so that the window starts without the
// schema library.

/** The most cases that can be selected at the same time. */
export const selectionMax = 10_000;

export const exportFormats = ['csv', 'xlsx', 'json'] as const;

/**
 * The fields of a case that the user types into: the two amounts, the comment, and the reason to
 * reopen.
 */
export const editParts = ['estimate', 'approved', 'comment', 'reason'] as const;
export type EditPart = (typeof editParts)[number];

/**
 * The choices of late cases: open cases whose inspection, or whose creation, is more than this many
 * days ago.
 */
export const lateChoices = ['visit7', 'visit14', 'visit30', 'age30', 'age60', 'age90'] as const;
export type LateChoice = (typeof lateChoices)[number];

/**
 * The number of cases by days since they were created, from (inclusive) to (exclusive). The last
 * range has no upper bound.
 */
export const ageBounds = [0, 7, 14, 30, 60, 90] as const;

/** The name of the person of the office who handles the case. */
export const handlerMaxLength = 80;

/** The columns of the list by which a page can be sorted, which are all of them. */
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
