import { compactVerify, type CryptoKey } from 'jose';
import { invalidDpop } from './invalid-dpop.ts';

/** RFC 9449 section 4.3, check 6: the signature verifies with the key in jwk. */
export async function checkSignature(proof: string, key: CryptoKey): Promise<void> {
  try {
    await compactVerify(proof, key, { algorithms: ['ES256'] });
  } catch {
    throw invalidDpop('the signature of the DPoP proof is wrong');
  }
}
