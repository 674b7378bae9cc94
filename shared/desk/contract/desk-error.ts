/** What a parameter is; with `?` it may be absent or null. A `value` is a text or an amount. */
type ParamKind = 'string' | 'number' | 'string?' | 'number?' | 'value?';

/**
 * Everything that can go wrong, as stable codes, each with the parameters of its sentence. The
 * window and the command line show the sentence in the user's language (`shared/i18n/`). No
 * parameter contains a secret.
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
  positions_unknown: { fileName: 'string' },
  draft_not_found: {},
  view_name_taken: { name: 'string' },
  view_not_found: { name: 'string' },
  /** The line is 0 if the rule as a whole is wrong. */
  own_rule_invalid: { line: 'number', text: 'string', rule: 'string' },
  /** The field is the first one that no case has. */
  text_block_invalid: { entry: 'string', line: 'number', text: 'string' },
  /** The file is not a file of text blocks and checklists. */
  texts_file_invalid: { fileName: 'string' },
  /** The entry is counted from one within the file. */
  texts_entry_invalid: { entry: 'string', rule: 'string' },
  /** From this line on, the file is neither CSV nor XLSX. */
  sheet_unreadable: { fileName: 'string', line: 'number' },
  /** The sheet has no column with the external key, or no column that can be set. */
  sheet_columns: { fileName: 'string' },
  /** An earlier line has the same case. */
  /** No visible sheet of the workbook has this name; `names` are the visible ones. */
  sheet_not_found: { fileName: 'string', name: 'string', names: 'string' },
  /** A cell with a value has no heading above it. */
  sheet_cells_beyond: { column: 'number', value: 'string' },
  sheet_cell_control: { column: 'number' },
  /** The cell begins with a quote that its line does not close, so where it ends is unknown. */
  sheet_cell_quote: { column: 'number' },
  sheet_line_twice: { line: 'number' },
  /** The cell has a formula, and the program that wrote the sheet did not store its result. */
  sheet_cell_empty: { field: 'string' },
  /** The result of the formula is an error, such as `#REF!`. */
  sheet_cell_failed: { field: 'string', value: 'string' },
  /**
   * The file is not a template of the office. `thing` is what the file is, in brackets after a
   * space.
   */
  template_refused: { fileName: 'string', rule: 'string', thing: 'string' },
  template_not_found: {},
  /** Several templates have this name; `ids` tell them apart. */
  template_ambiguous: { name: 'string', ids: 'string' },
  /** The template is for cases of another category. */
  template_wrong_category: { fileName: 'string' },
  /** The folder of templates that IT set cannot be read. */
  template_folder_unreachable: { folder: 'string' },
  /** The template has fields that no case has, or lists without an end. */
  template_faulty: { fileName: 'string', count: 'number' },
  /** LibreOffice is not on this device. */
  pdf_program_missing: {},
  pdf_not_made: { fileName: 'string' },
  /** The PDF that was made lacks something of the document, or of its annexes. */
  pdf_incomplete: { fileName: 'string', thing: 'string' },
  /** A file cannot become a part of the one PDF. */
  annex_not_bound: { fileName: 'string', rule: 'string' },
  /** A program has the document open that is to be filled again. */
  document_open: { fileName: 'string' },
  queue_row_not_found: { id: 'number' },
  /** The act is not possible in this state. */
  queue_row_state: { id: 'number', state: 'string' },
  /** The user has queued a newer act of the kind, so an older one is not queued again. */
  newer_act: { id: 'number' },
  /** The case does not allow this act. */
  case_state: { status: 'string' },
  // files
  file_not_found: { fileName: 'string' },
  /** The window was given the file, but it cannot read it. */
  file_unreadable: { fileName: 'string' },
  /** The path is a pipe or a device, whose content may have no end. */
  file_not_regular: { fileName: 'string' },
  /** The folder that is read contains a symbolic link, which may lead out of it. */
  file_is_link: { fileName: 'string' },
  /** The file is still being written, or was replaced in the meantime. */
  file_changing: { fileName: 'string' },
  file_empty: { fileName: 'string' },
  file_too_large: { fileName: 'string', sizeBytes: 'number', maxBytes: 'number' },
  file_type_not_allowed: { fileName: 'string', contentType: 'string' },
  /** The content is of another type than the name. */
  file_type_mismatch: { fileName: 'string', contentType: 'string' },
  /** An Office document that is encrypted, or of the format before 2007. */
  office_protected: { fileName: 'string' },
  file_name_invalid: { fileName: 'string', rule: 'string' },
  /**
   * The file is of another common kind that the partner does not accept; the rule decides which
   * advice is shown.
   */
  file_kind: { fileName: 'string', rule: 'string' },
  /** The file is only a placeholder: its content is in a cloud and not on this laptop. */
  file_in_cloud: { fileName: 'string' },
  /** No reader can open the PDF, or read it to its end. */
  pdf_damaged: { fileName: 'string' },
  /** Pictures of the PDF look damaged, and no window is open in which the user would see it. */
  pdf_looks_damaged: { fileName: 'string' },
  /** The file is not complete; the rule names what is missing. */
  file_damaged: { fileName: 'string', rule: 'string' },
  /** The file unpacks to more than its reader takes, or takes too long to read. */
  file_too_heavy: { fileName: 'string' },
  /** No reader of the file could be started, or it ended with an error of its own. */
  file_unchecked: { fileName: 'string' },
  /** A mail carries more files than are read; the names are those of the others. */
  mail_files_left_out: { fileName: 'string', n: 'number', names: 'string' },
  photo_unusable: { fileName: 'string', rule: 'string' },
  /** Another window has edited the photo since, so that this edit would take that one back. */
  photo_changed: { fileName: 'string' },
  /** The picture may contain hidden data that could not be removed. */
  photo_unready: { fileName: 'string' },
  /** A draft of the case has a document of a template that was filled with other values. */
  draft_filled_otherwise: {},
  /**
   * The gateway's answer was lost, so it is unknown whether the cases after the first ones are
   * assigned.
   */
  hand_over_unsure: { done: 'number', total: 'number' },
  /** The gateway does not grant this client the right, or does not know the person. */
  hand_over_refused: { done: 'number', total: 'number' },
  /** The gateway could not be reached, or could not assign the cases. */
  hand_over_stopped: { done: 'number', total: 'number' },
  /** No telephone can photograph for a draft now. */
  telephone_unavailable: {},
  draft_without_documents: {},
  /** A window is still adding, redrawing or renaming files of the draft. */
  draft_busy: {},
  /** No existing file is ever overwritten. */
  file_exists: { fileName: 'string' },
  file_unwritable: { fileName: 'string', reason: 'string' },
  /** The file is not opened, because the program for its name expects other content. */
  file_not_opened: { fileName: 'string' },
  /** No program on this laptop opens the file. */
  no_program: { fileName: 'string' },
  /** The mouse button was released before the copy was ready; nothing was dropped. */
  drag_let_go: { fileName: 'string' },
  // the package of undelivered work
  /** The file is not a package at all. */
  package_unreadable: {},
  /** The file begins like a package, but its content is damaged. */
  package_damaged: {},
  package_passphrase_wrong: {},
  /** The connection that the package belongs to. */
  package_other_connection: { name: 'string' },
  /** Without a passphrase no automatic backup can be made. */
  backup_passphrase_missing: {},
  /** The work was restored, and another laptop with the same package may have delivered it. */
  restored_unsure: { submittedAt: 'string?' },
  /** The report was submitted earlier and the partner does not have it, but has another one. */
  resubmission_unsure: { submittedAt: 'string?' },
  /** No answer to the reopening arrived. Since then the case has changed and is closed. */
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
  /** The system has a keychain, or should have one, but the keychain fails or does not answer. */
  keychain_unreachable: { reason: 'string?' },
  keychain_entry_lost: { entry: 'string?', fileName: 'string?' },
  vault_passphrase_wrong: {},
  /** The key store needs a passphrase, and none was given. */
  vault_passphrase_missing: {},
  // connection
  no_connection: {},
  /** A connection with this address and client id exists already. */
  connection_known: { name: 'string' },
  /** The connection contains work that would be removed. */
  connection_holds_work: {
    entries: 'number?',
    drafts: 'number?',
    texts: 'number?',
    backups: 'number?',
  },
  /** The call works only in the practice workspace, which is not open. */
  practice_only: {},
  credentials_invalid: { field: 'string', rule: 'string' },
  base_url_invalid: { field: 'string', rule: 'string' },
  offline: { host: 'string' },
  /** The name server does not know the host. */
  address_unknown: { host: 'string' },
  connection_refused: { host: 'string' },
  connection_lost: { host: 'string' },
  timeout: { host: 'string' },
  certificate_untrusted: { host: 'string', reason: 'string' },
  /** The answer does not come from the partner. */
  captive_portal: { host: 'string', found: 'string' },
  /** Only this request was answered with a web page of the partner's side. */
  answer_foreign: { host: 'string', status: 'number', found: 'string' },
  answer_too_large: { host: 'string', maxMegabytes: 'number' },
  redirect_refused: { host: 'string' },
  /** The proxy asks for a name and a password. The desk supports no proxy login. */
  proxy_sign_in: { host: 'string' },
  clock_wrong: { offsetMinutes: 'number' },
  /** An id of the partner could be read as another path by a server on the way. */
  id_unsafe: { id: 'string' },
  client_id_unknown: { clientId: 'string' },
  /** The server does not know this key for this client id. */
  key_rejected: {},
  /** The office has ended the access of this laptop. */
  access_revoked: {},
  audience_wrong: { audience: 'string' },
  /** The partner refuses access and does not name the reason. */
  sign_in_refused: { clientId: 'string', audience: 'string' },
  /** No service answers at the address of the list of cases, or of the tokens. */
  path_unknown: { address: 'string', status: 'number' },
  /** The gateway does not accept the enrolment code. */
  code_refused: {},
  /** The server that answers is not an office gateway. */
  gateway_missing: { host: 'string' },
  organization_kind_wrong: {},
  unauthorized: { title: 'string?', detail: 'string?' },
  rate_limited: { retryAfterS: 'number?', until: 'string' },
  /** This is a notice, not a failure. */
  limit_lowered: { bucket: 'string', perMinute: 'number', until: 'string' },
  server_refused: {
    title: 'string',
    status: 'number?',
    detail: 'string?',
    correlationId: 'string?',
    /** The operation is present if the request was one that reads. */
    operation: 'string?',
  },
  server_failed: { title: 'string?', status: 'number?', correlationId: 'string?' },
  /** The answer is JSON, but does not match the schema. */
  answer_invalid: { operation: 'string', detail: 'string' },
  /** Not all cases that the partner may have could be read. */
  list_incomplete: { reason: 'string', seen: 'number', total: 'number' },
  /**
   * This is a notice: the partner lists all cases although the desk asked for the changed ones
   * only.
   */
  changes_unfiltered: { parameter: 'string' },
  /** A notice about the partner's lists. */
  records_unreadable: { count: 'number', id: 'string', place: 'string' },
  /** A notice about LastChangedAt. */
  case_time_ahead: { count: 'number', externalKey: 'string?' },
  /** The answer is about another record than the request. */
  answer_mismatch: { operation: 'string', field: 'string' },
  // the server's state against ours
  server_draft_exists: {},
  /** The draft that would be submitted contains documents that are not from this laptop. */
  server_draft_documents: { count: 'number' },
  /**
   * The partner confirmed the act, but its value differs; the value is an amount or an excerpt of a
   * text.
   */
  server_has_other: { field: 'string', sent: 'value?', found: 'value?' },
  /** The partner confirmed the reopening, but the case is still closed. */
  reopening_without_effect: {},
  /** The partner confirmed the submission, but the report is still a draft. */
  report_still_draft: {},
  report_not_listed: {},
  /** The partner confirmed the submission, but the report is cancelled and was never submitted. */
  report_cancelled: {},
  /** The partner confirmed the uploads, but documents are missing; the first one is named. */
  documents_not_there: { count: 'number', fileName: 'string' },
  /** The partner confirmed the deletions, but documents are still there; the first one is named. */
  documents_not_removed: { count: 'number', fileName: 'string' },
  /** Another client deletes the report's draft each time. */
  server_draft_gone: {},
  /** The case is not accepted yet. The work is sent once it is. */
  case_awaits: { status: 'string' },
  server_case_gone: { status: 'number' },
  server_value_changed: { field: 'string', seen: 'value?', found: 'value?', mine: 'value?' },
  /** `cause` is the code of the last failure. */
  outcome_unknown: { cause: 'string?', host: 'string?' },
  // home
  home_in_use: { pid: 'number?' },
  home_newer: { found: 'number', known: 'number' },
  /** The home was made by no released version. */
  home_unknown: {},
  home_unwritable: { reason: 'string' },
  /** This is a notice: the settings file was missing, damaged or too old. */
  settings_restored: { fileName: 'string' },
  /**
   * This is a notice: there are data of connections that the settings do not know. The first is
   * named; the numbers are absent if it cannot be read.
   */
  workspace_orphaned: {
    folder: 'string',
    count: 'number',
    entries: 'number?',
    drafts: 'number?',
    texts: 'number?',
  },
  policy_invalid: { fileName: 'string', place: 'string', detail: 'string' },
  /** A sound backup exists and is offered. */
  work_corrupt: {},
  /** No sound backup exists. */
  work_lost: {},
  disk_full: {},
  /** The system allows the process to open no more files. */
  files_exhausted: {},
  /**
   * The reason is the engine's own and is meant for the log. A layer with a log replaces it by a
   * reference.
   */
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

/** The code and the parameters. If all parameters are optional, they may be left out. */
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

/**
 * The error that the engine throws. `code` is stable; `message` is for logs and contains no
 * personal data.
 */
export class DeskError extends Error {
  override readonly name = 'DeskError';
  readonly code: DeskErrorCode;
  readonly params: DeskProblem['params'];

  constructor(...[code, params, options]: ErrorArguments) {
    super(code, options);
    this.code = code;
    this.params = params ?? {};
  }

  /** The error of a problem that arrived as data. */
  static of({ code, params }: DeskProblem): DeskError {
    // The code and the parameters belong together, but a destructured union does not show this to
    // the type check.
    return new DeskError(...([code, params] as ErrorArguments));
  }

  /** The error as data; the code narrows the parameters. */
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
