import type { PullEnd, PullState } from './pull-store.ts';

/** The time between two readings of a whole list if something is missing. */
const missingEveryMs = 30 * 60_000;

type Missing = PullState['missing'];

/** Whether the whole list must be read, because the missing cases are not among the changes. */
export function isWholeDue(missing: Missing, nowMs: number): boolean {
  if (missing === null) return false;
  const sinceMs = nowMs - missing.atMs;
  return sinceMs < 0 || sinceMs >= missingEveryMs;
}

/** What is missing after a reading. Only a reading of the whole list can find or clear it. */
export function missingAfter(
  before: Missing,
  { since, incomplete }: Pick<PullEnd, 'incomplete'> & { since: string | null },
  nowMs: number,
): Missing {
  if (since !== null) return before;
  if (incomplete === null) return null;
  return incomplete.reason === 'missing' ? { incomplete, atMs: nowMs } : before;
}
