import type { CaseSort } from '#shared/desk/case-choices.ts';

export interface CaseColumn {
  readonly name: CaseSort;
  /** Its least width. */
  readonly em: number;
  /** Aligns figures. */
  readonly end?: true;
}

/**
 * Columns of the table, each of which can be sorted by. The first ones and a scroll bar fit into a
 * window of 1366 px, their names whole.
 */
export const caseColumns: readonly CaseColumn[] = [
  { name: 'externalKey', em: 10.8 },
  { name: 'partyName', em: 14.5 },
  { name: 'status', em: 13.2 },
  { name: 'category', em: 9 },
  { name: 'subject', em: 12.4 },
  { name: 'licensePlate', em: 9.4 },
  { name: 'place', em: 12 },
  { name: 'inspectionDate', em: 8.7 },
  { name: 'inspectionType', em: 12 },
  { name: 'incidentDate', em: 9 },
  { name: 'costEstimateRappen', em: 8.5, end: true },
  { name: 'approvedRappen', em: 8.4, end: true },
  { name: 'savingsRappen', em: 8.5, end: true },
  { name: 'insurer', em: 13 },
  { name: 'policyNumber', em: 10 },
  { name: 'ageDays', em: 9, end: true },
  { name: 'daysSinceVisit', em: 15, end: true },
  { name: 'handledBy', em: 18 },
  { name: 'createdAt', em: 9.5 },
  { name: 'lastChangedAt', em: 11.5 },
];

/** What a table shows until the user chooses. */
export const firstColumns: readonly CaseSort[] = [
  'externalKey',
  'partyName',
  'status',
  'subject',
  'licensePlate',
  'place',
  'inspectionDate',
  'approvedRappen',
];

/** Dates, ages and amounts are read from the latest and the highest, everything else from A. */
export function readsDownwards(sort: CaseSort): boolean {
  const downwards = ['lastChangedAt', 'createdAt', 'incidentDate', 'ageDays', 'daysSinceVisit'];
  return downwards.includes(sort) || sort.endsWith('Rappen');
}

/** Names that are columns, in the table's order; all of the first ones if none is. */
export function knownColumns(names: readonly unknown[]): CaseSort[] {
  const known = caseColumns.map(({ name }) => name).filter((name) => names.includes(name));
  return known.length > 0 ? known : [...firstColumns];
}
