import { z } from 'zod';
import { invalidDpop } from './invalid-dpop.ts';

const publicKeySchema = z.object({
  kty: z.literal('EC'),
  crv: z.literal('P-256'),
  x: z.string().regex(/^[\w-]{43}$/),
  y: z.string().regex(/^[\w-]{43}$/),
});

/** A public P-256 key: the members that its thumbprint is made of (RFC 7638 section 3.2). */
export type ProofJwk = z.infer<typeof publicKeySchema>;

/** Private members of the key types of RFC 7518 section 6. */
const privateMembers = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k'];

/** RFC 9449 section 4.3, checks 2 and 7: jwk is there, public, and on the curve of ES256. */
export function checkJwk(jwk: unknown): ProofJwk {
  if (jwk === undefined) throw invalidDpop('the DPoP proof has no jwk');
  const members = z.record(z.string(), z.unknown()).safeParse(jwk);
  if (!members.success) throw invalidDpop('the jwk of the DPoP proof is not a key');
  if (privateMembers.some((member) => member in members.data)) {
    throw invalidDpop('the jwk of the DPoP proof holds a private key');
  }
  const key = publicKeySchema.safeParse(jwk);
  if (!key.success) throw invalidDpop('the jwk of the DPoP proof is not a public P-256 key');
  return key.data;
}
