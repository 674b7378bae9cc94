import { invalidClient } from './invalid-client.ts';

/** What bounds the memory of used ones; a UUID has 36. */
const maxLength = 255;

/** Specification, "Authentication" 2: jti is a unique id. */
export function checkJti(jti: unknown): string {
  if (typeof jti !== 'string' || jti.length === 0) {
    throw invalidClient('the client assertion has no jti');
  }
  if (jti.length > maxLength) throw invalidClient('the jti of the client assertion is too long');
  return jti;
}
