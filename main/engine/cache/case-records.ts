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

/** What a list shows of a case, before the person's unsent work is laid over it. */
export interface CaseRecord extends Omit<CaseInput, 'payloadJson'> {
  readonly policyNumber: string;
  readonly claimType: string;
  readonly inspectionType: string;
  readonly inspectionDate: string | null;
  readonly incidentDate: string | null;
  readonly partyName: string;
  readonly place: string;
  readonly licensePlate: string;
  readonly subject: string;
  readonly goneReason: GoneReason | null;
  /** Null until the list of documents was first read. */
  readonly documentCount: number | null;
  readonly documentsOnLaptop: number;
}

/** A row of `cases` with the two counts. */
export interface CaseRow {
  id: string;
  seq: number;
  external_key: string;
  category: string;
  status: string;
  created_at: string;
  updated_at: string;
  last_changed_at: string;
  expert_comment: string;
  archive_state: number;
  hail_drive_in_accepted: number;
  insurer_name: string;
  responsible_name: string;
  responsible_email: string;
  responsible_phone: string;
  cost_estimate_rappen: number | null;
  approved_rappen: number | null;
  policy_number: string;
  claim_type: string;
  inspection_type: string;
  inspection_date: string | null;
  incident_date: string | null;
  party_name: string;
  place: string;
  license_plate: string;
  subject: string;
  gone_reason: GoneReason | null;
  documents_listed_at: string | null;
  document_count: number;
  documents_on_laptop: number;
}

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
    licensePlate: row.license_plate,
    subject: row.subject,
    goneReason: row.gone_reason,
    documentCount: row.documents_listed_at === null ? null : row.document_count,
    documentsOnLaptop: row.documents_on_laptop,
  };
}
