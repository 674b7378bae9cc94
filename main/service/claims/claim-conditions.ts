import type { Caller } from '../front/auth/authenticate.ts';
import type { ClaimsTable } from '../store/claim-tables.ts';
import type { ClaimFilters } from './list-queries.ts';
import type { Owner } from './search-text.ts';

/** One condition on a column of claims. */
export interface ClaimCondition {
  readonly column: keyof ClaimsTable;
  readonly comparison: '=' | '>=' | '<=';
  readonly value: string | number;
}

/** The column that tells whose a claim is. */
export function ownerColumn(caller: Caller): Owner {
  return caller.kind === 'insurer' ? 'insurer_organization_id' : 'expert_organization_id';
}

/** The column that tells with whom the caller shares it. */
export function otherColumn(caller: Caller): Owner {
  return caller.kind === 'insurer' ? 'expert_organization_id' : 'insurer_organization_id';
}

/** What a list's filters ask of a claim, beside its words: first of all that it is the caller's. */
export function claimConditions(caller: Caller, filters: ClaimFilters): ClaimCondition[] {
  const wanted = [
    [ownerColumn(caller), '=', caller.organizationId],
    ['status', '=', filters.status],
    ['category', '=', filters.category],
    ['inspection_type', '=', filters.inspectionType],
    ['created_at', '>=', filters.createdFrom],
    ['created_at', '<=', filters.createdTo],
    ['completed_at', '>=', filters.completedFrom],
    ['completed_at', '<=', filters.completedTo],
    ['last_changed_at', '>=', filters.lastChangedSince],
    // Without an approved report the column is null, and null is in no range.
    ['last_report_approved_at', '>=', filters.lastReportApprovedSince],
  ] as const;
  return wanted.flatMap(([column, comparison, value]) =>
    value === undefined ? [] : [{ column, comparison, value }],
  );
}
