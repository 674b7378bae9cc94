import type { CaseFilter } from '#shared/desk/cases.ts';
import type { FoundWords } from './found-words.ts';

export interface Conditions {
  /** SQL over the table `cases` under the name c; `TRUE` where everything passes. */
  readonly sql: string;
  readonly params: Record<string, string>;
}

/** What lets a case through, whatever the filter names. Also for filters that no index holds. */
export function caseConditions(words: FoundWords | null, filter: CaseFilter): Conditions {
  const sql: string[] = [];
  const params: Record<string, string> = {};
  if (words !== null) {
    sql.push(`(c.seq IN (SELECT rowid FROM case_search WHERE case_search MATCH @match)
      OR c.seq IN (SELECT value FROM json_each(@inDocuments)))`);
    params['match'] = words.match;
    params['inDocuments'] = JSON.stringify(words.inDocuments);
  }
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
