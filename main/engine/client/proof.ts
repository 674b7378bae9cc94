import { createHash, createPublicKey, randomUUID, type KeyObject } from 'node:crypto';
import { calculateJwkThumbprint, SignJWT } from 'jose';
import { z } from 'zod';

/** Signs one DPoP proof per request (RFC 9449 section 4.2). */
export interface ProofSigner {
  /** RFC 7638 thumbprint of the public key, which the access token is bound to (cnf.jkt). */
  jkt(): Promise<string>;
  /**
   * A new proof for one attempt, to be sent at once.
   * @param request.accessToken absent on the token request only
   * @param request.nonce what the server's DPoP-Nonce header last asked for (section 8)
   */
  sign(request: {
    method: string;
    url: URL;
    accessToken?: string | undefined;
    nonce?: string | undefined;
  }): Promise<string>;
}

const publicJwkSchema = z.object({
  kty: z.literal('EC'),
  crv: z.literal('P-256'),
  x: z.string(),
  y: z.string(),
});

/**
 * The `htu` of a proof. The partner API wants the exact request URL with its query string; RFC 9449
 * section 4.2 wants it without query and fragment.
 */
function htuOf(url: URL, withoutQuery: boolean): string {
  const htu = new URL(url);
  htu.hash = '';
  if (withoutQuery) htu.search = '';
  return htu.href;
}

/** @param options.key the private P-256 key of the session */
export function createProofSigner(options: {
  key: KeyObject;
  htuWithoutQuery: boolean;
  serverNow: () => number;
}): ProofSigner {
  const { key, htuWithoutQuery, serverNow } = options;
  const jwk = publicJwkSchema.parse(createPublicKey(key).export({ format: 'jwk' }));
  let thumbprint: Promise<string> | null = null;
  return {
    jkt: () => (thumbprint ??= calculateJwkThumbprint(jwk)),
    sign({ method, url, accessToken, nonce }) {
      const claims = {
        htm: method,
        htu: htuOf(url, htuWithoutQuery),
        jti: randomUUID(),
        iat: Math.floor(serverNow() / 1000),
        ...(accessToken !== undefined && {
          ath: createHash('sha256').update(accessToken).digest('base64url'),
        }),
        ...(nonce !== undefined && { nonce }),
      };
      return new SignJWT(claims)
        .setProtectedHeader({ typ: 'dpop+jwt', alg: 'ES256', jwk })
        .sign(key);
    },
  };
}
