import { assertionLifetimeS } from '#shared/api/limits.ts';
import { invalidClient } from './invalid-client.ts';

/** Specification, "Limits": a client assertion lives 10 minutes at most. */
export function checkLifetime(iat: number, exp: number): void {
  if (exp - iat > assertionLifetimeS) {
    throw invalidClient('the client assertion is valid for longer than 600 s');
  }
}
