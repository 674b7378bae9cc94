import type { Generated, GeneratedAlways, Selectable } from 'kysely';
import type { CountsTable } from '../front/store/list-counts.ts';
import type { ContentTables, SecurityTables } from '../front/store/tables.ts';

/*
 * The tables of the gateway's store. Times are milliseconds since 1970, and flags are 1 and 0.
 * Records of the partner are stored as the JSON that it sent.
 */

/** A laptop or another program of the office. */
export interface ClientsTable {
  client_id: string;
  name: string;
  /** The RFC 7638 thumbprint of the key. */
  kid: string;
  /** The public RSA key as JWK JSON. */
  public_jwk: string;
  /** The value is 1 if the client sees every case and may assign cases. */
  dispatcher: number;
  created_at: number;
  revoked_at: number | null;
  /**
   * The number increases with each new key and each revocation. Tokens and sessions of an earlier
   * number are invalid.
   */
  generation: Generated<number>;
}

interface EnrolmentCodesTable {
  /** The SHA-256 of the code in hex. */
  code_hash: string;
  /** The first group of the code, by which the operator recognizes it. */
  label: string;
  name: string;
  dispatcher: number;
  expires_at: number;
  /** The client that the code created, or to which it gives a new key. */
  client_id: string | null;
  /** When the code was used; null while it is open. */
  used_at: number | null;
}

/** A code or session for the dispatcher's page. */
interface DispatchKeysTable {
  /** The SHA-256 in hex of the code or of the session's token. */
  key_hash: string;
  purpose: 'code' | 'session';
  client_id: string;
  /** The client's generation when the key was created. */
  generation: number;
  expires_at: number;
}

interface CasesColumns {
  /** The number of the case, which increases. */
  number: Generated<number>;
  id: string;
  external_key: string;
  category: string;
  status: string;
  /** The inspection type from the payload; empty if it has none. */
  inspection_type: string;
  /** The postal code from the payload's location; empty if it has none. */
  postal_code: string;
  /** The name of the insurer's responsible person. */
  responsible: string;
  created_at: number;
  /** The LastChangedAt that the gateway's clients see. It increases with every change. */
  changed_at: number;
  /** The LastChangedAt as the partner wrote it. */
  partner_changed_at: string;
  /** The case without LastChangedAt. */
  body_json: string;
  /** The folded text that q searches. */
  search_text: string;
  /** The value is 1 if the partner no longer lists the case. */
  delisted: number;
  /** The latest change that was passed on to the partner. */
  latest_change: string | null;
  /** When the latest open change was passed on; null if there is none. */
  unsure_since: number | null;
  /** The `partner_changed_at` for which the documents (X6) were read. */
  documents_as_of: string | null;
  /** The `partner_changed_at` for which the reports (X10) were read. */
  reports_as_of: string | null;
  /** The value is 1 if the documents or reports must be read ahead. */
  stale: GeneratedAlways<number | null>;
}

export type CasesTable = Selectable<CasesColumns>;

/**
 * A change that was passed on. The row exists until the store certainly has the effect of the
 * change.
 */
interface OpenChangesTable {
  mark: string;
  case_id: string;
  since: number;
}

interface AssignmentsTable {
  case_id: string;
  client_id: string;
}

/** A rule that assigns new cases to a client. An empty condition matches every case. */
export interface RulesTable {
  id: Generated<number>;
  client_id: string;
  category: string;
  postal_from: string;
  postal_to: string;
  responsible: string;
}

export interface DocumentsTable {
  id: string;
  case_id: string;
  /** The position in the partner's list. */
  position: number;
  body_json: string;
  size_bytes: number;
  /** The content; null until the document was fetched. */
  content_id: string | null;
}

interface ReportsTable {
  id: string;
  case_id: string;
  position: number;
  body_json: string;
}

/** A page of the documents of a submitted report (X12), byte for byte. */
interface ReportPagesTable {
  submission_id: string;
  page: number;
  size: number;
  size_bytes: number;
  content_id: string;
}

interface AuditTable {
  id: Generated<number>;
  at: number;
  /** The id of the client, or `operator` for a command. */
  client_id: string;
  operation: string;
  /** The case, or the subject of a command. */
  subject: string;
  /** The HTTP status; 0 if the outcome is unknown, null until there is one. */
  status: number | null;
  /** The correlation id, which is the same at the client, the gateway and the partner. */
  correlation_id: string;
}

/** The place of a client in the queue for one bucket of the partner. */
interface TurnTicketsTable {
  bucket: string;
  client_id: string;
  round: number;
  /** The time of the first attempt. */
  since: number;
  /** The time that was reported to its client. */
  due_at: number;
  /** The process at which its client waits. */
  process: string;
  /**
   * The time until which the client counts as waiting, unless the process renews it; 0 if it does
   * not wait.
   */
  present_until: number;
  /** The value is 0 after it had its turn. */
  is_open: number;
}

/** The state of the queue for one bucket. */
interface TurnQueuesTable {
  bucket: string;
  round: number;
  client_turns: number;
  turn_ms: number;
  turn_at: number;
}

/**
 * `cursor`, `polled_at`, `pulled_at`, `pull_findings`, `read_ahead_at`, `rescan_began_at`,
 * `rescanned_at`, `health`.
 */
interface StateTable {
  name: string;
  value: string;
}

export interface GatewayTables extends SecurityTables, ContentTables {
  clients: ClientsTable;
  enrolment_codes: EnrolmentCodesTable;
  dispatch_keys: DispatchKeysTable;
  cases: CasesColumns;
  cases_counts: CountsTable;
  open_changes: OpenChangesTable;
  assignments: AssignmentsTable;
  rules: RulesTable;
  documents: DocumentsTable;
  reports: ReportsTable;
  report_pages: ReportPagesTable;
  audit: AuditTable;
  turn_tickets: TurnTicketsTable;
  turn_queues: TurnQueuesTable;
  state: StateTable;
}
