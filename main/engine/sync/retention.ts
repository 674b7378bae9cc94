import { endedStatuses } from '#shared/api/states.ts';
import type { DocumentRule } from '#shared/desk/storage.ts';
import { type Clock, dayMs } from '#shared/lib/clock.ts';
import { timeOf } from '#shared/lib/timestamps.ts';
import type { Cache } from '../cache/open-cache.ts';
import type { ClientCase } from '../../partner/answers.ts';
import type { Work } from '../work/open-work.ts';

/**
 * Ended cases whose last change is before this moment (ms) leave the laptop, or keep no documents
 * here; null if all stay. The moment of the end itself is not in the partner API; the last change is
 * never before it.
 */
export function daysBefore(days: number | null, now: number): number | null {
  return days === null ? null : now - days * dayMs;
}

/** Cases with work of the user, or with delivered work that the cache does not show yet. */
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
 * Without the cases that are past their retention and not here: what left the laptop does not come
 * back with the next reading of the list, but does if the partner changes it.
 */
export function withoutPastCases(
  { cache, work, clock, documentRule }: RetentionContext,
  items: readonly ClientCase[],
): readonly ClientCase[] {
  const beforeMs = daysBefore(documentRule().caseDays, clock.now());
  if (beforeMs === null) return items;
  const past = items.filter(
    ({ status, lastChangedAt }) =>
      endedStatuses.includes(status) && timeOf(lastChangedAt) < beforeMs,
  );
  if (past.length === 0) return items;
  const stays = casesThatStay(work);
  for (const { id } of cache.cases.byIds(past.map((item) => item.id))) stays.add(id);
  const leaves = new Set(past.filter(({ id }) => !stays.has(id)));
  return items.filter((item) => !leaves.has(item));
}
