import { accessTokenLifetimeS } from '#shared/api/limits.ts';
import type { Clock } from '#shared/lib/clock.ts';
import type { ServiceAddress } from '../../service-address.ts';
import { signEs256 } from '../jws.ts';
import type { SigningKey } from './signing-key.ts';

/** What a token is made with. */
export interface TokenIssuer {
  readonly address: ServiceAddress;
  readonly clock: Clock;
  readonly signingKey: SigningKey;
  newId(): string;
}

export interface TokenSubject {
  readonly clientId: string;
  readonly organizationId: string;
  readonly kind: 'insurer' | 'expert';
  /** Thumbprint of the DPoP key that the token is bound to. */
  readonly jkt: string;
  readonly scope?: string | undefined;
}

/** An access token (RFC 9068, bound as RFC 9449 section 6.1 says), valid for 300 s. */
export function issueAccessToken(
  issuer: TokenIssuer,
  { clientId, organizationId, kind, jkt, scope }: TokenSubject,
): string {
  const iat = Math.floor(issuer.clock.now() / 1000);
  const { publicUrl } = issuer.address;
  const { kid, privateKey } = issuer.signingKey;
  const claims = {
    iss: publicUrl,
    sub: clientId,
    aud: publicUrl,
    jti: issuer.newId(),
    iat,
    exp: iat + accessTokenLifetimeS,
    client_id: clientId,
    organization_id: organizationId,
    organization_kind: kind,
    cnf: { jkt },
    ...(scope !== undefined && { scope }),
  };
  return signEs256({ typ: 'at+jwt', kid }, claims, privateKey);
}
