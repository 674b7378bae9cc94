import { randomUUID } from 'node:crypto';
import {
  errors,
  jwtVerify,
  SignJWT,
  calculateJwkThumbprint,
  exportJWK,
  generateKeyPair,
  type JWK,
} from 'jose';
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
  sub: z.string(),
  cnf: z.object({ jkt: z.string() }),
  generation: z.number().optional(),
});

/**
 * Verifies an access token (RFC 9068 section 4).
 * @returns its client, and the thumbprint of the DPoP key that it is bound to.
 * @throws {Problem} unauthorized
 */
export async function checkAccessToken(
  { address, clock, findClient, signingKey }: FrontContext,
  token: string,
): Promise<{ readonly client: Client; readonly jkt: string }> {
  const { payload } = await jwtVerify(token, signingKey.publicJwk, {
    algorithms: ['ES256'],
    typ: 'at+jwt',
    issuer: address.publicUrl,
    audience: address.publicUrl,
    requiredClaims: ['exp'],
    currentDate: new Date(clock.now()),
  }).catch((error: unknown) => {
    throw invalidToken(causeOf(error));
  });
  const claims = claimsSchema.safeParse(payload);
  if (!claims.success) throw invalidToken('the access token lacks a claim');
  const client = await findClient(claims.data.sub);
  if (!client) throw invalidToken('the organization of the access token is gone');
  if (client.generation !== claims.data.generation) {
    throw invalidToken('the key behind the access token was replaced or revoked');
  }
  return { client, jkt: claims.data.cnf.jkt };
}

function causeOf(error: unknown): string {
  if (error instanceof errors.JWTExpired) return 'the access token has expired';
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

/** Returns the newest signing key, or makes the first one. Processes of one store share it. */
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
    // The cast restates what is stored below.
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
