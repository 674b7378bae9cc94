import type { CaseFilter } from '#shared/desk/cases.ts';
import { ownCondition } from './own-cases.ts';

/** SQL with its parameters by name. */
export interface Query {
  readonly sql: string;
  readonly params: Readonly<Record<string, string | number>>;
}

/**
 * What a filter lets through, over the table `cases` under the name c.
 * @param hasHits whether `temp.hits` holds what its words found
 */
export function caseConditions(hasHits: boolean, filter: CaseFilter): Query {
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
  if (filter.archived !== undefined) sql.push(`c.archive_state = ${filter.archived ? 1 : 0}`);
  if (filter.amountsMissing) {
    sql.push('(c.cost_estimate_rappen IS NULL OR c.approved_rappen IS NULL)');
  }
  if (filter.documentsMissing) {
    sql.push(`(c.documents_listed_at IS NULL OR EXISTS (
      SELECT 1 FROM documents d WHERE d.case_id = c.id AND d.blob_id IS NULL))`);
  }
  return { sql: sql.join(' AND ') || 'TRUE', params };
}
