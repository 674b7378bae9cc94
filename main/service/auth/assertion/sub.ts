import { invalidClient } from './invalid-client.ts';

/** RFC 7523 section 3, rule 2 B; specification, "Authentication" 2: sub is the client id. */
export function checkSub(sub: unknown, clientId: string): void {
  if (sub !== clientId) throw invalidClient('the sub of the client assertion is not the client_id');
}
