import type { CaseFilter, CaseListInput } from '#shared/desk/cases.ts';
import type { Database } from '../database/sqlite.ts';
import { caseConditions } from './case-conditions.ts';
import type { CasePlaces } from './case-list.ts';
import { orderBy } from './case-orders.ts';
import type { FoundWords } from './found-words.ts';

/** Whether a filter asks for what the narrow indexes of the list do not hold. */
export function hasWideFilter(filter: CaseFilter): boolean {
  return (
    filter.insurer !== undefined ||
    filter.inspectionFrom !== undefined ||
    filter.inspectionTo !== undefined ||
    filter.archived !== undefined ||
    filter.amountsMissing === true ||
    filter.documentsMissing === true
  );
}

/**
 * A page of the list under a wide filter, which reads the rows of `cases` themselves: some tenths
 * of a second at 100,000 cases, for a question that is asked by a click and not by each key.
 */
export function filteredPlaces(
  db: Database,
  words: FoundWords | null,
  input: CaseListInput,
): CasePlaces {
  const { offset = 0, limit = 100, status } = input;
  const { sql, params } = caseConditions(words, { ...input, status: undefined });
  const counts = db
    .prepare<[Record<string, string>], { status: string; count: number }>(
      `SELECT c.status, count(*) AS count FROM cases c WHERE ${sql} GROUP BY c.status`,
    )
    .all(params);
  const byStatus = Object.fromEntries(counts.map((row) => [row.status, row.count]));
  const places = db
    .prepare<[Record<string, string | number>], number>(
      `SELECT c.seq FROM cases c WHERE ${sql} ${status === undefined ? '' : 'AND c.status = @status'}
       ORDER BY ${orderBy(input)}
       LIMIT @limit OFFSET @offset`,
    )
    .pluck()
    .all({ ...params, ...(status !== undefined && { status }), limit, offset });
  const total =
    status === undefined
      ? counts.reduce((sum, row) => sum + row.count, 0)
      : (byStatus[status] ?? 0);
  const totalIsExact = words?.isWhole ?? true;
  return { places, total, totalIsExact, byStatus: totalIsExact ? byStatus : {} };
}
