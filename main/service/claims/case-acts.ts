import type { Kysely } from 'kysely';
import { chfOrNull } from '#shared/lib/money.ts';
import { cancelSubmissions } from '../reports/submissions.ts';
import type { ClaimsTable, Database } from '../store/tables.ts';
import {
  type Act,
  changeClaim,
  nextChangeAt,
  requireNextStatus,
  stateEvents,
} from './change-claim.ts';

/*
 * The acts of the expert and the back office on a case as a whole (decisions, "States"). Each
 * function runs in the transaction `db`, returns the changed claim, and throws Problem
 * invalid_state if the case's state does not allow it. `reason` may be empty.
 */

/**
 * Replaces the expert's comment (X3); an empty text clears it. Like `setAmounts`, it moves an
 * accepted or returned case into work. If nothing changes, LastChangedAt stays the same, so that a
 * repeated PUT does not look like a change.
 */
export async function setExpertComment(
  db: Kysely<Database>,
  claim: ClaimsTable,
  text: string,
  act: Act,
): Promise<ClaimsTable> {
  const status = requireNextStatus(claim, 'work');
  if (status === claim.status && text === claim.expert_comment) return claim;
  return changeClaim(db, claim, act, { status, expert_comment: text }, [
    ...stateEvents(claim, status),
    { name: 'expert_comment_changed', detail: '' },
  ]);
}

/** The amounts in whole Rappen; null clears an amount. */
export interface Amounts {
  readonly costEstimateRappen: number | null;
  readonly approvedRappen: number | null;
}

/** Replaces both amounts (X4). */
export async function setAmounts(
  db: Kysely<Database>,
  claim: ClaimsTable,
  { costEstimateRappen, approvedRappen }: Amounts,
  act: Act,
): Promise<ClaimsTable> {
  const status = requireNextStatus(claim, 'work');
  const isSame =
    costEstimateRappen === claim.cost_estimate_rappen && approvedRappen === claim.approved_rappen;
  if (status === claim.status && isSame) return claim;
  return changeClaim(
    db,
    claim,
    act,
    { status, cost_estimate_rappen: costEstimateRappen, approved_rappen: approvedRappen },
    [
      ...stateEvents(claim, status),
      {
        name: 'amounts_changed',
        detail: JSON.stringify({
          CostEstimateAmount: chfOrNull(costEstimateRappen),
          ApprovedAmount: chfOrNull(approvedRappen),
        }),
      },
    ],
  );
}

/** Reopens a closed case (X5) with the event reopened_by_expert. */
export async function reopenCase(
  db: Kysely<Database>,
  claim: ClaimsTable,
  reason: string,
  act: Act,
): Promise<ClaimsTable> {
  const status = requireNextStatus(claim, 'reopen');
  return changeClaim(db, claim, act, { status }, [{ name: 'reopened_by_expert', detail: reason }]);
}

/** Assigns the case to an expert organization, which can see it from then on. */
export async function assignCase(
  db: Kysely<Database>,
  claim: ClaimsTable,
  expertOrganizationId: string,
  act: Act,
): Promise<ClaimsTable> {
  const status = requireNextStatus(claim, 'assign');
  return changeClaim(db, claim, act, { status, expert_organization_id: expertOrganizationId }, [
    { name: 'Assigned', detail: expertOrganizationId },
  ]);
}

/** The moves that require only a reason. */
export const caseMoves = {
  accept: (db, claim, reason, act) => answerAssignment(db, claim, 'accept', reason, act),
  reject: (db, claim, reason, act) => answerAssignment(db, claim, 'reject', reason, act),
  finalize: finalizeCase,
  cancel: cancelCase,
  archive: archiveCase,
} satisfies Record<string, CaseMove>;

type CaseMove = (
  db: Kysely<Database>,
  claim: ClaimsTable,
  reason: string,
  act: Act,
) => Promise<ClaimsTable>;

/** Records that the expert accepted or rejected the case. */
async function answerAssignment(
  db: Kysely<Database>,
  claim: ClaimsTable,
  answer: 'accept' | 'reject',
  reason: string,
  act: Act,
): Promise<ClaimsTable> {
  const status = requireNextStatus(claim, answer);
  return changeClaim(db, claim, act, { status }, stateEvents(claim, status, reason));
}

/** Closes the case with the event Finalized, which completedFrom and completedTo filter by. */
async function finalizeCase(
  db: Kysely<Database>,
  claim: ClaimsTable,
  reason: string,
  act: Act,
): Promise<ClaimsTable> {
  const status = requireNextStatus(claim, 'finalize');
  const changes = { status, completed_at: nextChangeAt(claim, act) };
  return changeClaim(db, claim, act, changes, stateEvents(claim, status, reason));
}

/**
 * Cancels the case and its submissions that are Draft or Submitted. A cancelled case stays
 * unchanged.
 */
async function cancelCase(
  db: Kysely<Database>,
  claim: ClaimsTable,
  reason: string,
  act: Act,
): Promise<ClaimsTable> {
  const status = requireNextStatus(claim, 'cancel');
  if (status === claim.status) return claim;
  const cancelled = await cancelSubmissions(db, claim, act);
  return changeClaim(db, claim, act, { status }, [
    ...cancelled,
    ...stateEvents(claim, status, reason),
  ]);
}

/** Archives the case. An archived case stays unchanged. */
async function archiveCase(
  db: Kysely<Database>,
  claim: ClaimsTable,
  reason: string,
  act: Act,
): Promise<ClaimsTable> {
  if (claim.archived === 1) return claim;
  return changeClaim(db, claim, act, { archived: 1 }, [{ name: 'archived', detail: reason }]);
}
