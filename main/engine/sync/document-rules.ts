import type { DocumentRule } from '#shared/desk/storage.ts';

/** Inspections within so many days are due. */
export const dueDays = 7;

const dayMs = 24 * 60 * 60_000;

/**
 * Closed cases that changed last before this moment (ms) keep no documents here; null: all do. The
 * moment of closing itself is not in the partner API, the last change is never before it.
 */
export function closedBeforeMs({ closedDays }: DocumentRule, now: number): number | null {
  return closedDays === null ? null : now - closedDays * dayMs;
}
