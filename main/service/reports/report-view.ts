import type { Report, Submission, SubmissionDocument } from '#shared/api/submission.ts';
import { isoTime } from '#shared/api/date-time.ts';
import { documentView } from '../documents/document-view.ts';
import type { SubmissionDocumentsTable, SubmissionsTable } from '../store/tables.ts';

export function submissionView(row: SubmissionsTable): Submission {
  return {
    Id: row.id,
    ClaimId: row.claim_id,
    SequenceNo: row.sequence_no,
    Status: row.status,
    Comment: row.comment,
    SubmittedAt: row.submitted_at === null ? null : isoTime(row.submitted_at),
    CreatedAt: isoTime(row.created_at),
    UpdatedAt: isoTime(row.updated_at),
  };
}

/** A report list item. */
export function reportView(row: SubmissionsTable): Report {
  return { ...submissionView(row), RevisionNo: row.revision_no };
}

export function submissionDocumentView(row: SubmissionDocumentsTable): SubmissionDocument {
  return {
    ...documentView(row),
    SubmissionId: row.submission_id,
    ClaimId: row.claim_id,
    Kind: row.kind,
    IsSalvageSale: row.is_salvage_sale === 1,
  };
}
