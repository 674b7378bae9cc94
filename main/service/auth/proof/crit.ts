import { invalidDpop } from './invalid-dpop.ts';

/** RFC 7515 section 4.1.11: an extension that is marked critical and not understood is refused. */
export function checkCrit(crit: unknown): void {
  if (crit !== undefined) throw invalidDpop('the DPoP proof has a critical header extension');
}
