import { isOpenStatus } from '../../api/states.ts';
import { dayMs } from '../../lib/clock.ts';
import { addDays, isCalendarDay, zurichDay } from '../../lib/zurich-day.ts';
import type { LateChoice } from './case-choices.ts';
import type { CaseSummary } from './cases.ts';

/**
 * The ages of a case in whole days; null if the case is not open, or the day is unknown or in the
 * future.
 */
export interface CaseAges {
  /** The days since the insurer created the case. */
  readonly ageDays: number | null;
  /** The days since the day of the inspection. */
  readonly daysSinceVisit: number | null;
}

/** How long a case has been open. @param today YYYY-MM-DD in Zurich */
export function agesOf(
  {
    status,
    createdAt,
    inspectionDate,
  }: Pick<CaseSummary, 'status' | 'createdAt' | 'inspectionDate'>,
  today: string,
): CaseAges {
  if (!isOpenStatus(status)) return { ageDays: null, daysSinceVisit: null };
  const createdMs = Date.parse(createdAt);
  return {
    ageDays: Number.isNaN(createdMs) ? null : daysSince(zurichDay(createdMs), today),
    daysSinceVisit: inspectionDate === null ? null : daysSince(inspectionDate, today),
  };
}

/** The whole days between two days; null if the first is not a day, or is after the second. */
export function daysSince(day: string, today: string): number | null {
  if (!isCalendarDay(day)) return null;
  const days = Math.round((Date.parse(today) - Date.parse(day)) / dayMs);
  return days < 0 ? null : days;
}

/**
 * The condition of a choice of late cases: they are open, and their day is before the day returned.
 */
export function lateBefore(
  choice: LateChoice,
  today: string,
): { field: 'visit' | 'created'; day: string } {
  const field = choice.startsWith('visit') ? 'visit' : 'created';
  return { field, day: addDays(today, -Number(choice.replace(/^\D+/, ''))) };
}
