import { endedStatuses } from '#shared/api/states.ts';
import type { DocumentRule } from '#shared/desk/setup/storage.ts';
import { type Clock, dayMs } from '#shared/lib/clock.ts';
import { timeOf } from '#shared/lib/timestamps.ts';
import type { Cache } from '../cache/open-cache.ts';
import type { ClientCase } from '../../partner/answers/answers.ts';
import type { Work } from '../work/open-work.ts';

/**
 * The moment (ms) before which the last change of an ended case must be, so that the case or its
 * documents are removed; null if all stay. The partner API does not have the time of the end
 * itself, but the last change is never before it.
 */
export function daysBefore(days: number, now: number): number;
export function daysBefore(days: number | null, now: number): number | null;
export function daysBefore(days: number | null, now: number): number | null {
  return days === null ? null : now - days * dayMs;
}

/** Whether a case has ended and was last changed before a moment, ms; null: no case counts as past. */
export function hasEndedBefore(
  { status, changedAtMs }: { readonly status: string; readonly changedAtMs: number },
  beforeMs: number | null,
): boolean {
  return beforeMs !== null && ended.has(status) && changedAtMs < beforeMs;
}

const ended: ReadonlySet<string> = new Set(endedStatuses);

/** The cases with work of the user, or with delivered work that the cache does not show yet. */
export function casesThatStay(work: Work): Set<string> {
  const stays = work.casesInWork();
  for (const { caseId } of work.overlays.delivered()) stays.add(caseId);
  return stays;
}

export interface RetentionContext {
  readonly cache: Cache;
  readonly work: Work;
  readonly clock: Clock;
  readonly documentRule: () => DocumentRule;
}

/**
 * Leaves out cases that are past their retention and not on the laptop. A removed case must not
 * return with the next reading of the list, but returns if the partner changes it.
 */
export function withoutPastCases(
  { cache, work, clock, documentRule }: RetentionContext,
  items: readonly ClientCase[],
): readonly ClientCase[] {
  const beforeMs = daysBefore(documentRule().caseDays, clock.now());
  const past = items.filter(({ status, lastChangedAt }) =>
    hasEndedBefore({ status, changedAtMs: timeOf(lastChangedAt) }, beforeMs),
  );
  if (past.length === 0) return items;
  const stays = casesThatStay(work);
  for (const { id } of cache.cases.byIds(past.map((item) => item.id))) stays.add(id);
  const leaves = new Set(past.filter(({ id }) => !stays.has(id)));
  return items.filter((item) => !leaves.has(item));
}
