import { invalidClient } from './invalid-client.ts';

/** Specification, "Authentication" 2: signed RS256, nothing else. */
export function checkAlg(alg: unknown): void {
  if (alg !== 'RS256') throw invalidClient('the alg of the client assertion is not RS256');
}
