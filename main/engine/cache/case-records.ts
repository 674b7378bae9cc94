import { foldText, wordsOf } from '#shared/lib/words.ts';
import type { PayloadDigest } from '#shared/payload/digest.ts';

/** A case as a server gave it; timestamps as it wrote them, money in whole Rappen. */
export interface CaseInput {
  readonly id: string;
  readonly externalKey: string;
  readonly category: string;
  readonly status: string;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly lastChangedAt: string;
  readonly expertComment: string;
  readonly payloadJson: string;
  readonly archiveState: boolean;
  readonly hailDriveInAccepted: boolean;
  readonly insurer: {
    readonly name: string;
    readonly responsible: { readonly name: string; readonly email: string; readonly phone: string };
  };
  readonly costEstimateRappen: number | null;
  readonly approvedRappen: number | null;
}

export type GoneReason = 'forbidden' | 'not_found';

/** What a list shows of a case, before the user's unsent work is laid over it. */
export interface CaseRecord
  extends Omit<CaseInput, 'payloadJson'>, Omit<PayloadDigest, 'searchText'> {
  readonly goneReason: GoneReason | null;
  /** Null until the list of documents was first read. */
  readonly documentCount: number | null;
  readonly documentsOnLaptop: number;
}

/** The columns of `cases` that the server's answer fills. */
export function sentColumns({ insurer, ...input }: CaseInput) {
  return {
    external_key: input.externalKey,
    category: input.category,
    status: input.status,
    created_at: input.createdAt,
    updated_at: input.updatedAt,
    last_changed_at: input.lastChangedAt,
    expert_comment: input.expertComment,
    archive_state: Number(input.archiveState),
    hail_drive_in_accepted: Number(input.hailDriveInAccepted),
    insurer_name: insurer.name,
    responsible_name: insurer.responsible.name,
    responsible_email: insurer.responsible.email,
    responsible_phone: insurer.responsible.phone,
    cost_estimate_rappen: input.costEstimateRappen,
    approved_rappen: input.approvedRappen,
  };
}

/** The columns of `cases` that are read out of the payload. */
export function digestColumns(digest: PayloadDigest) {
  return {
    policy_number: digest.policyNumber,
    claim_type: digest.claimType,
    inspection_type: digest.inspectionType,
    inspection_date: digest.inspectionDate,
    incident_date: digest.incidentDate,
    party_name: digest.partyName,
    place: digest.place,
    postal_code: digest.postalCode,
    license_plate: digest.licensePlate,
    subject: digest.subject,
  };
}

/** The columns of `cases` that texts are sorted by. */
export function keyColumns(input: CaseInput, digest: PayloadDigest) {
  return {
    party_key: sortKey(digest.partyName),
    subject_key: sortKey(digest.subject),
    plate_key: sortKey(digest.licensePlate),
    place_key: sortKey(digest.place),
    insurer_key: sortKey(input.insurer.name),
    policy_key: sortKey(digest.policyNumber),
    inspection_type_key: sortKey(digest.inspectionType),
    responsible_key: sortKey(input.insurer.responsible.name),
  };
}

/** Two cases whose texts agree beyond this are in the order of their last change. */
const keyMaxLength = 60;

/** Without accents and case: `Élodie` sorts next to `Eliane` and not after `Zoé` (DIN 5007-1). */
export function sortKey(text: string): string | null {
  const folded = foldText(text).trim();
  return folded === '' ? null : folded.slice(0, keyMaxLength);
}

/** A row of `cases` as the list reads it, with its documents counted. */
export type CaseRow = ReturnType<typeof sentColumns> &
  ReturnType<typeof digestColumns> & {
    id: string;
    gone_reason: GoneReason | null;
    documents_listed_at: string | null;
    document_count: number;
    documents_on_laptop: number;
  };

export function recordOf(row: CaseRow): CaseRecord {
  return {
    id: row.id,
    externalKey: row.external_key,
    category: row.category,
    status: row.status,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    lastChangedAt: row.last_changed_at,
    expertComment: row.expert_comment,
    archiveState: row.archive_state === 1,
    hailDriveInAccepted: row.hail_drive_in_accepted === 1,
    insurer: {
      name: row.insurer_name,
      responsible: {
        name: row.responsible_name,
        email: row.responsible_email,
        phone: row.responsible_phone,
      },
    },
    costEstimateRappen: row.cost_estimate_rappen,
    approvedRappen: row.approved_rappen,
    policyNumber: row.policy_number,
    claimType: row.claim_type,
    inspectionType: row.inspection_type,
    inspectionDate: row.inspection_date,
    incidentDate: row.incident_date,
    partyName: row.party_name,
    place: row.place,
    postalCode: row.postal_code,
    licensePlate: row.license_plate,
    subject: row.subject,
    goneReason: row.gone_reason,
    documentCount: row.documents_listed_at === null ? null : row.document_count,
    documentsOnLaptop: row.documents_on_laptop,
  };
}

/** What `case_search` contains of a case. */
export function searchText(input: CaseInput, digest: PayloadDigest): string {
  return [
    input.externalKey,
    joinedForms(input.externalKey, digest.licensePlate, digest.policyNumber),
    input.insurer.name,
    input.insurer.responsible.name,
    input.expertComment,
    digest.searchText,
  ].join(' ');
}

/** Identifiers without their gaps: `ZH 123 456`, `ZH123456` and `zh-123456` find the same car. */
function joinedForms(...identifiers: readonly string[]): string {
  return identifiers
    .map((identifier) => wordsOf(identifier))
    .filter((words) => words.length > 1)
    .map((words) => words.join(''))
    .join(' ');
}
