import { hash } from 'node:crypto';
import { errors, importJWK, jwtVerify, type JWTPayload } from 'jose';
import { LRUCache } from 'lru-cache';
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { isoTime } from '#shared/api/conventions.ts';
import { jtiMaxLength, proofMaxAgeS, proofMaxAheadS } from '#shared/api/limits.ts';
import type { FrontContext } from '../context.ts';
import { Problem } from '../problem.ts';
import { jwtHeaderOf, type JtiUse } from './jwt.ts';

/**
 * The key under which the arrival time of a request is stored on it, in milliseconds since 1970.
 */
export const arrivedAt = Symbol('arrived at');

declare module 'fastify' {
  interface FastifyRequest {
    [arrivedAt]?: number;
  }
}

/** A DPoP proof that was verified. Its jti is not marked as used yet. */
export interface CheckedProof {
  /** The thumbprint of the proof's key. */
  readonly jkt: string;
  readonly jti: JtiUse;
}

/**
 * Verifies the DPoP proof of a request (RFC 9449 section 4.3; specification, "DPoP proof"). Its age
 * is measured at the arrival of the request, because a proof must not expire while the request
 * waits in the server.
 * @param token the access token of the request; the token request has none.
 * @throws {Problem} invalid_dpop
 */
export async function checkProof(
  { address, clock }: Pick<FrontContext, 'address' | 'clock'>,
  request: FastifyRequest,
  token?: { readonly text: string; readonly jkt: string },
): Promise<CheckedProof> {
  // Check 1: there is one DPoP header. Node joins repeated headers by a comma, which no JWT
  // contains.
  const proof = request.headers['dpop'];
  if (proof === undefined || proof === '') throw invalidDpop('the request has no DPoP proof');
  if (typeof proof !== 'string' || proof.includes(',')) {
    throw invalidDpop('the request has more than one DPoP proof');
  }
  // Checks 2 to 7: the proof is a JWT of this type, signed with ES256 by the public key in its
  // header.
  const header = jwtHeaderOf(proof);
  if (!header) throw invalidDpop('the DPoP proof is not a JWT');
  if (header.typ !== 'dpop+jwt') throw invalidDpop('the typ of the DPoP proof is not dpop+jwt');
  if (header.alg !== 'ES256') throw invalidDpop('the alg of the DPoP proof is not ES256');
  if (header.crit !== undefined) {
    throw invalidDpop('the DPoP proof has a critical header extension');
  }
  const { key, jkt } = await publicKeyOf(header.jwk);
  const nowMs = Math.min(clock.now(), request[arrivedAt] ?? Infinity);
  const claims = await verify(proof, key, nowMs);
  // Checks 8 and 9: the proof is for this request.
  if (claims['htm'] !== request.method) {
    throw invalidDpop('htm mismatch: it is not the method of the request');
  }
  if (!isAddressOf(claims['htu'], address.publicUrl, request.originalUrl)) {
    throw invalidDpop('htu mismatch: it is not the address of the request, with its query');
  }
  // Check 11: the proof was created now, in whole seconds.
  if (claims.iat === undefined) throw invalidDpop('the DPoP proof has no iat');
  const iat = Math.floor(claims.iat);
  const ageS = Math.floor(nowMs / 1000) - iat;
  const atServer = `the time of this server is ${isoTime(nowMs)}`;
  if (ageS > proofMaxAgeS) {
    throw invalidDpop(
      `iat outside the window: the DPoP proof is too old, by ${ageS} s; ${atServer}`,
    );
  }
  if (-ageS > proofMaxAheadS) {
    throw invalidDpop(
      `iat outside the window: the DPoP proof is ahead of time, by ${-ageS} s; ${atServer}`,
    );
  }
  // Check 12: the proof is for this token, which is bound to this key.
  if (token && token.jkt !== jkt) {
    throw invalidDpop('the access token is not bound to the DPoP proof key');
  }
  if (token && claims['ath'] === undefined) {
    throw invalidDpop('ath mismatch: the DPoP proof has no ath');
  }
  if (token && claims['ath'] !== hash('sha256', token.text, 'base64url')) {
    throw invalidDpop('ath mismatch: it is not the hash of the access token');
  }
  // Section 4.2: the jti identifies the proof. It is remembered until check 11 refuses the proof.
  const { jti } = claims;
  if (jti === undefined) throw invalidDpop('the DPoP proof has no jti');
  if (typeof jti !== 'string' || jti.length === 0 || jti.length > jtiMaxLength) {
    throw invalidDpop(`the jti of the DPoP proof is not 1 to ${jtiMaxLength} characters`);
  }
  return {
    jkt,
    // A repetition that arrived in time may be checked as late as this one, so the time counts
    // twice.
    jti: { owner: `dpop:${jkt}`, jti, expiresAtMs: clock.now() + 2 * proofMaxAgeS * 1000 },
  };
}

/**
 * Marks the jti of a proof as used (RFC 9449 section 11.1). This happens after every other check
 * and after the limits, so that a refused request can be repeated with the same proof.
 * @throws {Problem} invalid_dpop if it was used before.
 */
export async function useProof(
  { jtis }: Pick<FrontContext, 'jtis'>,
  { jti }: CheckedProof,
): Promise<void> {
  if (await jtis.use(jti)) return;
  throw invalidDpop('replayed jti: the DPoP proof was used before');
}

/** The members from which a thumbprint is computed (RFC 7638 section 3.2). */
const publicJwkSchema = z.object({
  kty: z.literal('EC'),
  crv: z.literal('P-256'),
  x: z.string(),
  y: z.string(),
});

/** The thumbprint of RFC 7638: the hash of these members in this order, without blanks. */
function thumbprintOf({ crv, kty, x, y }: z.output<typeof publicJwkSchema>): string {
  return hash('sha256', JSON.stringify({ crv, kty, x, y }), 'base64url');
}

const keysRemembered = 10_000;
/** Imported keys by their thumbprints: a partner signs all proofs of a session with one key. */
const imported = new LRUCache<string, Awaited<ReturnType<typeof importJWK>>>({
  max: keysRemembered,
});

async function publicKeyOf(jwk: unknown) {
  if (jwk === undefined) throw invalidDpop('the DPoP proof has no jwk');
  if (typeof jwk === 'object' && jwk !== null && 'd' in jwk) {
    throw invalidDpop('the jwk of the DPoP proof holds a private key');
  }
  try {
    const publicJwk = publicJwkSchema.parse(jwk);
    const jkt = thumbprintOf(publicJwk);
    const key = imported.get(jkt) ?? (await importJWK(publicJwk, 'ES256'));
    imported.set(jkt, key);
    return { key, jkt };
  } catch {
    throw invalidDpop('the jwk of the DPoP proof is not a public P-256 key');
  }
}

async function verify(
  proof: string,
  key: Awaited<ReturnType<typeof importJWK>>,
  nowMs: number,
): Promise<JWTPayload> {
  try {
    const options = { algorithms: ['ES256'], currentDate: new Date(nowMs) };
    return (await jwtVerify(proof, key, options)).payload;
  } catch (error) {
    if (error instanceof errors.JWSSignatureVerificationFailed) {
      throw invalidDpop('the signature of the DPoP proof is wrong');
    }
    throw invalidDpop(
      error instanceof errors.JWTClaimValidationFailed || error instanceof errors.JWTExpired
        ? `the ${error.claim} of the DPoP proof is not valid`
        : 'the DPoP proof is not a JWT',
    );
  }
}

const defaultPorts: Readonly<Record<string, string>> = { http: ':80', https: ':443' };

/**
 * Whether htu is the exact request URL with its query. Upper and lower case of scheme and host do
 * not differ, and a default port may be missing (decisions, "Authentication").
 * @param publicUrl the service's public base address, without a trailing slash.
 * @param target path and query as in the request line.
 */
export function isAddressOf(htu: unknown, publicUrl: string, target: string): boolean {
  const wanted = canonical(publicUrl + target);
  return typeof htu === 'string' && wanted !== undefined && canonical(htu) === wanted;
}

function canonical(url: string): string | undefined {
  const match = /^([a-z][a-z0-9+.-]*):\/\/([^/?#]*)([/?#][^]*)?$/i.exec(url);
  if (!match) return undefined;
  const [, scheme = '', authority = '', rest = ''] = match;
  const lowerScheme = scheme.toLowerCase();
  const host = authority.toLowerCase();
  const port = defaultPorts[lowerScheme];
  const bare = port && host.endsWith(port) ? host.slice(0, -port.length) : host;
  return `${lowerScheme}://${bare}${rest}`;
}

/** 401 invalid_dpop; the detail names the cause (RFC 9449 section 7.1 for the header). */
function invalidDpop(detail: string): Problem {
  return new Problem('invalid_dpop', detail, {
    oauthError: 'invalid_dpop_proof',
    headers: { 'WWW-Authenticate': 'DPoP error="invalid_dpop_proof", algs="ES256"' },
  });
}
