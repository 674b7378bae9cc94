import type { DeskErrorCode } from '#shared/desk/contract/errors.ts';

/** The exit codes with their meaning. They are fixed, because users write scripts with them. */
export const exitCodes = {
  done: 0,
  failed: 1,
  usage: 2,
  noConnection: 3,
  homeInUse: 4,
  noKeychain: 5,
  offline: 6,
  /** The partner requests a wait of more than a minute. */
  wait: 7,
  damaged: 8,
} as const;
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

const byProblem: Partial<Record<DeskErrorCode, ExitCode>> = {
  invalid_input: exitCodes.usage,
  amount_not_a_number: exitCodes.usage,
  amount_negative: exitCodes.usage,
  amount_too_many_decimals: exitCodes.usage,
  amount_too_large: exitCodes.usage,
  comment_too_long: exitCodes.usage,
  reason_missing: exitCodes.usage,
  reason_too_long: exitCodes.usage,
  no_connection: exitCodes.noConnection,
  home_in_use: exitCodes.homeInUse,
  keychain_unavailable: exitCodes.noKeychain,
  keychain_locked: exitCodes.noKeychain,
  keychain_unreachable: exitCodes.noKeychain,
  keychain_entry_lost: exitCodes.noKeychain,
  vault_passphrase_wrong: exitCodes.noKeychain,
  vault_passphrase_missing: exitCodes.noKeychain,
  offline: exitCodes.offline,
  address_unknown: exitCodes.offline,
  connection_refused: exitCodes.offline,
  connection_lost: exitCodes.offline,
  timeout: exitCodes.offline,
  captive_portal: exitCodes.offline,
  proxy_sign_in: exitCodes.offline,
  rate_limited: exitCodes.wait,
};

/** The exit code for a problem. A problem without a separate code has `failed`. */
export function exitCodeOf(code: DeskErrorCode): ExitCode {
  return byProblem[code] ?? exitCodes.failed;
}
