import type { PullEnd, PullState } from './pull-store.ts';

/** Between readings of a whole list in which something was missing. */
const missingEveryMs = 30 * 60_000;

type Missing = PullState['missing'];

/** Whether the whole list is to be read, because what is missing is not among the changes. */
export function isWholeDue(missing: Missing, nowMs: number): boolean {
  if (missing === null) return false;
  const sinceMs = nowMs - missing.atMs;
  return sinceMs < 0 || sinceMs >= missingEveryMs;
}

/** What is missing after a reading: only one of the whole list can find or end it. */
export function missingAfter(
  before: Missing,
  { since, incomplete }: Pick<PullEnd, 'incomplete'> & { since: string | null },
  nowMs: number,
): Missing {
  if (since !== null) return before;
  if (incomplete === null) return null;
  return incomplete.reason === 'missing' ? { incomplete, atMs: nowMs } : before;
}
