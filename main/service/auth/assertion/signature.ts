import { compactVerify } from 'jose';
import type { ClientKey } from './client-keys.ts';
import { invalidClient } from './invalid-client.ts';

/** RFC 7523 section 3, rule 9: the signature verifies with one of the client's keys. */
export async function checkSignature(assertion: string, keys: readonly ClientKey[]): Promise<void> {
  for (const { key } of keys) {
    try {
      await compactVerify(assertion, key, { algorithms: ['RS256'] });
      return;
    } catch {
      // The next key may be the one.
    }
  }
  throw invalidClient('the client assertion is not signed by a key of the organization');
}
