import { isOpenStatus } from '../api/states.ts';
import { dayMs } from '../lib/clock.ts';
import { addDays, isCalendarDay, zurichDay } from '../lib/zurich-day.ts';
import type { LateChoice } from './case-choices.ts';
import type { CaseSummary } from './cases.ts';

/** Whole days; null if the case is not open, or the day is not known or ahead. */
export interface CaseAges {
  /** Since the insurer created the case. */
  readonly ageDays: number | null;
  /** Since the day of the inspection. */
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

/** Whole days from one day to another; null if the first is no day, or after it. */
export function daysSince(day: string, today: string): number | null {
  if (!isCalendarDay(day)) return null;
  const days = Math.round((Date.parse(today) - Date.parse(day)) / dayMs);
  return days < 0 ? null : days;
}

/** What a choice of late cases asks for: open ones whose day is before this one. */
export function lateBefore(
  choice: LateChoice,
  today: string,
): { field: 'visit' | 'created'; day: string } {
  const field = choice.startsWith('visit') ? 'visit' : 'created';
  return { field, day: addDays(today, -Number(choice.replace(/^\D+/, ''))) };
}
