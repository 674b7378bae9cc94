import { randomUUID, type KeyObject } from 'node:crypto';
import { SignJWT } from 'jose';
import { assertionLifetimeS } from '#shared/api/limits.ts';

/**
 * The client assertion of one token request (RFC 7523 section 3; specification, "Authentication",
 * step 2), signed RS256.
 * @param options.audience address of the token endpoint
 * @param options.serverNowMs server time
 */
export function signAssertion(options: {
  clientId: string;
  audience: string;
  key: KeyObject;
  serverNowMs: number;
}): Promise<string> {
  const { clientId, audience, key, serverNowMs } = options;
  const iat = Math.floor(serverNowMs / 1000);
  return new SignJWT({ jti: randomUUID() })
    .setProtectedHeader({ alg: 'RS256', typ: 'JWT' })
    .setIssuer(clientId)
    .setSubject(clientId)
    .setAudience(audience)
    .setIssuedAt(iat)
    .setExpirationTime(iat + assertionLifetimeS)
    .sign(key);
}
