import { parameterName } from '#shared/api/conventions.ts';
import type { PendingWork } from '#shared/desk/workspace.ts';

/** What a test of a connection goes through, in this order; the first that fails ends it. */
const connectionChecks = ['key', 'address', 'token', 'cases'] as const;
type Check = (typeof connectionChecks)[number];
type CheckOutcome = 'ok' | 'failed' | 'skipped' | 'pending';

const keyCodes = /^key_(?!rejected)|^keychain/;
const addressCodes =
  /^(?:base_url_invalid|offline|address_unknown|connection_|timeout|certificate_|captive_|redirect_|path_)/;
const tokenCodes =
  /^(?:clock_wrong|client_id_unknown|key_rejected|access_revoked|audience_wrong|sign_in_refused|unauthorized|credentials_)/;

/** The check that a problem belongs to. */
function checkOf(code: string): Check {
  if (keyCodes.test(code)) return 'key';
  if (addressCodes.test(code)) return 'address';
  return tokenCodes.test(code) ? 'token' : 'cases';
}

/**
 * How each check went.
 * @param code of the problem that ended a failed test
 */
export function checkResults(
  state: 'idle' | 'testing' | 'passed' | 'failed' | 'saving',
  code: string | null,
): { check: Check; outcome: CheckOutcome }[] {
  const failedAt =
    state === 'failed' && code !== null ? connectionChecks.indexOf(checkOf(code)) : -1;
  const outcomeOf = (index: number): CheckOutcome => {
    if (state === 'passed' || state === 'saving') return 'ok';
    if (failedAt < 0) return 'pending';
    if (index === failedAt) return 'failed';
    return index < failedAt ? 'ok' : 'skipped';
  };
  return connectionChecks.map((check, index) => ({ check, outcome: outcomeOf(index) }));
}

/** Whether a text is an http or https address without a query or a fragment. */
export function isAddress(text: string): boolean {
  if (!URL.canParse(text.trim())) return false;
  const { protocol, search, hash, hostname } = new URL(text.trim());
  const isHere = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname);
  const isSafe = protocol === 'https:' || (protocol === 'http:' && isHere);
  return isSafe && hostname !== '' && search === '' && hash === '';
}

/** An address as it is meant: `api.insurer.example` is one with https. */
export function completeAddress(text: string): string {
  const typed = text.trim();
  return typed === '' || typed.includes('://') ? typed : `https://${typed}`;
}

/** Whether a text can name a parameter of the insurer's addresses; an empty one names none. */
export const isParameterName = (text: string): boolean =>
  text.trim() === '' || parameterName.test(text.trim());

/** Whether a text is a full path of this laptop, as Linux and macOS or Windows write it. */
export const isFullPath = (text: string): boolean =>
  /^(?:\/|[A-Za-z]:[\\/]|\\\\)./.test(text.trim());

/** Whether nothing is lost with the data of a connection; null is work that is not known. */
export const holdsNothing = (held: PendingWork | null): boolean =>
  held !== null && Object.values(held).every((count) => count === 0);
