import { caseStatuses, categories } from '#shared/api/case.ts';
import { closedForExperts } from '#shared/api/states.ts';
import { lateBefore } from '#shared/desk/case-ages.ts';
import type { CaseSort } from '#shared/desk/case-choices.ts';
import {
  digestFields,
  type DigestValues,
  sentFields,
  type SentValues,
} from '#shared/desk/case-fields.ts';
import type { CaseFilter, CaseListInput } from '#shared/desk/cases.ts';
import { zurichMidnight } from '#shared/lib/zurich-day.ts';
import type { Database } from '../database/sqlite.ts';
import type { CaseSearch } from './case-search.ts';
import { handlerExpression, ownCondition } from './own-cases.ts';

const fieldExpressions: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries({ ...sentFields, ...digestFields }).map(([name, field]) => [
    name,
    `c.${'sortKey' in field ? field.sortKey : field.column}`,
  ]),
);

type OtherSort = Exclude<CaseSort, keyof SentValues | keyof DigestValues>;

/** A filter and the calendar day in Zurich on which it is asked. */
export type Dated<Filter> = Filter & { readonly today?: string };

const isOpen = `c.status NOT IN (${closedForExperts.map((status) => `'${status}'`).join()})`;

/** What the columns sort by that are not a field, or not in its alphabet. */
const sortExpressions: Readonly<Record<OtherSort, string> & Partial<Record<CaseSort, string>>> = {
  lastChangedAt: 'c.seq',
  createdAt: 'c.created_at',
  status: rankIn(caseStatuses, 'c.status'),
  category: rankIn(categories, 'c.category'),
  insurer: 'c.insurer_key',
  savingsRappen: `iif(c.cost_estimate_rappen > c.approved_rappen,
    c.cost_estimate_rappen - c.approved_rappen, NULL)`,
  // The number of days grows as the day itself falls.
  ageDays: `iif(${isOpen}, -julianday(c.created_at), NULL)`,
  daysSinceVisit: `iif(${isOpen} AND c.inspection_date <= @today, -julianday(c.inspection_date), NULL)`,
  handledBy: `${handlerExpression} COLLATE NOCASE`,
};

/** The place of a word in the course of the work, unknown words last. */
function rankIn(words: readonly string[], column: string): string {
  const ranks = words.map((word, rank) => `WHEN '${word}' THEN ${rank}`);
  return `CASE ${column} ${ranks.join(' ')} ELSE ${words.length} END`;
}

/**
 * Cases without a value come last in both directions, and equal ones in the order of their change.
 */
function orderBy({ sort = 'lastChangedAt', descending = true }: CaseListInput): string {
  const direction = descending ? 'DESC' : 'ASC';
  const byChange = `c.seq ${direction}`;
  if (sort === 'lastChangedAt') return byChange;
  return `${sortExpressions[sort] ?? fieldExpressions[sort]} ${direction} NULLS LAST, ${byChange}`;
}

/** SQL with its parameters by name. */
export interface Query {
  readonly sql: string;
  readonly params: Readonly<Record<string, string | number>>;
}

/**
 * What a filter lets through, over the table `cases` under the name c.
 * @param hasHits whether `temp.hits` contains the results of its words
 */
export function caseConditions(hasHits: boolean, filter: Dated<CaseFilter>): Query {
  const sql: string[] = [];
  const params: Record<string, string> = {};
  if (hasHits) sql.push('c.seq IN temp.hits');
  for (const [name, condition, value] of [
    ['status', 'c.status = @status', filter.status],
    ['category', 'c.category = @category', filter.category],
    ['inspectionType', 'c.inspection_type = @inspectionType', filter.inspectionType],
    ['insurer', 'c.insurer_name = @insurer', filter.insurer],
    ['inspectionFrom', 'c.inspection_date >= @inspectionFrom', filter.inspectionFrom],
    ['inspectionTo', 'c.inspection_date <= @inspectionTo', filter.inspectionTo],
  ] as const) {
    if (value === undefined) continue;
    sql.push(condition);
    params[name] = value;
  }
  if (filter.own) sql.push(ownCondition);
  if (filter.late && filter.today !== undefined) {
    const { field, day } = lateBefore(filter.late, filter.today);
    sql.push(isOpen, field === 'visit' ? 'c.inspection_date < @late' : 'c.created_at < @late');
    params['late'] = field === 'visit' ? day : new Date(zurichMidnight(day)).toISOString();
  }
  if (filter.handledBy !== undefined) {
    sql.push(`coalesce(${handlerExpression}, '') = @handledBy`);
    params['handledBy'] = filter.handledBy;
  }
  if (filter.amountsMissing) {
    sql.push('(c.cost_estimate_rappen IS NULL OR c.approved_rappen IS NULL)');
  }
  if (filter.documentsMissing) {
    sql.push(`(c.documents_listed_at IS NULL OR EXISTS (
      SELECT 1 FROM documents d WHERE d.case_id = c.id AND d.blob_id IS NULL))`);
  }
  return { sql: sql.join(' AND ') || 'TRUE', params };
}

/** Ids of a page of the list; exported for the test of its plan. */
export function pageQuery(hasHits: boolean, input: Dated<CaseListInput>): Query {
  const { sql, params } = caseConditions(hasHits, input);
  const { offset = 0, limit = 100, sort, today = '' } = input;
  return {
    sql: `SELECT c.id FROM cases c WHERE ${sql}
      ORDER BY ${orderBy(input)} LIMIT @limit OFFSET @offset`,
    params: { ...params, offset, limit, ...(sort === 'daysSinceVisit' && { today }) },
  };
}

/** Cases by status under all other filters, `max` of them at most; exported for the test of its plan. */
export function countQuery(hasHits: boolean, input: Dated<CaseListInput>, max: number): Query {
  const { sql, params } = caseConditions(hasHits, { ...input, status: undefined });
  const limit = max === Infinity ? '' : `LIMIT ${max}`;
  return {
    sql: `SELECT status, count(*) AS count
      FROM (SELECT c.status FROM cases c WHERE ${sql} ${limit}) GROUP BY status`,
    params,
  };
}

interface CasePage {
  readonly ids: readonly string[];
  readonly total: number;
  /**
   * False if counting stopped at `countMax`, or more documents have the words than a search looks at:
   * there are at least `total`, and `byStatus` is empty.
   */
  readonly totalIsExact: boolean;
  /** Cases by status under all other filters. */
  readonly byStatus: Record<string, number>;
}

/** A page of the list and its totals. */
export function readPage(db: Database, search: CaseSearch, input: Dated<CaseListInput>): CasePage {
  const { status, offset = 0, limit = 100, countMax = Infinity } = input;
  const found = search.find(input.q);
  const ids = idsOf(db, found !== null, input);
  // Only a search costs more, the more it counts. A page that is not full is the last one.
  const max = found === null || ids.length < limit ? Infinity : countMax;
  const { sql, params } = countQuery(found !== null, input, max + 1);
  const rows = db.prepare<[typeof params], { status: string; count: number }>(sql).all(params);
  const counted = rows.reduce((sum, { count }) => sum + count, 0);
  const byStatus = Object.fromEntries(rows.map((row) => [row.status, row.count]));
  const total = status === undefined ? counted : (byStatus[status] ?? 0);
  if (found?.isWhole !== false && counted <= max) {
    return { ids, total, totalIsExact: true, byStatus };
  }
  const shown = ids.length === 0 ? 0 : offset + ids.length;
  return { ids, total: Math.max(total, shown), totalIsExact: false, byStatus: {} };
}

/** Ids of a stretch of the list, in its order. */
export function readIds(db: Database, search: CaseSearch, input: Dated<CaseListInput>): string[] {
  return idsOf(db, search.find(input.q) !== null, input);
}

function idsOf(db: Database, hasHits: boolean, input: Dated<CaseListInput>): string[] {
  const { sql, params } = pageQuery(hasHits, input);
  return db.prepare<[typeof params], string>(sql).pluck().all(params);
}
