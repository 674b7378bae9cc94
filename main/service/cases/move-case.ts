import type { Kysely } from 'kysely';
import type { Act } from '../act.ts';
import { changeClaim, nextChangeAt, requireNextStatus } from '../claims/change-claim.ts';
import { cancelSubmissions } from '../reports/cancel-submissions.ts';
import type { ClaimsTable, Database } from '../store/tables.ts';

/*
 * What the back office does to a case as a whole (decisions, "States"). Each function takes the
 * transaction to write in, gives back the changed claim, and throws Problem invalid_state where
 * the case's state does not allow it. `reason` may be empty.
 */

/** Assigns the case to an expert organization, which sees it from then on. */
export async function assignCase(
  db: Kysely<Database>,
  claim: ClaimsTable,
  expertOrganizationId: string,
  act: Act,
): Promise<ClaimsTable> {
  requireNextStatus(claim, 'assign');
  return changeClaim(
    db,
    claim,
    act,
    { status: 'Assigned', expert_organization_id: expertOrganizationId },
    [{ name: 'Assigned', detail: expertOrganizationId }],
  );
}

/** Records that the expert accepted or rejected the case. */
export async function answerAssignment(
  db: Kysely<Database>,
  claim: ClaimsTable,
  answer: 'accept' | 'reject',
  reason: string,
  act: Act,
): Promise<ClaimsTable> {
  requireNextStatus(claim, answer);
  const status = answer === 'accept' ? 'Accepted' : 'Rejected';
  return changeClaim(db, claim, act, { status }, [{ name: status, detail: reason }]);
}

/** Closes the case: the event Finalized, which completedFrom and completedTo filter by. */
export async function finalizeCase(
  db: Kysely<Database>,
  claim: ClaimsTable,
  reason: string,
  act: Act,
): Promise<ClaimsTable> {
  requireNextStatus(claim, 'finalize');
  return changeClaim(db, claim, act, { status: 'Final', completed_at: nextChangeAt(claim, act) }, [
    { name: 'Finalized', detail: reason },
  ]);
}

/**
 * Cancels the case and with it every submission that is a Draft or Submitted; one that is
 * cancelled already stays as it is.
 */
export async function cancelCase(
  db: Kysely<Database>,
  claim: ClaimsTable,
  reason: string,
  act: Act,
): Promise<ClaimsTable> {
  requireNextStatus(claim, 'cancel');
  if (claim.status === 'AdminCancelled') return claim;
  const cancelled = await cancelSubmissions(db, claim, act);
  return changeClaim(db, claim, act, { status: 'AdminCancelled' }, [
    ...cancelled,
    { name: 'AdminCancelled', detail: reason },
  ]);
}

/** Puts the case into the archive; one that is there already stays as it is. */
export async function archiveCase(
  db: Kysely<Database>,
  claim: ClaimsTable,
  reason: string,
  act: Act,
): Promise<ClaimsTable> {
  if (claim.archived === 1) return claim;
  return changeClaim(db, claim, act, { archived: 1 }, [{ name: 'archived', detail: reason }]);
}

/** The expert takes a closed case up again (X5): the event reopened_by_expert with the reason. */
export async function reopenCase(
  db: Kysely<Database>,
  claim: ClaimsTable,
  reason: string,
  act: Act,
): Promise<ClaimsTable> {
  requireNextStatus(claim, 'reopen');
  return changeClaim(db, claim, act, { status: 'InProgress' }, [
    { name: 'reopened_by_expert', detail: reason },
  ]);
}
