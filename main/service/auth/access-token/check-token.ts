import { createHash } from 'node:crypto';
import type { Kysely } from 'kysely';
import { z } from 'zod';
import type { Clock } from '#shared/lib/clock.ts';
import type { ServiceAddress } from '../../service-address.ts';
import type { Database } from '../../store/tables.ts';
import { BoundedCache } from '../../bounded-cache.ts';
import type { Caller } from '../caller.ts';
import { decodeJwt } from '../jwt.ts';
import { checkAud } from './aud.ts';
import { checkExp } from './exp.ts';
import { invalidToken } from './invalid-token.ts';
import { checkIss } from './iss.ts';
import { checkSignature } from './signature.ts';
import type { SigningKey } from './signing-key.ts';

const claimsSchema = z.object({
  iss: z.string(),
  aud: z.string(),
  sub: z.string(),
  exp: z.number(),
  organization_id: z.string(),
  cnf: z.object({ jkt: z.string() }),
});

/** A verified access token. */
export interface CheckedToken {
  readonly caller: Caller;
  /** Thumbprint of the DPoP key that the token is bound to. */
  readonly jkt: string;
  /** base64url(SHA-256(access token)), what a proof's ath must be. */
  readonly ath: string;
  /** Seconds since 1970. */
  readonly exp: number;
}

export interface TokenChecker {
  /**
   * Checks an access token.
   * @throws {Problem} unauthorized
   */
  check(token: string): Promise<CheckedToken>;
}

const maxTokens = 10_000;

/** Makes a checker that keeps the tokens it has verified, with their ath, until they expire. */
export function createTokenChecker(
  db: Kysely<Database>,
  clock: Clock,
  key: SigningKey,
  address: ServiceAddress,
): TokenChecker {
  const verified = new BoundedCache<string, CheckedToken>(maxTokens);

  async function verify(token: string): Promise<CheckedToken> {
    const jwt = decodeJwt(token);
    if (!jwt) throw invalidToken('the access token is not a JWT');
    // The issuer comes first, because a token of another one is signed by another key.
    checkIss(jwt.claims['iss'], address.publicUrl);
    checkSignature(jwt, key);
    const claims = claimsSchema.safeParse(jwt.claims);
    if (!claims.success) throw invalidToken('the access token lacks a claim');
    const { aud, sub, exp, organization_id: organizationId, cnf } = claims.data;
    checkAud(aud, address.publicUrl);
    checkExp(exp, clock.now());
    const organization = await db
      .selectFrom('organizations')
      .select(['kind', 'members'])
      .where('id', '=', organizationId)
      .executeTakeFirst();
    if (!organization) throw invalidToken('the organization of the access token is gone');
    return {
      caller: { clientId: sub, organizationId, ...organization },
      jkt: cnf.jkt,
      ath: createHash('sha256').update(token).digest('base64url'),
      exp,
    };
  }

  return {
    async check(token) {
      const known = verified.get(token);
      if (known) {
        checkExp(known.exp, clock.now());
        return known;
      }
      const checked = await verify(token);
      verified.set(token, checked);
      return checked;
    },
  };
}
