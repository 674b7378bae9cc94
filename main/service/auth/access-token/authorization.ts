import { Problem } from '../../problem.ts';

const dpopScheme = /^dpop +([\w.~+/-]+=*) *$/i;

/**
 * The access token of an Authorization header (RFC 9449 section 7.1).
 * @throws {Problem} unauthorized where there is none, or another scheme.
 */
export function tokenOf(authorization: string | undefined): string {
  const token = authorization === undefined ? undefined : dpopScheme.exec(authorization)?.[1];
  if (token !== undefined) return token;
  const cause =
    authorization === undefined
      ? 'the request has no Authorization header'
      : 'the Authorization header is not of the scheme DPoP';
  throw new Problem('unauthorized', cause, {
    headers: { 'WWW-Authenticate': 'DPoP algs="ES256"' },
  });
}
