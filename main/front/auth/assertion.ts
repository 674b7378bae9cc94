import { errors, jwtVerify, type JWTPayload } from 'jose';
import { isoTime } from '#shared/api/conventions.ts';
import { assertionLeewayS, assertionLifetimeS } from '#shared/api/limits.ts';
import type { FrontContext } from '../context.ts';
import { Problem } from '../problem.ts';
import type { Client } from './clients.ts';
import { jwtHeaderOf, type JtiUse } from './jwt.ts';

/** A client assertion that was verified. Its jti is not marked as used yet. */
export interface CheckedAssertion {
  readonly client: Client;
  readonly jti: JtiUse;
}

/** The limit of a jti's length, which limits the memory of used jtis. A uuid has 36 characters. */
const jtiMaxLength = 255;

/**
 * Verifies a client assertion (RFC 7523 section 3; specification, "Authentication", step 2).
 * @throws {Problem} invalid_client
 */
export async function checkAssertion(
  { address, clock, findClient }: Pick<FrontContext, 'address' | 'clock' | 'findClient'>,
  assertion: string,
  clientId: string,
): Promise<CheckedAssertion> {
  const header = jwtHeaderOf(assertion);
  if (!header) throw invalidClient('the client assertion is not a JWT');
  if (header.alg !== 'RS256') throw invalidClient('the alg of the client assertion is not RS256');
  if (header.crit !== undefined) {
    throw invalidClient('the client assertion has a critical header extension');
  }
  const client = await findClient(clientId);
  if (!client) throw invalidClient('there is no client of this client_id');
  // Rules 4, 5 and 9: the assertion is not expired, is already valid, and is signed by a key of the
  // client.
  const claims = await verify(assertion, keysFor(client, header.kid), clock.now());
  // Rules 1 and 2: the client is both the issuer and the subject.
  if (claims.iss !== clientId) {
    throw invalidClient('the iss of the client assertion is not the client_id');
  }
  if (claims.sub !== clientId) {
    throw invalidClient('the sub of the client assertion is not the client_id');
  }
  // Rule 3: the assertion is for this token endpoint only.
  const { aud } = claims;
  if ((Array.isArray(aud) && aud.length === 1 ? aud[0] : aud) !== address.audience) {
    throw invalidClient('the aud of the client assertion is not the address of the token endpoint');
  }
  // Rules 4 and 6; specification, "Limits": an assertion is valid for 10 minutes at most.
  const { exp, iat } = claims;
  if (exp === undefined) throw invalidClient('the client assertion has no exp');
  if (iat === undefined) throw invalidClient('the client assertion has no iat');
  if (iat - assertionLeewayS > clock.now() / 1000) {
    const aheadS = Math.ceil(iat - clock.now() / 1000);
    throw invalidClient(
      `the iat of the client assertion is ahead of time, by ${aheadS} s; the time of this server is ${isoTime(clock.now())}`,
    );
  }
  if (exp - iat > assertionLifetimeS) {
    throw invalidClient(`the client assertion is valid for longer than ${assertionLifetimeS} s`);
  }
  // Rule 7: the jti is unique.
  const { jti } = claims;
  if (typeof jti !== 'string' || jti === '') {
    throw invalidClient('the client assertion has no jti');
  }
  if (jti.length > jtiMaxLength) throw invalidClient('the jti of the client assertion is too long');
  const expiresAtMs = Math.ceil((exp + assertionLeewayS) * 1000);
  return { client, jti: { owner: `assertion:${clientId}`, jti, expiresAtMs } };
}

/**
 * Marks the jti of an assertion as used. This happens after the limits, so that a refused request
 * can be repeated with the same assertion.
 * @throws {Problem} invalid_client if it was used before.
 */
export async function useAssertion(
  { jtis }: Pick<FrontContext, 'jtis'>,
  { jti }: CheckedAssertion,
): Promise<void> {
  if (!(await jtis.use(jti))) throw invalidClient('the client assertion was used before');
}

/** RFC 7515 section 4.1.4: kid is optional, and names one of the client's keys if it is present. */
function keysFor({ keys }: Client, kid: unknown): Client['keys'] {
  if (kid === undefined) return keys;
  const named = keys.filter((key) => key.kid === kid);
  if (named.length > 0) return named;
  throw invalidClient('the kid of the client assertion names no key of the organization');
}

async function verify(assertion: string, keys: Client['keys'], nowMs: number): Promise<JWTPayload> {
  const options = {
    algorithms: ['RS256'],
    clockTolerance: assertionLeewayS,
    currentDate: new Date(nowMs),
  };
  for (const { jwk } of keys) {
    try {
      return (await jwtVerify(assertion, jwk, options)).payload;
    } catch (error) {
      if (error instanceof errors.JWSSignatureVerificationFailed) continue;
      throw invalidClient(causeOf(error));
    }
  }
  throw invalidClient('the client assertion is not signed by a key of the organization');
}

function causeOf(error: unknown): string {
  if (error instanceof errors.JWTExpired) return 'the client assertion has expired';
  if (!(error instanceof errors.JWTClaimValidationFailed)) {
    return 'the client assertion is not a JWT';
  }
  return error.reason === 'invalid'
    ? `the ${error.claim} of the client assertion is not a number`
    : 'the client assertion is not valid yet';
}

/** 401 invalid_client (RFC 6749 section 5.2); the detail names the cause. */
function invalidClient(detail: string): Problem {
  return new Problem('invalid_client', detail, { oauthError: 'invalid_client' });
}
