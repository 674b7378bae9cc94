import { invalidClient } from './invalid-client.ts';

/** RFC 7523 section 3, rule 3: aud is the token endpoint, or an array of just it. */
export function checkAud(aud: unknown, audience: string): void {
  const one: unknown = Array.isArray(aud) && aud.length === 1 ? aud[0] : aud;
  if (one !== audience) {
    throw invalidClient('the aud of the client assertion is not the address of the token endpoint');
  }
}
