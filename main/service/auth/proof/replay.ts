import { proofMaxAgeS } from '#shared/api/limits.ts';
import type { ReplayMemory } from '../replay-memory.ts';
import { invalidDpop } from './invalid-dpop.ts';

/**
 * Specification, "DPoP proof": a reused jti is a replay and is rejected (RFC 9449 section 11.1).
 * Comes after every other check, so that a proof that was refused has used nothing up.
 */
export async function checkReplay(
  replay: ReplayMemory,
  proof: { readonly jkt: string; readonly jti: string; readonly iat: number },
): Promise<void> {
  // The first moment at which `checkIat` refuses the proof.
  const expiresAtMs = (Math.floor(proof.iat) + proofMaxAgeS + 1) * 1000;
  if (!(await replay.remember(`dpop:${proof.jkt}`, proof.jti, expiresAtMs))) {
    throw invalidDpop('replayed jti: the DPoP proof was used before');
  }
}
