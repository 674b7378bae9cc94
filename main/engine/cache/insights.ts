import type { CaseFilter } from '#shared/desk/cases/cases.ts';
import { isCalendarDay, zurichDay } from '#shared/lib/zurich-day.ts';
import type { Database } from '../database/sqlite.ts';
import { caseConditions, type Dated } from './case-list.ts';
import type { CaseSearch } from './case-search.ts';

/** Cases that are equal in all values by which the figures are grouped, counted and summed up. */
export interface InsightCell {
  /** The day of creation in Zurich, YYYY-MM-DD. */
  readonly day: string;
  readonly insurer: string;
  readonly category: string;
  readonly status: string;
  readonly inspectionType: string;
  readonly cases: number;
  /** The number of these cases that have both amounts. */
  readonly withAmounts: number;
  readonly costEstimateRappen: number;
  readonly approvedRappen: number;
  readonly savingsRappen: number;
}

/** Sums up the cases that match a filter, in one scan. */
export function readInsights(
  db: Database,
  search: CaseSearch,
  filter: Dated<CaseFilter>,
): InsightCell[] {
  const { sql, params } = caseConditions(search.find(filter.q) !== null, filter);
  const both = 'c.cost_estimate_rappen IS NOT NULL AND c.approved_rappen IS NOT NULL';
  const found = db
    .prepare<[typeof params], Omit<InsightCell, 'day'> & { hour: string }>(
      `SELECT substr(c.created_at, 1, 13) AS hour, c.insurer_name AS insurer, c.category, c.status,
         c.inspection_type AS inspectionType, count(*) AS cases,
         count(*) FILTER (WHERE ${both}) AS withAmounts,
         coalesce(sum(c.cost_estimate_rappen) FILTER (WHERE ${both}), 0) AS costEstimateRappen,
         coalesce(sum(c.approved_rappen) FILTER (WHERE ${both}), 0) AS approvedRappen,
         coalesce(sum(max(0, c.cost_estimate_rappen - c.approved_rappen)) FILTER (WHERE ${both}), 0)
           AS savingsRappen
       FROM cases c WHERE ${sql}
       GROUP BY 1, 2, 3, 4, 5`,
    )
    .all(params);
  const days = new Map([...new Set(found.map(({ hour }) => hour))].map(withDay));
  return found.map(({ hour, ...cell }) => ({ ...cell, day: days.get(hour) ?? '' }));
}

/**
 * The day in Zurich of an hour in UTC, `2026-06-30T22`. For a date far in the past or future it is
 * the date in UTC.
 */
function withDay(hour: string): [hour: string, day: string] {
  const ms = Date.parse(`${hour}:00:00Z`);
  const day = Number.isNaN(ms) ? '' : zurichDay(ms);
  return [hour, isCalendarDay(day) ? day : hour.slice(0, 10)];
}

/** The names of the insurers in alphabetical order. */
export function readInsurers(db: Database): string[] {
  return db
    .prepare<[], string>(`SELECT DISTINCT insurer_name FROM cases WHERE insurer_name <> ''`)
    .pluck()
    .all()
    .sort((a, b) => a.localeCompare(b, 'de-CH'));
}
