import { jtiMaxLength } from '#shared/api/limits.ts';
import { invalidDpop } from './invalid-dpop.ts';

/** RFC 9449 section 4.2: jti identifies the proof; 1 to 128 characters. */
export function checkJti(jti: unknown): string {
  if (jti === undefined) throw invalidDpop('the DPoP proof has no jti');
  if (typeof jti !== 'string' || jti.length === 0 || jti.length > jtiMaxLength) {
    throw invalidDpop('the jti of the DPoP proof is not 1 to 128 characters');
  }
  return jti;
}
