import { assertionLeewayS } from '#shared/api/limits.ts';
import type { ReplayMemory } from '../replay-memory.ts';
import { invalidClient } from './invalid-client.ts';

/** RFC 7523 section 3, rule 7: a jti is accepted once, until its assertion has expired. */
export async function checkReplay(
  replay: ReplayMemory,
  assertion: { readonly clientId: string; readonly jti: string; readonly exp: number },
): Promise<void> {
  const { clientId, jti, exp } = assertion;
  const expiresAtMs = Math.ceil((exp + assertionLeewayS) * 1000);
  if (!(await replay.remember(`assertion:${clientId}`, jti, expiresAtMs))) {
    throw invalidClient('the client assertion was used before');
  }
}
