import type { Generated } from 'kysely';
import type { CaseStatus, Category } from '#shared/api/case-words.ts';
import type { SubmissionDocumentKind, SubmissionStatus } from '#shared/api/submission.ts';
import type { CountsTable } from '../../front/store/list-counts.ts';
import type { ContentTables, SecurityTables } from '../../front/store/tables.ts';

/*
 * The tables of the service's store. Times are milliseconds since 1970, amounts are whole Rappen,
 * and flags are 1 and 0.
 */

/** An organization of the exchange: an insurer or an expert (appraiser). */
interface OrganizationsTable {
  id: string;
  kind: 'insurer' | 'expert';
  name: string;
  responsible_name: string;
  responsible_email: string;
  responsible_phone: string;
  /** The number of people in the organization. With 0 it is refused with org_without_members. */
  members: number;
  client_id: string;
  created_at: number;
}

/**
 * The public keys that verify an organization's client assertions. An organization can have
 * several.
 */
interface ClientKeysTable {
  /** The RFC 7638 thumbprint of the key. */
  kid: string;
  organization_id: string;
  /** The public RSA key as JWK JSON. */
  public_jwk: string;
  created_at: number;
}

/** The credentials of the first organizations, if they are not in a file. */
interface CredentialsTable {
  id: Generated<number>;
  credentials_json: string;
}

/** The records in narrow rows, by which lists filter and sort. */
export interface ClaimsTable {
  /** The number of the record, which increases. */
  number: number;
  id: string;
  external_key: string;
  category: Category;
  status: CaseStatus;
  insurer_organization_id: string;
  /** The expert organization; set from the first assignment on. */
  expert_organization_id: string | null;
  /** The inspection type from the payload; empty if the category has none. */
  inspection_type: string;
  expert_comment: string;
  archived: number;
  hail_drive_in_accepted: number;
  cost_estimate_rappen: number | null;
  approved_rappen: number | null;
  created_at: number;
  /**
   * The time of the last change. It increases with every change of the record and never has the
   * same value twice.
   */
  last_changed_at: number;
  /** The time of the most recent closing (event Finalized). */
  completed_at: number | null;
  last_report_approved_at: number | null;
}

export interface ClaimPayloadsTable {
  claim_number: number;
  /** The PayloadJson as a JSON string literal in UTF-8, which answers contain unchanged. */
  payload_literal: Buffer;
  /** The folded text that q searches; see `search-text.ts`. */
  search_text: string;
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

/** The audit trail of a record. */
interface EventsTable {
  claim_id: string;
  /** The position, from 1. */
  position: number;
  at: number;
  name: string;
  /** The client id of the author, or `backoffice`. */
  by: string;
  detail: string;
}

interface CountersTable {
  name: string;
  value: number;
}

/** Every table of the main store. */
export interface Database extends SecurityTables, ContentTables {
  organizations: OrganizationsTable;
  client_keys: ClientKeysTable;
  credentials: CredentialsTable;
  claims: ClaimsTable;
  claims_counts: CountsTable;
  claim_payloads: ClaimPayloadsTable;
  claim_documents: ClaimDocumentsTable;
  submissions: SubmissionsTable;
  submission_documents: SubmissionDocumentsTable;
  events: EventsTable;
  counters: CountersTable;
}
