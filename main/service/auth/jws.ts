import { sign, verify, type KeyObject } from 'node:crypto';
import type { CompactJwt, JwtObject } from './jwt.ts';

/** A key of ES256, P-256; made by `es256Key`. */
export type Es256Key = KeyObject & { readonly dsaEncoding: 'ieee-p1363' };

/**
 * Has Node make and take signatures by this key as a JWS has them: R and S side by side, not DER
 * (RFC 7518 section 3.4). Node looks for it on whatever is given as the key. In an object around
 * the key it would find it too, but makes and catches two errors at each call until it knows that
 * the object is no key: a third of the time of a verification.
 */
export function es256Key(key: KeyObject): Es256Key {
  return Object.assign(key, { dsaEncoding: 'ieee-p1363' } as const);
}

/**
 * Whether a JWT is signed by a key: ES256 by an `Es256Key`, RS256 by an RSA key (RFC 7515 section
 * 5.2, step 8). What its header says of `alg` and `crit` is the caller's to check.
 *
 * On the calling thread, because handing a signature to another one costs as much as verifying it
 * (decision 0037).
 */
export function isSignedBy({ signingInput, signature }: CompactJwt, key: KeyObject): boolean {
  if (!/^[\w-]+$/.test(signature)) return false;
  const bytes = Buffer.from(signature, 'base64url');
  return verify('sha256', Buffer.from(signingInput), key, bytes);
}

/** A JWT signed ES256, in compact form (RFC 7515 section 5.1). */
export function signEs256(header: JwtObject, claims: JwtObject, key: Es256Key): string {
  const signingInput = `${encode({ ...header, alg: 'ES256' })}.${encode(claims)}`;
  const signature = sign('sha256', Buffer.from(signingInput), key);
  return `${signingInput}.${signature.toString('base64url')}`;
}

function encode(part: JwtObject): string {
  return Buffer.from(JSON.stringify(part)).toString('base64url');
}
