import { parameterName } from '#shared/api/conventions.ts';
import type { PendingWork } from '#shared/desk/setup/workspace.ts';

/** The checks of a connection test in their order. The first that fails ends the test. */
const connectionChecks = ['key', 'address', 'token', 'cases'] as const;
type Check = (typeof connectionChecks)[number];
type CheckOutcome = 'ok' | 'failed' | 'skipped' | 'pending';

const keyCodes = /^key_(?!rejected)|^keychain/;
const addressCodes =
  /^(?:base_url_invalid|offline|address_unknown|connection_|timeout|certificate_|captive_|redirect_|path_)/;
const tokenCodes =
  /^(?:clock_wrong|client_id_unknown|key_rejected|access_revoked|audience_wrong|sign_in_refused|unauthorized|credentials_)/;

/** The check to which a problem belongs. */
function checkOf(code: string): Check {
  if (keyCodes.test(code)) return 'key';
  if (addressCodes.test(code)) return 'address';
  return tokenCodes.test(code) ? 'token' : 'cases';
}

/**
 * The results of the checks.
 * @param code the code of the problem that ended a failed test
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

/** The intended address: `api.insurer.example` becomes an address with https. */
export function completeAddress(text: string): string {
  const typed = text.trim();
  return typed === '' || typed.includes('://') ? typed : `https://${typed}`;
}

/**
 * Whether a text can be the name of a parameter in the insurer's addresses; an empty text is valid.
 */
export const isParameterName = (text: string): boolean =>
  text.trim() === '' || parameterName.test(text.trim());

/** Whether a text is a full path of this laptop in the form of Linux, macOS or Windows. */
export const isFullPath = (text: string): boolean =>
  /^(?:\/|[A-Za-z]:[\\/]|\\\\)./.test(text.trim());

/** Whether no work is lost with the data of a connection. Null means that the work is unknown. */
export const holdsNothing = (held: PendingWork | null): boolean =>
  held !== null && Object.values(held).every((count) => count === 0);
