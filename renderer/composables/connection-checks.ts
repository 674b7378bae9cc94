/** What a test of a connection goes through, in this order; the first that fails ends it. */
export const connectionChecks = ['key', 'address', 'token', 'cases'] as const;
export type ConnectionCheck = (typeof connectionChecks)[number];
export type CheckResult = 'ok' | 'failed' | 'skipped' | 'pending';

const keyCodes = /^key_(?!rejected)|^keychain/;
const addressCodes =
  /^(?:base_url_invalid|offline|address_unknown|connection_|timeout|certificate_|captive_|redirect_)/;
const tokenCodes =
  /^(?:clock_wrong|client_id_unknown|key_rejected|audience_wrong|unauthorized|credentials_)/;

/** The check that a problem belongs to. */
function checkOf(code: string): ConnectionCheck {
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
): Record<ConnectionCheck, CheckResult> {
  const failed = state === 'failed' && code !== null ? checkOf(code) : null;
  const failedAt = failed === null ? -1 : connectionChecks.indexOf(failed);
  const resultOf = (index: number): CheckResult => {
    if (state === 'passed' || state === 'saving') return 'ok';
    if (failedAt < 0) return 'pending';
    if (index === failedAt) return 'failed';
    return index < failedAt ? 'ok' : 'skipped';
  };
  const [key, address, token, cases] = connectionChecks.map((_, index) => resultOf(index));
  return {
    key: key ?? 'pending',
    address: address ?? 'pending',
    token: token ?? 'pending',
    cases: cases ?? 'pending',
  };
}

/** Whether a text is an http or https address without a query or a fragment. */
export function isAddress(text: string): boolean {
  if (!URL.canParse(text.trim())) return false;
  const { protocol, search, hash, host } = new URL(text.trim());
  return /^https?:$/.test(protocol) && host !== '' && search === '' && hash === '';
}
