import { hash, randomUUID } from 'node:crypto';
import {
  errors,
  jwtVerify,
  SignJWT,
  calculateJwkThumbprint,
  exportJWK,
  generateKeyPair,
  type JWK,
} from 'jose';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import type { Kysely } from 'kysely';
import { accessTokenLifetimeS } from '#shared/api/limits.ts';
import type { Clock } from '#shared/lib/clock.ts';
import type { FrontContext, SigningKey } from '../context.ts';
import { Problem } from '../problem.ts';
import type { Client } from './clients.ts';
import type { SecurityTables } from '../store/tables.ts';

/** An access token (RFC 9068), bound to a DPoP key (RFC 9449 section 6.1) and valid for 300 s. */
export function issueAccessToken(
  { address, clock, signingKey }: FrontContext,
  { clientId, organizationId, kind, generation }: Client,
  { jkt, scope }: { readonly jkt: string; readonly scope: string | undefined },
): Promise<string> {
  const iat = Math.floor(clock.now() / 1000);
  return new SignJWT({
    iss: address.publicUrl,
    sub: clientId,
    aud: address.publicUrl,
    jti: randomUUID(),
    iat,
    exp: iat + accessTokenLifetimeS,
    client_id: clientId,
    organization_id: organizationId,
    organization_kind: kind,
    cnf: { jkt },
    ...(scope !== undefined && { scope }),
    ...(generation !== undefined && { generation }),
  })
    .setProtectedHeader({ typ: 'at+jwt', alg: 'ES256', kid: signingKey.kid })
    .sign(signingKey.privateJwk);
}

const claimsSchema = z.object({
  exp: z.number(),
  sub: z.string(),
  cnf: z.object({ jkt: z.string() }),
  generation: z.number().optional(),
});

type TokenClaims = z.output<typeof claimsSchema>;

const tokensRemembered = 10_000;
/**
 * The claims of tokens that were verified, by the key that signed them and the hash of the token: a
 * partner sends each token many times. Only what cannot change is remembered; whether the token has
 * expired and whether its client still has access is looked at each time.
 */
const verified = new WeakMap<SigningKey, LRUCache<string, TokenClaims>>();

/** @throws {Problem} unauthorized */
async function claimsOf(
  { address, clock, signingKey }: FrontContext,
  token: string,
): Promise<TokenClaims> {
  let remembered = verified.get(signingKey);
  if (!remembered) {
    remembered = new LRUCache({ max: tokensRemembered });
    verified.set(signingKey, remembered);
  }
  const name = `${address.publicUrl} ${hash('sha256', token, 'base64url')}`;
  const known = remembered.get(name);
  if (known) {
    if (known.exp <= Math.floor(clock.now() / 1000)) throw invalidToken(expired);
    return known;
  }
  const { payload } = await jwtVerify(token, signingKey.publicJwk, {
    algorithms: ['ES256'],
    typ: 'at+jwt',
    issuer: address.publicUrl,
    audience: address.publicUrl,
    currentDate: new Date(clock.now()),
  }).catch((error: unknown) => {
    throw invalidToken(causeOf(error));
  });
  const claims = claimsSchema.safeParse(payload);
  if (!claims.success) throw invalidToken('the access token lacks a claim');
  remembered.set(name, claims.data);
  return claims.data;
}

/**
 * Verifies an access token (RFC 9068 section 4).
 * @returns its client, and the thumbprint of the DPoP key to which it is bound.
 * @throws {Problem} unauthorized
 */
export async function checkAccessToken(
  context: FrontContext,
  token: string,
): Promise<{ readonly client: Client; readonly jkt: string }> {
  const claims = await claimsOf(context, token);
  const client = await context.findClient(claims.sub);
  if (!client) throw invalidToken('the organization of the access token is gone');
  if (client.generation !== claims.generation) {
    throw invalidToken('the key behind the access token was replaced or revoked');
  }
  return { client, jkt: claims.cnf.jkt };
}

const expired = 'the access token has expired';

function causeOf(error: unknown): string {
  if (error instanceof errors.JWTExpired) return expired;
  if (error instanceof errors.JWTClaimValidationFailed) {
    return error.reason === 'missing'
      ? 'the access token lacks a claim'
      : `the ${error.claim} of the access token is not that of this service`;
  }
  return error instanceof errors.JWSInvalid || error instanceof errors.JWTInvalid
    ? 'the access token is not a JWT'
    : 'the access token is not signed by this service';
}

/** 401 unauthorized for a token that was presented and is not valid (RFC 9449 section 7.1). */
function invalidToken(detail: string): Problem {
  return new Problem('unauthorized', detail, {
    headers: { 'WWW-Authenticate': 'DPoP error="invalid_token", algs="ES256"' },
  });
}

/**
 * Returns the newest signing key, or creates the first one. All processes of one store share it.
 */
export function openSigningKey(
  db: Kysely<Pick<SecurityTables, 'signing_keys'>>,
  clock: Clock,
): Promise<SigningKey> {
  return db.transaction().execute(async (transaction) => {
    const row = await transaction
      .selectFrom('signing_keys')
      .select(['kid', 'private_jwk'])
      .orderBy('created_at', 'desc')
      .limit(1)
      .executeTakeFirst();
    // The cast is safe because the key is stored below.
    if (row) return signingKey(row.kid, JSON.parse(row.private_jwk) as JWK);
    const { privateKey } = await generateKeyPair('ES256', { extractable: true });
    const jwk = await exportJWK(privateKey);
    const kid = await calculateJwkThumbprint(jwk);
    await transaction
      .insertInto('signing_keys')
      .values({ kid, private_jwk: JSON.stringify(jwk), created_at: clock.now() })
      .execute();
    return signingKey(kid, jwk);
  });
}

function signingKey(kid: string, privateJwk: JWK): SigningKey {
  const { d: _, ...publicJwk } = privateJwk;
  return { kid, privateJwk, publicJwk };
}
