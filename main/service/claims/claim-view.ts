import type { Case, Claim } from '#shared/api/case.ts';
import type { OrganizationContact } from '#shared/api/case.ts';
import { chfFromRappen, savingsRappen } from '#shared/lib/money.ts';
import type { ClaimsTable } from '../store/claim-tables.ts';
import { isoTime } from './iso-time.ts';

/** What the expert's and the insurer's view of a record have in common. */
type CommonView = Omit<Case, 'Insurer'> & Omit<Claim, 'Expert' | 'LastReportApprovedAt'>;

/**
 * The common part of a record's two views as UTF-8 JSON without the closing brace. It is stored
 * beside the record, so that a list is put together from ready bytes.
 */
export function commonViewBytes(claim: ClaimsTable, payloadJson: string): Buffer {
  const savings = savingsRappen(claim.cost_estimate_rappen, claim.approved_rappen);
  const view: CommonView = {
    Id: claim.id,
    ExternalKey: claim.external_key,
    Category: claim.category,
    Status: claim.status,
    CreatedAt: isoTime(claim.created_at),
    UpdatedAt: isoTime(claim.last_changed_at),
    ExpertComment: claim.expert_comment,
    ArchiveState: claim.archived === 1,
    HailDriveInAccepted: claim.hail_drive_in_accepted === 1,
    LastChangedAt: isoTime(claim.last_changed_at),
    CostEstimateAmount: chfOrNull(claim.cost_estimate_rappen),
    ApprovedAmount: chfOrNull(claim.approved_rappen),
    SavingsAmount: chfOrNull(savings),
    PayloadJson: payloadJson,
  };
  return Buffer.from(JSON.stringify(view).slice(0, -1));
}

function chfOrNull(rappen: number | null): number | null {
  return rappen === null ? null : chfFromRappen(rappen);
}

/** What the expert's view has beside the common part, with the closing brace. */
export function caseTail(insurer: OrganizationContact): Buffer {
  return Buffer.from(`,"Insurer":${JSON.stringify(insurer)}}`);
}

/** What the insurer's view has beside the common part, with the closing brace. */
export function claimTail(
  expert: OrganizationContact | null,
  lastReportApprovedAt: number | null,
): Buffer {
  const at = lastReportApprovedAt === null ? null : isoTime(lastReportApprovedAt);
  return Buffer.from(
    `,"Expert":${JSON.stringify(expert)},"LastReportApprovedAt":${JSON.stringify(at)}}`,
  );
}
