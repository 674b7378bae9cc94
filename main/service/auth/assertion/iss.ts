import { invalidClient } from './invalid-client.ts';

/** RFC 7523 section 3, rule 1; specification, "Authentication" 2: iss is the client id. */
export function checkIss(iss: unknown, clientId: string): void {
  if (iss !== clientId) throw invalidClient('the iss of the client assertion is not the client_id');
}
