import { Problem } from '../../problem.ts';

/** 401 invalid_client (RFC 6749 section 5.2); the detail names the cause. */
export function invalidClient(cause: string): Problem {
  return new Problem('invalid_client', cause, {
    oauthError: 'invalid_client',
    headers: { 'WWW-Authenticate': 'DPoP algs="ES256"' },
  });
}
