import { Problem } from '../../problem.ts';

/** 401 invalid_dpop; the detail names the cause (RFC 9449 section 7.1 for the header). */
export function invalidDpop(cause: string): Problem {
  return new Problem('invalid_dpop', cause, {
    oauthError: 'invalid_dpop_proof',
    headers: { 'WWW-Authenticate': 'DPoP error="invalid_dpop_proof", algs="ES256"' },
  });
}
