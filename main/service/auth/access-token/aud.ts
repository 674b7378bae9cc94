import { invalidToken } from './invalid-token.ts';

/** RFC 9068 section 4: aud is this service. */
export function checkAud(aud: unknown, publicUrl: string): void {
  if (aud !== publicUrl) throw invalidToken('the access token is for another audience');
}
