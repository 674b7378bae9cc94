import { caseStatuses, categories } from '#shared/api/case-words.ts';
import { comparisons, type FieldOf, type RuleOf } from '#shared/api/list-filters.ts';
import { closedForExperts } from '#shared/api/states.ts';
import { lateBefore } from '#shared/desk/cases/case-ages.ts';
import type { CaseSort } from '#shared/desk/cases/case-choices.ts';
import {
  digestFields,
  type DigestValues,
  sentFields,
  type SentValues,
} from '#shared/desk/cases/case-fields.ts';
import type { CaseFilter, CaseListInput } from '#shared/desk/cases/cases.ts';
import { addDays, zurichMidnight } from '#shared/lib/zurich-day.ts';
import type { Database, Query } from '../database/sqlite.ts';
import type { CaseSearch } from './case-search.ts';
import { matchRank } from './match-rank.ts';
import { handlerExpression, ownCondition } from './own-cases.ts';

const fieldExpressions: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries({ ...sentFields, ...digestFields }).map(([name, field]) => [
    name,
    `c.${'sortKey' in field ? field.sortKey : field.column}`,
  ]),
);

type OtherSort = Exclude<CaseSort, keyof SentValues | keyof DigestValues>;

/** A filter, with the calendar day in Zurich to which it refers. */
export type Dated<Filter> = Filter & { readonly today?: string };

const isOpen = `c.status NOT IN (${closedForExperts.map((status) => `'${status}'`).join()})`;

/** The expressions of columns whose order is not the alphabet of a field. */
const sortExpressions: Readonly<Record<OtherSort, string> & Partial<Record<CaseSort, string>>> = {
  lastChangedAt: 'c.seq',
  createdAt: 'c.created_at',
  status: rankIn(caseStatuses, 'c.status'),
  category: rankIn(categories, 'c.category'),
  insurer: 'c.insurer_key',
  savingsRappen: `iif(c.cost_estimate_rappen > c.approved_rappen,
    c.cost_estimate_rappen - c.approved_rappen, NULL)`,
  // The number of days grows as the date itself falls, so the sign is reversed.
  ageDays: `iif(${isOpen}, -julianday(c.created_at), NULL)`,
  daysSinceVisit: `iif(${isOpen} AND c.inspection_date <= @today, -julianday(c.inspection_date), NULL)`,
  handledBy: `${handlerExpression} COLLATE NOCASE`,
};

/** The position of a word in the order of the work; unknown words come last. */
function rankIn(words: readonly string[], column: string): string {
  const ranks = words.map((word, rank) => `WHEN '${word}' THEN ${rank}`);
  return `CASE ${column} ${ranks.join(' ')} ELSE ${words.length} END`;
}

/**
 * Cases without a value come last in both directions. Equal cases are in the order of their last
 * change.
 */
function orderBy({ sort = 'lastChangedAt', descending = true }: CaseListInput): string {
  const direction = descending ? 'DESC' : 'ASC';
  const byChange = `c.seq ${direction}`;
  if (sort === 'lastChangedAt') return byChange;
  return `${sortExpressions[sort] ?? fieldExpressions[sort]} ${direction} NULLS LAST, ${byChange}`;
}

/** The expressions of the filtered fields over the table `cases` under the name c. */
const fields = {
  status: 'c.status',
  category: 'c.category',
  inspectionType: 'c.inspection_type',
  insurerName: 'c.insurer_name',
  inspectionDate: 'c.inspection_date',
  // A day is compared with a moment, which `created` does.
  createdAt: null,
  handler: `coalesce(${handlerExpression}, '')`,
} as const satisfies Record<FieldOf<'desk'>, string | null>;

/** The moment at which a day begins in Zurich, as cases have their moments. */
const beginOf = (day: string) => new Date(zurichMidnight(day)).toISOString();

/** The conditions of the days of creation, which are days in Zurich. */
const created = ({ createdFrom, createdTo }: CaseFilter): Query[] => [
  ...(createdFrom === undefined
    ? []
    : [{ sql: 'c.created_at >= @createdFrom', params: { createdFrom: beginOf(createdFrom) } }]),
  ...(createdTo === undefined
    ? []
    : [
        { sql: 'c.created_at < @createdTo', params: { createdTo: beginOf(addDays(createdTo, 1)) } },
      ]),
];

/** The conditions of the filters that do not compare a field. */
const rules: Readonly<Record<RuleOf<'desk'>, (filter: Dated<CaseFilter>) => Query | null>> = {
  own: ({ own }) => (own ? { sql: ownCondition, params: {} } : null),
  open: ({ open }) => (open ? { sql: isOpen, params: {} } : null),
  late: ({ late, today }) => {
    if (late === undefined || today === undefined) return null;
    const { field, day } = lateBefore(late, today);
    return field === 'visit'
      ? { sql: `${isOpen} AND c.inspection_date < @late`, params: { late: day } }
      : {
          sql: `${isOpen} AND c.created_at < @late`,
          params: { late: beginOf(day) },
        };
  },
  amountsMissing: ({ amountsMissing }) =>
    amountsMissing
      ? { sql: '(c.cost_estimate_rappen IS NULL OR c.approved_rappen IS NULL)', params: {} }
      : null,
  documentsMissing: ({ documentsMissing }) =>
    documentsMissing
      ? {
          sql: `(c.documents_listed_at IS NULL OR EXISTS (
            SELECT 1 FROM documents d WHERE d.case_id = c.id AND d.blob_id IS NULL))`,
          params: {},
        }
      : null,
};

/**
 * The condition of a filter over the table `cases` under the name c.
 * @param hasHits whether `temp.hits` contains the results of the search words
 */
export function caseConditions(hasHits: boolean, filter: Dated<CaseFilter>): Query {
  const compared = comparisons('desk', fields, filter).map(({ name, column, operator, value }) => ({
    sql: `${column} ${operator} @${name}`,
    params: { [name]: value },
  }));
  const ruled = Object.values(rules).flatMap((rule) => rule(filter) ?? []);
  const words = hasHits ? [{ sql: 'c.seq IN temp.hits', params: {} }] : [];
  const all: readonly Query[] = [...words, ...compared, ...created(filter), ...ruled];
  return {
    sql: all.map(({ sql }) => sql).join(' AND ') || 'TRUE',
    params: Object.assign({}, ...all.map(({ params }) => params)) as Query['params'],
  };
}

/** Selects the ids of a page of the list. It is exported for the test of its query plan. */
export function pageQuery(hasHits: boolean, input: Dated<CaseListInput>): Query {
  const { sql, params } = caseConditions(hasHits, input);
  const { q = '', bestFirst = false, offset = 0, limit = 100, sort, today = '' } = input;
  const rank = hasHits && bestFirst ? matchRank(q) : null;
  return {
    sql: `SELECT c.id FROM cases c WHERE ${sql}
      ORDER BY ${rank ? `${rank.sql}, ` : ''}${orderBy(input)} LIMIT @limit OFFSET @offset`,
    params: {
      ...params,
      ...rank?.params,
      offset,
      limit,
      ...(sort === 'daysSinceVisit' && { today }),
    },
  };
}

/**
 * Counts the cases by status under all other filters, `max` of them at most. It is exported for the
 * test of its query plan.
 */
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
   * False if counting stopped at `countMax`, or if more documents match than a search reads. Then
   * there are at least `total` cases, and `byStatus` is empty.
   */
  readonly totalIsExact: boolean;
  /** The number of cases by status under all other filters. */
  readonly byStatus: Record<string, number>;
}

/** A page of the list and its totals. */
export function readPage(db: Database, search: CaseSearch, input: Dated<CaseListInput>): CasePage {
  const { status, offset = 0, limit = 100, countMax = Infinity } = input;
  const found = search.find(input.q);
  const ids = idsOf(db, found !== null, input);
  // Only a search becomes slower if it counts more. A page that is not full is the last one.
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

/** The ids of a part of the list, in its order. */
export function readIds(db: Database, search: CaseSearch, input: Dated<CaseListInput>): string[] {
  return idsOf(db, search.find(input.q) !== null, input);
}

function idsOf(db: Database, hasHits: boolean, input: Dated<CaseListInput>): string[] {
  const { sql, params } = pageQuery(hasHits, input);
  return db.prepare<[typeof params], string>(sql).pluck().all(params);
}
