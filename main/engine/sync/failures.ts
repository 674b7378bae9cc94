import { problemStatus } from '#shared/api/problem.ts';
import {
  DeskError,
  type DeskErrorCode,
  deskErrorCodes,
  paramOf,
} from '#shared/desk/contract/errors.ts';

/**
 * The meaning of a failure for the waiting work.
 * - `host`: nothing can be reached now; everything waits for the network
 * - `line`: this request was interrupted; others may succeed
 * - `locked`: the partner does not admit this desk; the user must act
 * - `unknown`: the request may have been carried out
 * - `busy`: the server could not carry it out now, but may later
 * - `refused`: the server refuses permanently
 * - `odd`: the answer is not the partner's, or cannot be read; answers to others may be
 * - `local`: this laptop could not (a full disk)
 */
export type FailureKind =
  | 'host'
  | 'line'
  | 'locked'
  | 'unknown'
  | 'busy'
  | 'refused'
  | 'odd'
  | 'local';

const kinds: Partial<Record<DeskErrorCode, FailureKind>> = {
  offline: 'host',
  address_unknown: 'host',
  connection_refused: 'host',
  certificate_untrusted: 'host',
  redirect_refused: 'host',
  proxy_sign_in: 'host',
  // A proxy may block one body and let everything else pass.
  captive_portal: 'line',
  connection_lost: 'line',
  timeout: 'line',
  clock_wrong: 'locked',
  client_id_unknown: 'locked',
  key_rejected: 'locked',
  access_revoked: 'locked',
  audience_wrong: 'locked',
  sign_in_refused: 'locked',
  path_unknown: 'locked',
  organization_kind_wrong: 'locked',
  unauthorized: 'locked',
  keychain_unavailable: 'locked',
  keychain_locked: 'locked',
  keychain_unreachable: 'locked',
  keychain_entry_lost: 'locked',
  answer_foreign: 'odd',
  answer_too_large: 'odd',
  outcome_unknown: 'unknown',
  answer_invalid: 'unknown',
  answer_mismatch: 'unknown',
  rate_limited: 'busy',
  server_failed: 'busy',
  server_refused: 'refused',
  id_unsafe: 'refused',
  server_draft_documents: 'refused',
  documents_not_there: 'refused',
  documents_not_removed: 'refused',
  server_draft_gone: 'refused',
  restored_unsure: 'refused',
  resubmission_unsure: 'refused',
  reopening_unsure: 'refused',
};

export function failureKind(error: unknown): FailureKind {
  return (error instanceof DeskError ? kinds[error.code] : undefined) ?? 'local';
}

/**
 * What the failure of one row may mean for the others. `host`, `line` and `locked` may concern the
 * host; `odd` may concern only the row. Null means that the others are not affected.
 */
export function suspectedKind(error: DeskError): FailureKind | null {
  const cause = deskErrorCodes.find((code) => code === paramOf(error, 'cause'));
  const code = error.code === 'outcome_unknown' && cause ? cause : error.code;
  if (code === 'answer_invalid') return 'odd';
  const kind = kinds[code];
  const isTelling = kind === 'host' || kind === 'line' || kind === 'locked' || kind === 'odd';
  return isTelling ? kind : null;
}

/** The reason why a record no longer exists for this organization; null for any other failure. */
export function goneReason(error: unknown): 'forbidden' | 'not_found' | null {
  if (!(error instanceof DeskError)) return null;
  const { code, params } = error.problem;
  if (code !== 'server_refused') return null;
  const { title, status } = params;
  if (title === 'forbidden') return 'forbidden';
  if (title === 'not_found') return 'not_found';
  return status === 404 || status === 410 ? 'not_found' : null;
}

/**
 * Whether the state of the case or the submission forbids the act. Servers without separate titles
 * answer 409.
 */
export function isStateRefusal(error: DeskError): boolean {
  const title = paramOf(error, 'title');
  if (title === 'invalid_state') return true;
  return paramOf(error, 'status') === 409 && !(String(title) in problemStatus);
}

const retryBaseMs = 1000;
const retryMaxMs = 15 * 60_000;

/** A random delay between half and all of a time that doubles with each failure. */
export function retryDelayMs(failures: number, fraction: number): number {
  const ceiling = Math.min(retryMaxMs, retryBaseMs * 2 ** Math.min(failures, 20));
  return ceiling / 2 + (ceiling / 2) * fraction;
}
