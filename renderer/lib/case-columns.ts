import type { CaseSort } from '#shared/desk/cases/case-choices.ts';

export interface CaseColumn {
  readonly name: CaseSort;
  /** The minimum width of the column in em. */
  readonly em: number;
  /** Whether the values are aligned at the end, as figures are. */
  readonly end?: true;
}

/**
 * The columns of the table, each of which can sort it. The first ones and a scroll bar fit into a
 * window of 1366 px with their complete names.
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

/** The columns that a table shows until the user chooses. */
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

/**
 * Whether a column begins with the highest value: dates, ages and amounts do, all others begin with
 * A.
 */
export function readsDownwards(sort: CaseSort): boolean {
  const downwards = ['lastChangedAt', 'createdAt', 'incidentDate', 'ageDays', 'daysSinceVisit'];
  return downwards.includes(sort) || sort.endsWith('Rappen');
}

/**
 * Returns the names that are columns, in the table's order. If none of the names is a column, it
 * returns all of the first columns.
 */
export function knownColumns(names: readonly unknown[]): CaseSort[] {
  const known = caseColumns.map(({ name }) => name).filter((name) => names.includes(name));
  return known.length > 0 ? known : [...firstColumns];
}
