import type { DocumentRule } from '#shared/desk/storage.ts';

/** A case in one of these is on the appraiser's desk. */
export const dueStatuses: readonly string[] = [
  'Assigned',
  'Accepted',
  'InProgress',
  'AdminReturned',
];
/** Inspections within so many days are due. */
export const dueDays = 7;

/** Nothing more is expected of anyone in a case with one of these. */
export const closedStatuses: readonly string[] = ['Final', 'AdminCancelled', 'Rejected'];

const dayMs = 24 * 60 * 60_000;

/**
 * Closed cases that changed last before this moment (ms) keep no documents here; null: all do. The
 * moment of closing itself is not in the partner API, the last change is never before it.
 */
export function closedBeforeMs({ closedDays }: DocumentRule, now: number): number | null {
  return closedDays === null ? null : now - closedDays * dayMs;
}
