import { invalidToken } from './invalid-token.ts';

/** RFC 9068 section 4: iss is this service. */
export function checkIss(iss: unknown, publicUrl: string): void {
  if (iss !== publicUrl) throw invalidToken('the access token is from another issuer');
}
