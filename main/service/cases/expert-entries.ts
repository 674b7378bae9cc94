import type { Kysely } from 'kysely';
import type { Act } from '../act.ts';
import { chfOrNull } from '../claims/claim-view.ts';
import { changeClaim, requireNextStatus, stateEvents } from '../claims/change-claim.ts';
import type { ClaimsTable, Database } from '../store/tables.ts';

/*
 * What the expert enters on a case: comment (X3) and amounts (X4). The first entry on an accepted
 * or returned case takes it into work. An entry that changes nothing leaves LastChangedAt alone,
 * so that a repeated PUT does not look like news.
 */

/**
 * Replaces the expert's comment; the empty text clears it.
 * @throws {Problem} invalid_state
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

/** Whole Rappen; null is not entered. */
export interface Amounts {
  readonly costEstimateRappen: number | null;
  readonly approvedRappen: number | null;
}

/**
 * Replaces both amounts.
 * @throws {Problem} invalid_state
 */
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
