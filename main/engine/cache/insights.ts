import type { CaseFilter } from '#shared/desk/cases.ts';
import type { Database } from '../database/sqlite.ts';
import { caseConditions, type Dated } from './case-list.ts';
import type { CaseSearch } from './case-search.ts';

/** Cases that agree in everything that the figures are grouped by, counted and summed up. */
export interface InsightCell {
  /** The day of creation, YYYY-MM-DD. */
  readonly day: string;
  readonly insurer: string;
  readonly category: string;
  readonly status: string;
  readonly inspectionType: string;
  readonly cases: number;
  /** Of these, those in which both amounts are set. */
  readonly withAmounts: number;
  readonly costEstimateRappen: number;
  readonly approvedRappen: number;
  readonly savingsRappen: number;
}

/** Sums up the cases that the filter lets through, in one scan. */
export function readInsights(
  db: Database,
  search: CaseSearch,
  filter: Dated<CaseFilter>,
): InsightCell[] {
  const { sql, params } = caseConditions(search.find(filter.q) !== null, filter);
  const both = 'c.cost_estimate_rappen IS NOT NULL AND c.approved_rappen IS NOT NULL';
  return db
    .prepare<[typeof params], InsightCell>(
      `SELECT substr(c.created_at, 1, 10) AS day, c.insurer_name AS insurer, c.category, c.status,
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
}

/** Insurers by name, in the order of the alphabet. */
export function readInsurers(db: Database): string[] {
  return db
    .prepare<[], string>(`SELECT DISTINCT insurer_name FROM cases WHERE insurer_name <> ''`)
    .pluck()
    .all()
    .sort((a, b) => a.localeCompare(b, 'de-CH'));
}
