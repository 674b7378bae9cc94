import type { Generated } from 'kysely';
import type { CaseStatus, Category } from '#shared/api/case.ts';
import type { SubmissionDocumentKind, SubmissionStatus } from '#shared/api/submission.ts';

/*
 * Tables of claims, documents, submissions and events. Times are milliseconds since 1970, sums are
 * whole Rappen, yes and no are 1 and 0.
 */

/** One row per record, narrow, because lists filter and sort by it. */
export interface ClaimsTable {
  /** Counts up; also the row's number in `claim_views`, `claim_payloads` and the search index. */
  number: number;
  id: string;
  external_key: string;
  category: Category;
  status: CaseStatus;
  insurer_organization_id: string;
  /** Set from the first assignment on. */
  expert_organization_id: string | null;
  /** From the payload; empty where it has none. */
  inspection_type: string;
  expert_comment: string;
  archived: number;
  hail_drive_in_accepted: number;
  cost_estimate_rappen: number | null;
  approved_rappen: number | null;
  created_at: number;
  /** Rises with every change of the record, and never twice to the same value. */
  last_changed_at: number;
  /** The most recent closing (event Finalized). */
  completed_at: number | null;
  last_report_approved_at: number | null;
}

interface ClaimPayloadsTable {
  claim_number: number;
  /** As it came, byte for byte. */
  payload_json: string;
}

/** What both views of a record have in common, ready to be sent; see `claim-view.ts`. */
interface ClaimViewsTable {
  claim_number: number;
  json: Buffer;
}

export interface ClaimDocumentsTable {
  id: string;
  claim_id: string;
  file_name: string;
  content_type: string;
  size_bytes: number;
  content_id: string;
  created_at: number;
}

export interface SubmissionsTable {
  id: string;
  claim_id: string;
  sequence_no: number;
  revision_no: number;
  status: SubmissionStatus;
  comment: string;
  submitted_at: number | null;
  created_at: number;
  updated_at: number;
}

export interface SubmissionDocumentsTable extends ClaimDocumentsTable {
  submission_id: string;
  kind: SubmissionDocumentKind;
  is_salvage_sale: number;
}

/** A document's bytes, in rows of `content_chunks` or as an object in a bucket. */
interface ContentsTable {
  id: string;
  /** 0 while an upload is on its way: no document refers to it, and it may be swept away. */
  kept: number;
  created_at: number;
  /** 1 where the bytes are an object, under the content's id. */
  in_objects: Generated<number>;
}

interface ContentChunksTable {
  content_id: string;
  /** From 0. */
  position: number;
  bytes: Buffer;
}

/** Objects that are to be deleted from the bucket. */
interface DoomedObjectsTable {
  content_id: string;
}

/** The audit trail of a record. */
interface EventsTable {
  claim_id: string;
  /** From 1. */
  position: number;
  at: number;
  name: string;
  /** The client id of who did it, or `backoffice`. */
  by: string;
  detail: string;
}

interface CountersTable {
  name: string;
  value: number;
}

export interface ClaimTables {
  claims: ClaimsTable;
  claim_payloads: ClaimPayloadsTable;
  claim_views: ClaimViewsTable;
  claim_documents: ClaimDocumentsTable;
  submissions: SubmissionsTable;
  submission_documents: SubmissionDocumentsTable;
  contents: ContentsTable;
  content_chunks: ContentChunksTable;
  doomed_objects: DoomedObjectsTable;
  events: EventsTable;
  counters: CountersTable;
}
