import { comparedId } from '#shared/api/conventions.ts';
import type { CaseFilter } from '#shared/desk/cases/cases.ts';
import type { Database } from '../database/sqlite.ts';
import { caseConditions, type Dated } from './case-list.ts';
import type { CaseSearch } from './case-search.ts';

/** A report that was submitted to an insurer. */
export interface SubmittedReport {
  readonly id: string;
  readonly insurer: string;
  readonly category: string;
  readonly isReturned: boolean;
}

/**
 * The submitted reports of the cases that match a filter, each once.
 * @param known reports that the user's work knows: the partner's lists are read only of cases that
 *   were opened or delivered to, and a new cache has none of them
 */
export function readSubmittedReports(
  db: Database,
  search: CaseSearch,
  filter: Dated<CaseFilter>,
  known: readonly {
    readonly id: string;
    readonly caseId: string;
    readonly isReturned: boolean;
  }[],
): SubmittedReport[] {
  const { sql, params } = caseConditions(search.find(filter.q) !== null, filter);
  const found = db
    .prepare<[typeof params], Omit<SubmittedReport, 'isReturned'> & { isReturned: number }>(
      `WITH known (id, case_id, is_returned) AS (
         SELECT id, case_id, status = 'Returned' FROM reports WHERE submitted_at IS NOT NULL
         UNION ALL SELECT value ->> 'id', value ->> 'caseId', value ->> 'isReturned'
           FROM json_each(@known))
       SELECT k.id, c.insurer_name AS insurer, c.category, max(k.is_returned) AS isReturned
       FROM known k JOIN cases c ON c.id = k.case_id WHERE ${sql}
       GROUP BY k.id`,
    )
    .all({ ...params, known: JSON.stringify(known) });
  // A list may write an id otherwise than the answer to the draft.
  return [...Map.groupBy(found, ({ id }) => comparedId(id)).values()].flatMap(([first, ...rest]) =>
    first ? { ...first, isReturned: [first, ...rest].some((row) => row.isReturned === 1) } : [],
  );
}
