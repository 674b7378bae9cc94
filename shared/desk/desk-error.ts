/** What a parameter is; with `?` it may be absent or null. A `value` is a text or an amount. */
type ParamKind = 'string' | 'number' | 'string?' | 'number?' | 'value?';

/**
 * What can go wrong, as stable codes, each with the parameters that its sentence prints. The window
 * and the command line show each in the user's language (`shared/i18n/`). No parameter contains a
 * secret.
 */
export const deskErrors = {
  // input
  invalid_input: { field: 'string', rule: 'string' },
  amount_not_a_number: { field: 'string', value: 'string', max: 'number?' },
  amount_negative: { field: 'string', value: 'string?', max: 'number?' },
  amount_too_many_decimals: { field: 'string', value: 'string?', max: 'number?' },
  amount_too_large: { field: 'string', value: 'string?', max: 'number' },
  comment_too_long: { field: 'string', max: 'number', length: 'number' },
  reason_missing: { field: 'string' },
  reason_too_long: { field: 'string', max: 'number', length: 'number' },
  case_not_found: { id: 'string' },
  /** Several cases have this ExternalKey. */
  case_ambiguous: { id: 'string', count: 'number' },
  document_not_found: {},
  draft_not_found: {},
  view_name_taken: { name: 'string' },
  view_not_found: { name: 'string' },
  /** Line 0 is the rule as a whole. */
  own_rule_invalid: { line: 'number', text: 'string', rule: 'string' },
  /** The first field that no case has. */
  text_block_invalid: { entry: 'string', line: 'number', text: 'string' },
  /** No file of text blocks and checklists. */
  texts_file_invalid: { fileName: 'string' },
  /** Where in the file, counted from one. */
  texts_entry_invalid: { entry: 'string', rule: 'string' },
  /** Neither CSV nor XLSX from there on. */
  sheet_unreadable: { fileName: 'string', line: 'number' },
  /** No external key, or nothing next to it that can be set. */
  sheet_columns: { fileName: 'string' },
  /** The case was in that line already. */
  sheet_line_twice: { line: 'number' },
  /** A formula whose result the program that wrote the sheet did not store. */
  sheet_cell_empty: { field: 'string' },
  /** A formula without a result, such as `#REF!`. */
  sheet_cell_failed: { field: 'string', value: 'string' },
  /** A file that is no template of the office: damaged, with macros, too large. */
  template_refused: { fileName: 'string', rule: 'string' },
  template_not_found: {},
  /** The folder of templates that IT set. */
  template_folder_unreachable: { folder: 'string' },
  /** Fields that no case has, or lists without an end. */
  template_faulty: { fileName: 'string', count: 'number' },
  /** LibreOffice is not on this device. */
  pdf_program_missing: {},
  pdf_not_made: { fileName: 'string' },
  /** A program has the document open that would be filled again. */
  document_open: { fileName: 'string' },
  queue_row_not_found: { id: 'number' },
  /** The act is not possible in this state. */
  queue_row_state: { id: 'number', state: 'string' },
  /** The case does not allow this act. */
  case_state: { status: 'string' },
  // files
  file_not_found: { fileName: 'string' },
  /** A pipe or a device, whose content may have no end. */
  file_not_regular: { fileName: 'string' },
  /** In a folder that is read whole; it may lead out of it. */
  file_is_link: { fileName: 'string' },
  /** Still being written, or another one by now. */
  file_changing: { fileName: 'string' },
  file_empty: { fileName: 'string' },
  file_too_large: { fileName: 'string', sizeBytes: 'number', maxBytes: 'number' },
  file_type_not_allowed: { fileName: 'string', contentType: 'string' },
  /** The content is of another type than the name. */
  file_type_mismatch: { fileName: 'string', contentType: 'string' },
  /** An Office document that is encrypted, or of the format before 2007. */
  office_protected: { fileName: 'string' },
  file_name_invalid: { fileName: 'string', rule: 'string' },
  /** No reader opens it. */
  pdf_damaged: { fileName: 'string' },
  photo_unusable: { fileName: 'string', rule: 'string' },
  /** It may contain more than its picture, which could not be removed. */
  photo_unready: { fileName: 'string' },
  /** A draft of the case has a document of a template, filled for other values. */
  draft_filled_otherwise: {},
  /** An answer of the gateway was lost: cases beyond the first ones may be assigned or not. */
  hand_over_unsure: { done: 'number', total: 'number' },
  /** The right, or the person, is missing in the gateway. */
  hand_over_refused: { done: 'number', total: 'number' },
  /** The gateway could not be asked, or did not carry it out. */
  hand_over_stopped: { done: 'number', total: 'number' },
  draft_without_documents: {},
  /** Its files are still being added, redrawn or renamed in a window. */
  draft_busy: {},
  /** No existing file is ever overwritten. */
  file_exists: { fileName: 'string' },
  file_unwritable: { fileName: 'string', reason: 'string' },
  /** A program chosen by this name would not find what it expects. */
  file_not_opened: { fileName: 'string' },
  /** Nothing on this laptop takes it. */
  no_program: { fileName: 'string' },
  /** The mouse button was released before the copy was ready; nothing was dropped. */
  drag_let_go: { fileName: 'string' },
  // the package of undelivered work
  /** Another file. */
  package_unreadable: {},
  /** It begins like one. */
  package_damaged: {},
  package_passphrase_wrong: {},
  /** The connection that the package belongs to. */
  package_other_connection: { name: 'string' },
  /** No automatic backup can be made. */
  backup_passphrase_missing: {},
  /** Another laptop with the same package may have delivered it. */
  restored_unsure: { submittedAt: 'string?' },
  /** The report was submitted before, is not there, and another one is. */
  resubmission_unsure: { submittedAt: 'string?' },
  /** No answer came, and the case changed since and is closed. */
  reopening_unsure: {},
  // keys and keychain
  /** What the file contains instead of a private key. */
  key_unreadable: { found: 'string' },
  key_not_rsa: { found: 'string' },
  key_too_short: { bits: 'number' },
  key_passphrase_needed: {},
  key_passphrase_wrong: {},
  /** This system has no keychain. */
  keychain_unavailable: { reason: 'string?' },
  keychain_locked: {},
  /** There is a keychain, or must be one, but it fails or does not answer. */
  keychain_unreachable: { reason: 'string?' },
  keychain_entry_lost: { entry: 'string?', fileName: 'string?' },
  vault_passphrase_wrong: {},
  /** The key store needs it, and it was not given. */
  vault_passphrase_missing: {},
  // connection
  no_connection: {},
  /** It has this address and client id already. */
  connection_known: { name: 'string' },
  /** It would be removed. */
  connection_holds_work: {
    entries: 'number?',
    drafts: 'number?',
    texts: 'number?',
    backups: 'number?',
  },
  /** The practice workspace is not open. */
  practice_only: {},
  credentials_invalid: { field: 'string', rule: 'string' },
  base_url_invalid: { field: 'string', rule: 'string' },
  offline: { host: 'string' },
  /** The name server does not know it. */
  address_unknown: { host: 'string' },
  connection_refused: { host: 'string' },
  connection_lost: { host: 'string' },
  timeout: { host: 'string' },
  certificate_untrusted: { host: 'string', reason: 'string' },
  /** An answer that is not the partner's. */
  captive_portal: { host: 'string', found: 'string' },
  /** A page of the partner's side, in place of the answer to this request alone. */
  answer_foreign: { host: 'string', status: 'number', found: 'string' },
  answer_too_large: { host: 'string', maxMegabytes: 'number' },
  redirect_refused: { host: 'string' },
  /** The proxy asks for a name and a password, which the desk has for none. */
  proxy_sign_in: { host: 'string' },
  clock_wrong: { offsetMinutes: 'number' },
  client_id_unknown: { clientId: 'string' },
  /** The server does not know this key for this client id. */
  key_rejected: {},
  /** The office has ended this laptop's access. */
  access_revoked: {},
  audience_wrong: { audience: 'string' },
  /** The partner does not name the reason. */
  sign_in_refused: { clientId: 'string', audience: 'string' },
  /** Nothing answers at the address of the list of cases, or of the tokens. */
  path_unknown: { address: 'string', status: 'number' },
  /** The gateway does not take the enrolment code. */
  code_refused: {},
  /** What answers is no office gateway. */
  gateway_missing: { host: 'string' },
  organization_kind_wrong: {},
  unauthorized: { title: 'string?', detail: 'string?' },
  rate_limited: { retryAfterS: 'number?', until: 'string' },
  /** A notice, not a failure. */
  limit_lowered: { bucket: 'string', perMinute: 'number', until: 'string' },
  server_refused: {
    title: 'string',
    status: 'number?',
    detail: 'string?',
    correlationId: 'string?',
    /** Of a request that reads. */
    operation: 'string?',
  },
  server_failed: { title: 'string?', status: 'number?', correlationId: 'string?' },
  /** JSON, but not what the schema promises. */
  answer_invalid: { operation: 'string', detail: 'string' },
  /** Not every case that the partner may have could be read. */
  list_incomplete: { reason: 'string', seen: 'number', total: 'number' },
  /** A notice: the partner lists all cases, although it was asked for the changed ones. */
  changes_unfiltered: { parameter: 'string' },
  /** A notice about the partner's lists. */
  records_unreadable: { count: 'number', id: 'string', place: 'string' },
  /** A notice about LastChangedAt. */
  case_time_ahead: { count: 'number', externalKey: 'string?' },
  /** The answer is about something else than the request. */
  answer_mismatch: { operation: 'string', field: 'string' },
  // the server's state against ours
  server_draft_exists: {},
  /** Not from this laptop, in the draft that would be submitted. */
  server_draft_documents: { count: 'number' },
  /** After an answer that all was well; the value is an amount or an excerpt of a text. */
  server_has_other: { field: 'string', sent: 'value?', found: 'value?' },
  /** It was answered as reopened and is still closed. */
  reopening_without_effect: {},
  /** It was answered as submitted. */
  report_still_draft: {},
  report_not_listed: {},
  /** Answered as uploaded; the first of them is named. */
  documents_not_there: { count: 'number', fileName: 'string' },
  /** Somebody else deletes the report's draft each time. */
  server_draft_gone: {},
  /** The work is sent once the case is accepted. */
  case_awaits: { status: 'string' },
  server_case_gone: { status: 'number' },
  server_value_changed: { field: 'string', seen: 'value?', found: 'value?', mine: 'value?' },
  /** `cause` is the code of what failed last. */
  outcome_unknown: { cause: 'string?', host: 'string?' },
  // home
  home_in_use: { pid: 'number?' },
  home_newer: { found: 'number', known: 'number' },
  home_trial: { found: 'number', known: 'number' },
  home_unwritable: { reason: 'string' },
  settings_invalid: { fileName: 'string' },
  policy_invalid: { fileName: 'string', place: 'string', detail: 'string' },
  /** A sound backup is offered. */
  work_corrupt: {},
  /** No backup is sound, or there was none. */
  work_lost: {},
  disk_full: {},
  /** `reason` is the engine's own, for the log, until a layer with a log gives the reference. */
  internal: { correlationId: 'string?', reason: 'string?' },
} as const satisfies Record<string, Record<string, ParamKind>>;

export type DeskErrorCode = keyof typeof deskErrors;
/** Codes whose only parameter is the host that was asked. */
export type HostErrorCode =
  | 'offline'
  | 'address_unknown'
  | 'connection_refused'
  | 'connection_lost'
  | 'timeout';
export const deskErrorCodes = Object.keys(deskErrors) as DeskErrorCode[];

interface Kinds {
  readonly string: string;
  readonly number: number;
  readonly value: string | number;
}
type Required<Shape> = {
  [Name in keyof Shape as Shape[Name] extends `${string}?` ? never : Name]: Kinds[Shape[Name] &
    keyof Kinds];
};
type Optional<Shape> = {
  [Name in keyof Shape as Shape[Name] extends `${string}?` ? Name : never]?:
    | Kinds[Shape[Name] extends `${infer Kind}?` ? Kind & keyof Kinds : never]
    | null
    | undefined;
};
type Params<Code extends DeskErrorCode> = Required<(typeof deskErrors)[Code]> &
  Optional<(typeof deskErrors)[Code]>;

/** A problem as data: what a queue row stores, what the contract's typed error carries. */
export type DeskProblem = {
  [Code in DeskErrorCode]: { readonly code: Code; readonly params: Params<Code> };
}[DeskErrorCode];

/** Code and parameters, which may be left out if every one of them may be absent. */
type ErrorArguments = {
  [Code in DeskErrorCode]: keyof Required<(typeof deskErrors)[Code]> extends never
    ? [code: Code, params?: Params<Code>, options?: { cause?: unknown }]
    : [code: Code, params: Params<Code>, options?: { cause?: unknown }];
}[DeskErrorCode];

/** A parameter by its name, for any code. */
export function paramOf(
  { params }: DeskProblem | DeskError,
  name: string,
): string | number | null | undefined {
  const given: Readonly<Record<string, string | number | null | undefined>> = params;
  return given[name];
}

/** Thrown by the engine; `code` is stable, `message` is for logs and contains no personal data. */
export class DeskError extends Error {
  override readonly name = 'DeskError';
  readonly code: DeskErrorCode;
  readonly params: DeskProblem['params'];

  constructor(...[code, params, options]: ErrorArguments) {
    super(code, options);
    this.code = code;
    this.params = params ?? {};
  }

  /** The error of a problem that came as data. */
  static of({ code, params }: DeskProblem): DeskError {
    // Both belong to one code, which a destructured union no longer shows.
    return new DeskError(...([code, params] as ErrorArguments));
  }

  /** The same as data; its code narrows its parameters. */
  get problem(): DeskProblem {
    return { code: this.code, params: this.params } as DeskProblem;
  }
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * Whether something is a problem with the parameters of its code; further parameters are ignored.
 */
export function isDeskProblem(value: unknown): value is DeskProblem {
  if (!isRecord(value) || !isRecord(value['params'])) return false;
  const code = deskErrorCodes.find((known) => known === value['code']);
  const given = value['params'];
  return (
    code !== undefined &&
    Object.entries<ParamKind>(deskErrors[code]).every(([name, kind]) => isOfKind(given[name], kind))
  );
}

function isOfKind(value: unknown, kind: ParamKind): boolean {
  if (value === undefined || value === null) return kind.endsWith('?');
  if (kind === 'value?') return typeof value === 'string' || typeof value === 'number';
  return typeof value === kind.replace('?', '');
}
