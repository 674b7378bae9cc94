import type { ClientKey } from './client-keys.ts';
import { invalidClient } from './invalid-client.ts';

/** RFC 7515 section 4.1.4: kid is optional; where it is there it names one of the client's keys. */
export function selectKeys(kid: unknown, keys: readonly ClientKey[]): readonly ClientKey[] {
  if (kid === undefined) return keys;
  const named = keys.filter((key) => key.kid === kid);
  if (named.length === 0) {
    throw invalidClient('the kid of the client assertion names no key of the organization');
  }
  return named;
}
