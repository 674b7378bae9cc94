import type { CaseDetail, CaseSummary } from '#shared/desk/cases.ts';
import { chfFromRappen, savingsRappen } from '#shared/lib/money.ts';
import { parsePayload } from '#shared/payload/parse-payload.ts';
import type { CaseRecord } from '../cache/case-records.ts';
import type { CaseOverlay } from '../work/overlay.ts';

interface Amounts {
  readonly costEstimateRappen: number | null;
  readonly approvedRappen: number | null;
}

const chf = (rappen: number | null) => (rappen === null ? null : chfFromRappen(rappen));

function amountsView({ costEstimateRappen, approvedRappen }: Amounts) {
  return {
    costEstimateAmount: chf(costEstimateRappen),
    approvedAmount: chf(approvedRappen),
    savingsAmount: chf(savingsRappen(costEstimateRappen, approvedRappen)),
  };
}

/** Status, amounts and comment as the person sees them: the server's under the unsent work. */
export function seenValues(record: CaseRecord, overlay: CaseOverlay | undefined) {
  return {
    status: overlay?.reopened && record.status === 'Final' ? 'InProgress' : record.status,
    amounts: overlay?.amounts ?? record,
    comment: overlay?.comment ?? record.expertComment,
  };
}

/** A row of the case list. */
export function caseSummary(record: CaseRecord, overlay: CaseOverlay | undefined): CaseSummary {
  const seen = seenValues(record, overlay);
  return {
    id: record.id,
    externalKey: record.externalKey,
    category: record.category,
    createdAt: record.createdAt,
    updatedAt: record.updatedAt,
    lastChangedAt: record.lastChangedAt,
    archiveState: record.archiveState,
    hailDriveInAccepted: record.hailDriveInAccepted,
    insurer: record.insurer,
    policyNumber: record.policyNumber,
    claimType: record.claimType,
    inspectionType: record.inspectionType,
    inspectionDate: record.inspectionDate,
    incidentDate: record.incidentDate,
    partyName: record.partyName,
    place: record.place,
    licensePlate: record.licensePlate,
    subject: record.subject,
    goneReason: record.goneReason,
    documentCount: record.documentCount,
    documentsOnLaptop: record.documentsOnLaptop,
    status: seen.status,
    expertComment: seen.comment,
    ...amountsView(seen.amounts),
    pendingCount: overlay?.pendingCount ?? 0,
    needsAttention: overlay?.needsAttention ?? false,
  };
}

/** A case's page. */
export function caseDetail(
  record: CaseRecord,
  overlay: CaseOverlay | undefined,
  payloadJson: string,
): CaseDetail {
  return {
    ...caseSummary(record, overlay),
    payloadJson,
    payload: parsePayload(payloadJson),
    server: { expertComment: record.expertComment, ...amountsView(record) },
  };
}
