import { aheadMs, timeOf } from '#shared/lib/timestamps.ts';
import type { PullItem } from './pull-store.ts';

/** The longest time after its LastChangedAt until a record becomes visible. */
const overlapMs = 5 * 60_000;
/** The tolerance for servers that store some moments in whole seconds. */
const roundedMs = 2000;

/** The moment from which changes are requested, which is somewhat before the cursor. */
export const overlapped = (since: string) => new Date(timeOf(since) - overlapMs).toISOString();

export const isAhead = (lastChangedAt: string, serverMs: number) =>
  timeOf(lastChangedAt) > serverMs + aheadMs;

export const isBefore = (one: string | null, other: string) =>
  one === null || timeOf(one) < timeOf(other);

/**
 * The times at which these cases changed. Times in the future, which a careless or hostile server
 * may send, are left out.
 */
export function timesOf(items: readonly PullItem[], serverMs: number): string[] {
  return items
    .map(({ lastChangedAt }) => lastChangedAt)
    .filter((lastChangedAt) => lastChangedAt !== '' && !isAhead(lastChangedAt, serverMs));
}

/** The number of these cases that a filter by this moment should have left out. */
export function olderThan(items: readonly PullItem[], since: string): number {
  const fromMs = timeOf(since) - roundedMs;
  return items.filter(({ lastChangedAt }) => lastChangedAt !== '' && timeOf(lastChangedAt) < fromMs)
    .length;
}

/**
 * The latest of some timestamps as the server wrote it, so that the cursor loses no digit. If the
 * server's own time (to the second) is later, it is the result.
 */
export function latest(timestamps: readonly (string | null)[], serverMs: number): string | null {
  let highest: string | null = null;
  for (const timestamp of timestamps) {
    if (timestamp === null) continue;
    if (highest === null || isLater(timestamp, highest)) highest = timestamp;
  }
  const isLate = highest !== null && timeOf(highest) >= serverMs + 1000;
  return isLate ? new Date(serverMs).toISOString() : highest;
}

/**
 * Whether a moment is later. The comparison is finer than milliseconds if both have the same form.
 */
function isLater(a: string, b: string): boolean {
  const difference = timeOf(a) - timeOf(b);
  return difference === 0 ? a > b : difference > 0;
}
