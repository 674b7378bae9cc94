import { Problem } from '../../problem.ts';

/** 401 unauthorized for a token that was presented and is no good (RFC 9449 section 7.1). */
export function invalidToken(cause: string): Problem {
  return new Problem('unauthorized', cause, {
    headers: { 'WWW-Authenticate': 'DPoP error="invalid_token", algs="ES256"' },
  });
}
