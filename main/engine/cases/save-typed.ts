import { amountMaxRappen } from '#shared/api/limits.ts';
import type { Edit } from '#shared/desk/cases/cases.ts';
import { DeskError } from '#shared/desk/contract/errors.ts';
import { parseAmount } from '#shared/lib/money.ts';
import type { OpenWorkspace } from '../workspace/open-workspace.ts';
import { afterAct, queueAmounts, queueComment } from './acts.ts';
import { findCase } from './case-view.ts';

/**
 * Queues the amounts and the comment that are typed into a case. The reason of a reopening stays,
 * because reopening is a decision of its own. A text that does not change the case is forgotten.
 * @throws {DeskError} case_not_found, amount_not_a_number and the other faults of an amount,
 *   comment_too_long, case_state; then nothing is queued
 */
export function saveTyped(workspace: OpenWorkspace, ref: string): { queued: number } {
  const { work, emit } = workspace;
  const { record, seen } = findCase(workspace, ref);
  const { id } = record;
  const typed = work.edits.list().find(({ caseId }) => caseId === id);
  if (!typed) return { queued: 0 };
  const amounts = typedAmounts(typed);
  const rows = work.together(() => [
    ...(isChange(amounts, seen.amounts) ? queueAmounts(workspace, { id, ...amounts }) : []),
    ...(typed.comment !== undefined && typed.comment !== seen.comment
      ? queueComment(workspace, { id, text: typed.comment })
      : []),
  ]);
  for (const part of ['estimate', 'approved', 'comment'] as const) {
    if (typed[part] === undefined) continue;
    work.edits.forget(id, part);
    emit({ type: 'typed.changed', place: part, id, text: null, window: null });
  }
  if (rows.length > 0) afterAct(workspace, rows);
  else emit({ type: 'cases.changed', caseIds: [id] });
  return { queued: rows.length };
}

interface TypedAmounts {
  readonly costEstimateRappen?: number | null;
  readonly approvedRappen?: number | null;
}

function typedAmounts({ estimate, approved }: Edit): TypedAmounts {
  return {
    ...(estimate !== undefined && { costEstimateRappen: rappenOf('costEstimateRappen', estimate) }),
    ...(approved !== undefined && { approvedRappen: rappenOf('approvedRappen', approved) }),
  };
}

/** @throws {DeskError} amount_not_a_number and the other faults of an amount */
function rappenOf(field: string, value: string): number | null {
  const parsed = parseAmount(value, amountMaxRappen);
  if (parsed.ok) return parsed.rappen;
  throw new DeskError(`amount_${parsed.problem}`, { field, value, max: amountMaxRappen });
}

function isChange(typed: TypedAmounts, seen: Required<TypedAmounts>): boolean {
  const { costEstimateRappen = seen.costEstimateRappen, approvedRappen = seen.approvedRappen } =
    typed;
  return costEstimateRappen !== seen.costEstimateRappen || approvedRappen !== seen.approvedRappen;
}
