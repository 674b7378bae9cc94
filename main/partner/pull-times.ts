import { aheadMs, timeOf } from '#shared/lib/timestamps.ts';
import type { PullItem } from './pull-store.ts';

/** A record may become visible this much later than its LastChangedAt. */
const overlapMs = 5 * 60_000;
/** Servers store some moments in whole seconds. */
const roundedMs = 2000;

/** What is asked for from a cursor on. */
export const overlapped = (since: string) => new Date(timeOf(since) - overlapMs).toISOString();

export const isAhead = (lastChangedAt: string, serverMs: number) =>
  timeOf(lastChangedAt) > serverMs + aheadMs;

export const isBefore = (one: string | null, other: string) =>
  one === null || timeOf(one) < timeOf(other);

/** When these cases changed, without those that a careless or hostile server dates in the future. */
export function timesOf(items: readonly PullItem[], serverMs: number): string[] {
  return items
    .map(({ lastChangedAt }) => lastChangedAt)
    .filter((lastChangedAt) => lastChangedAt !== '' && !isAhead(lastChangedAt, serverMs));
}

/** How many of these cases a filter by this moment should have left out. */
export function olderThan(items: readonly PullItem[], since: string): number {
  const fromMs = timeOf(since) - roundedMs;
  return items.filter(({ lastChangedAt }) => lastChangedAt !== '' && timeOf(lastChangedAt) < fromMs)
    .length;
}

/**
 * The latest of timestamps as the server wrote them, so that no digit of the cursor is lost; the
 * server's own time (its second) if it is later than that.
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

/** Finer than milliseconds if both are written in the same form. */
function isLater(a: string, b: string): boolean {
  const difference = timeOf(a) - timeOf(b);
  return difference === 0 ? a > b : difference > 0;
}
