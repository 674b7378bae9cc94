/**
 * What can go wrong for a person, as stable codes. The window and the command line say each in the
 * person's language (`shared/i18n/`); `params` fill the sentence, and never hold a secret.
 */
export const deskErrorCodes = [
  // input
  'invalid_input', // { field, rule }
  'amount_not_a_number', // { field, value }
  'amount_negative', // { field }
  'amount_too_many_decimals', // { field }
  'amount_too_large', // { field, max }
  'comment_too_long', // { field, max, length }
  'reason_missing', // { field }
  'case_not_found', // { id }
  'document_not_found',
  'draft_not_found',
  'view_name_taken', // { name }
  'view_not_found', // { name }
  'own_rule_invalid', // { line, text, rule }: line 0 is the rule as a whole
  'text_block_invalid', // { entry, line, text }: the first field that no case has
  'texts_file_invalid', // { fileName }: no file of text blocks and checklists
  'texts_entry_invalid', // { entry, rule }: where in the file, counted from one
  'sheet_unreadable', // { fileName, line }: neither CSV nor XLSX from there on
  'sheet_columns', // { fileName }: no external key, or nothing beside it that can be set
  'sheet_line_twice', // { line }: the case was in that line already
  'queue_row_not_found', // { id }
  'queue_row_state', // { id, state }: the act is not possible in this state
  'case_state', // { status }: the case does not allow this act
  // files
  'file_not_found', // { fileName }
  'file_changing', // { fileName }: still being written, or another one by now
  'file_empty', // { fileName }
  'file_too_large', // { fileName, sizeBytes, maxBytes }
  'file_type_not_allowed', // { fileName, contentType }
  'file_type_mismatch', // { fileName, contentType }: the content is not what the name says
  'file_name_invalid', // { fileName, rule }
  'photo_unusable', // { fileName, rule }
  'draft_without_documents',
  'draft_busy', // its files are still being added, redrawn or renamed in a window
  'file_exists', // { fileName }: nothing that is there is ever overwritten
  'file_unwritable', // { fileName, reason }
  'file_not_opened', // { fileName }: a program chosen by this name would not find what it expects
  'no_program', // { fileName }: nothing on this laptop takes it
  'drag_let_go', // { fileName }: the button was, before the copy was ready; nothing was dropped
  // the package of undelivered work
  'package_unreadable', // { found }
  'package_passphrase_wrong',
  'package_other_connection', // { name }: the connection that the package belongs to
  'backup_passphrase_missing', // no automatic backup can be made
  'restored_unsure', // { submittedAt }: another laptop with the same package may have delivered it
  'reopening_unsure', // no answer came, and the case changed since and is closed
  // keys and keychain
  'key_unreadable', // { found }: what the file holds instead of a private key
  'key_not_rsa', // { found }
  'key_too_short', // { bits }
  'key_passphrase_needed',
  'key_passphrase_wrong',
  'keychain_unavailable',
  'keychain_entry_lost',
  'vault_passphrase_wrong',
  // connection
  'no_connection',
  'connection_known', // { name }: it has this address and client id already
  'connection_holds_work', // { entries, drafts, texts, backups }: it would be removed
  'practice_only', // the practice workspace is not open
  'credentials_invalid', // { field, rule }
  'base_url_invalid', // { field, rule }
  'offline', // { host }
  'address_unknown', // { host }: DNS
  'connection_refused', // { host }
  'connection_lost', // { host }
  'timeout', // { host }
  'certificate_untrusted', // { host, reason }
  'captive_portal', // { host, found }: an answer that is not the partner's
  'redirect_refused', // { host }
  'clock_wrong', // { offsetMinutes }
  'client_id_unknown', // { clientId }
  'key_rejected', // the server does not know this key for this client id
  'access_revoked', // the office has ended this laptop's access
  'audience_wrong', // { audience }
  'code_refused', // the gateway does not take the enrolment code
  'gateway_missing', // { host }: what answers is no office gateway
  'organization_kind_wrong',
  'unauthorized', // { title, detail }
  'rate_limited', // { retryAfterS, until }
  'limit_lowered', // { bucket, perMinute, until }: a notice, not a failure
  'server_refused', // { title, status, detail, correlationId }
  'server_failed', // { title, status, correlationId }
  'answer_invalid', // { operation, detail }: JSON, but not what the schema promises
  'records_unreadable', // { count, id, place }: a notice about the partner's lists
  'case_time_ahead', // { count, externalKey }: a notice about LastChangedAt
  'answer_mismatch', // { operation, field }: it speaks of something else than the request
  // the server's state against ours
  'server_draft_exists',
  'server_draft_documents', // { count }: not from this laptop, in the draft that would be submitted
  'case_awaits', // { status }: the work goes out once the case is accepted
  'server_case_gone', // { status }
  'server_value_changed', // { field, seen, found, mine }
  'outcome_unknown',
  // home
  'home_in_use', // { pid }
  'home_newer', // { found, known }
  'home_unwritable', // { reason }
  'settings_invalid', // { fileName }
  'policy_invalid', // { fileName, place, detail }
  'work_corrupt', // a sound backup is offered
  'work_lost', // no backup is sound, or there was none
  'disk_full',
  'internal', // { correlationId }
] as const;
export type DeskErrorCode = (typeof deskErrorCodes)[number];

export type DeskErrorParams = Record<string, string | number | boolean | null>;

/** A problem as data: what a queue row keeps, what the contract's typed error carries. */
export interface DeskProblem {
  code: DeskErrorCode;
  params: DeskErrorParams;
}

/** Thrown by the engine; `code` is stable, `message` is for logs and holds no personal data. */
export class DeskError extends Error {
  override readonly name = 'DeskError';
  readonly code: DeskErrorCode;
  readonly params: DeskErrorParams;

  constructor(code: DeskErrorCode, params: DeskErrorParams = {}, options?: { cause?: unknown }) {
    super(code, options);
    this.code = code;
    this.params = params;
  }

  toProblem(): DeskProblem {
    return { code: this.code, params: this.params };
  }
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * Whether something is a problem, as `deskProblemSchema` says, for the window, which starts without
 * schemas.
 */
export function isDeskProblem(value: unknown): value is DeskProblem {
  return (
    isRecord(value) &&
    deskErrorCodes.some((code) => code === value['code']) &&
    isRecord(value['params']) &&
    Object.values(value['params']).every(
      (param) => param === null || ['string', 'number', 'boolean'].includes(typeof param),
    )
  );
}
