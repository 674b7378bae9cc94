import type { Generated, GeneratedAlways, Selectable } from 'kysely';
import type { CountsTable } from '../front/store/list-counts.ts';
import type { ContentTables, SecurityTables } from '../front/store/tables.ts';

/*
 * The tables of the gateway's store. Times are milliseconds since 1970, flags are 1 and 0. Records of
 * the partner are stored as the JSON that it sent.
 */

/** A laptop or another program of the office. */
export interface ClientsTable {
  client_id: string;
  name: string;
  /** RFC 7638 thumbprint of the key. */
  kid: string;
  /** Public RSA key as JWK JSON. */
  public_jwk: string;
  /** 1 if it sees every case and may assign them. */
  dispatcher: number;
  created_at: number;
  revoked_at: number | null;
  /** Rises with each new key and each revocation; tokens and sessions of an earlier one are invalid. */
  generation: Generated<number>;
}

interface EnrolmentCodesTable {
  /** Hex SHA-256 of the code. */
  code_hash: string;
  /** The first group of the code, by which the operator recognizes it. */
  label: string;
  name: string;
  dispatcher: number;
  expires_at: number;
  /** The client that the code made, or that it gives a new key. */
  client_id: string | null;
  /** Null while the code is open. */
  used_at: number | null;
}

/** What opens the dispatcher's page. */
interface DispatchKeysTable {
  /** Hex SHA-256 of the code or of the session's token. */
  key_hash: string;
  purpose: 'code' | 'session';
  client_id: string;
  /** The client's, when it was made. */
  generation: number;
  expires_at: number;
}

interface CasesColumns {
  /** Counts up. */
  number: Generated<number>;
  id: string;
  external_key: string;
  category: string;
  status: string;
  /** From the payload; empty if it has none. */
  inspection_type: string;
  /** From the payload's location; empty if it has none. */
  postal_code: string;
  /** Name of the insurer's responsible. */
  responsible: string;
  created_at: number;
  /** LastChangedAt as the gateway's clients see it; rises with every change. */
  changed_at: number;
  /** LastChangedAt as the partner wrote it. */
  partner_changed_at: string;
  /** The case without LastChangedAt. */
  body_json: string;
  /** The folded text that q searches. */
  search_text: string;
  /** 1 if the partner lists it no more. */
  delisted: number;
  /** The latest change that was passed on. */
  latest_change: string | null;
  /** When the latest open change was passed on; null if nothing was. */
  unsure_since: number | null;
  /** The `partner_changed_at` for which the documents (X6) were read. */
  documents_as_of: string | null;
  /** The `partner_changed_at` for which the reports (X10) were read. */
  reports_as_of: string | null;
  /** 1 if the documents or reports are to be read ahead. */
  stale: GeneratedAlways<number | null>;
}

export type CasesTable = Selectable<CasesColumns>;

/** A change that was passed on, until the store certainly has its effect. */
interface OpenChangesTable {
  mark: string;
  case_id: string;
  since: number;
}

interface AssignmentsTable {
  case_id: string;
  client_id: string;
}

/** Assigns new cases to a client; an empty condition matches every case. */
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
  /** Place in the partner's list. */
  position: number;
  body_json: string;
  size_bytes: number;
  /** Null until the document was fetched. */
  content_id: string | null;
}

interface ReportsTable {
  id: string;
  case_id: string;
  position: number;
  body_json: string;
}

/** A page of the documents of a report that was handed in (X12), byte for byte. */
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
  /** The client's id, or `operator` for a command. */
  client_id: string;
  operation: string;
  /** The case, or what a command was about. */
  subject: string;
  /** HTTP status; 0 if the outcome is unknown, null until there is one. */
  status: number | null;
  /** The same at the client, the gateway and the partner. */
  correlation_id: string;
}

/** The place of a client in the queue for one bucket of the partner. */
interface TurnTicketsTable {
  bucket: string;
  client_id: string;
  round: number;
  /** The first try. */
  since: number;
  /** The time that its client was told. */
  due_at: number;
  /** The process at which its client waits, */
  process: string;
  /** until this time, unless the process shows it again; 0 if it does not wait. */
  present_until: number;
  /** 0 once it had its turn. */
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

/** `cursor`, `polled_at`, `pulled_at`, `pull_findings`, `read_ahead_at`, `rescanned_at`, `health`. */
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
