import { invalidClient } from './invalid-client.ts';

/** RFC 7515 section 4.1.11: an extension that is marked critical and not understood is refused. */
export function checkCrit(crit: unknown): void {
  if (crit !== undefined) {
    throw invalidClient('the client assertion has a critical header extension');
  }
}
