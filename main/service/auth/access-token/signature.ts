import { compactVerify } from 'jose';
import { invalidToken } from './invalid-token.ts';
import type { SigningKey } from './signing-key.ts';

/** RFC 9068 section 4: the token is signed by this service, with ES256. */
export async function checkSignature(token: string, key: SigningKey): Promise<void> {
  try {
    await compactVerify(token, key.publicKey, { algorithms: ['ES256'] });
  } catch {
    throw invalidToken('the access token is not signed by this service');
  }
}
