import { createHash, generateKeyPairSync, randomUUID, sign, type KeyObject } from 'node:crypto';

/** A key pair of a fuzzing client, and what it signs; without promises, for there are thousands. */
export interface Signer {
  proof(claims: object, header?: object): string;
}

export function createSigner(): Signer & { readonly publicJwk: object } {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const publicJwk = publicKey.export({ format: 'jwk' });
  return {
    publicJwk,
    proof: (claims, header = {}) =>
      signJwt(
        { typ: 'dpop+jwt', alg: 'ES256', jwk: publicJwk, ...header },
        { jti: randomUUID(), iat: nowS(), ...claims },
        privateKey,
      ),
  };
}

/** A JWT signed ES256 or, with an RSA key, RS256, whatever its header says. */
export function signJwt(header: object, claims: object, key: KeyObject): string {
  const input = `${encode(header)}.${encode(claims)}`;
  const signature = sign('sha256', Buffer.from(input), { key, dsaEncoding: 'ieee-p1363' });
  return `${input}.${signature.toString('base64url')}`;
}

export function athOf(token: string): string {
  return createHash('sha256').update(token).digest('base64url');
}

export function nowS(): number {
  return Math.floor(Date.now() / 1000);
}

function encode(part: object): string {
  return Buffer.from(JSON.stringify(part)).toString('base64url');
}
