import type { CaseListInput } from '#shared/desk/cases.ts';
import type { Database } from '../database/sqlite.ts';
import type { CaseRecord } from './case-records.ts';
import type { CaseStore } from './case-store.ts';
import { searchExpression } from './search-terms.ts';

export interface CaseListRecords {
  readonly items: CaseRecord[];
  readonly total: number;
  /** Rows by status under the same words, category and inspection type. */
  readonly byStatus: Record<string, number>;
}

/** Column and index per sort; the place (seq) is the order by LastChangedAt. */
const sorts = {
  lastChangedAt: { column: 'e.seq', nullable: false },
  createdAt: { column: 'e.created_at', nullable: false },
  inspectionDate: { column: 'e.inspection_date', nullable: true },
  externalKey: { column: 'e.external_key', nullable: false },
} as const;

/** Up to so many hits are sorted after the search; above, the sort's index is walked instead. */
const sortAfterSearchMax = 5000;

/**
 * Reads a page of the list. Never a scan of whole rows: without words the totals come from the
 * counts and the page from an index that holds every filter; with words the search index leads.
 */
export function listCases(db: Database, store: CaseStore, input: CaseListInput): CaseListRecords {
  const match = searchExpression(input.q ?? '');
  const byStatus = countByStatus(db, match, input);
  const total =
    input.status === undefined
      ? Object.values(byStatus).reduce((sum, count) => sum + count, 0)
      : (byStatus[input.status] ?? 0);
  const places = total === 0 ? [] : placesOf(db, match, input, total);
  return { items: store.atPlaces(places), total, byStatus };
}

function countByStatus(
  db: Database,
  match: string | null,
  { category, inspectionType }: CaseListInput,
): Record<string, number> {
  const filter = `
    (@category IS NULL OR e.category = @category)
    AND (@inspectionType IS NULL OR e.inspection_type = @inspectionType)`;
  const sql =
    match === null
      ? `SELECT status, sum(count) AS count FROM case_counts e WHERE ${filter} AND count > 0
         GROUP BY status`
      : `SELECT e.status, count(*) AS count
         FROM case_search s CROSS JOIN case_entries e ON e.seq = s.rowid
         WHERE s.case_search MATCH @match AND ${filter} GROUP BY e.status`;
  const rows = db
    .prepare<
      [{ match: string | null; category: string | null; inspectionType: string | null }],
      { status: string; count: number }
    >(sql)
    .all({ match, category: category ?? null, inspectionType: inspectionType ?? null });
  return Object.fromEntries(rows.map(({ status, count }) => [status, count]));
}

function placesOf(
  db: Database,
  match: string | null,
  input: CaseListInput,
  total: number,
): number[] {
  const { sql, params } = placesQuery(match, input, total);
  return db
    .prepare<[Record<string, string | number>], { seq: number }>(sql)
    .all(params)
    .map(({ seq }) => seq);
}

/** The query of a page; also for the test that reads its plan. */
export function placesQuery(match: string | null, input: CaseListInput, total: number) {
  const { sort = 'lastChangedAt', descending = true, offset = 0, limit = 100 } = input;
  const params: Record<string, string | number> = { offset, limit };
  const where: string[] = [];
  for (const [name, column, value] of [
    ['status', 'e.status', input.status],
    ['category', 'e.category', input.category],
    ['inspectionType', 'e.inspection_type', input.inspectionType],
  ] as const) {
    if (value === undefined) continue;
    where.push(`${column} = @${name}`);
    params[name] = value;
  }
  let from = 'case_entries e';
  if (match !== null) {
    params['match'] = match;
    const searchLeads = sort === 'lastChangedAt' || total <= sortAfterSearchMax;
    if (searchLeads) {
      from = 'case_search s CROSS JOIN case_entries e ON e.seq = s.rowid';
      where.push('s.case_search MATCH @match');
    } else {
      where.push('e.seq IN (SELECT rowid FROM case_search WHERE case_search MATCH @match)');
    }
  }
  const direction = descending ? 'DESC' : 'ASC';
  const { column, nullable } = sorts[sort];
  // A case without a date comes last either way.
  const first = nullable ? `${column} ${direction} NULLS LAST` : `${column} ${direction}`;
  const place = match !== null && sort === 'lastChangedAt' ? 's.rowid' : 'e.seq';
  const order = sort === 'lastChangedAt' ? `${place} ${direction}` : `${first}, e.seq ${direction}`;
  const sql = `
    SELECT e.seq FROM ${from}
    ${where.length > 0 ? `WHERE ${where.join(' AND ')}` : ''}
    ORDER BY ${order} LIMIT @limit OFFSET @offset`;
  return { sql, params };
}
