import type { FastifyRequest } from 'fastify';
import { sentTarget } from '../request-target.ts';
import type { ServiceAddress } from '../service-address.ts';
import { tokenOf } from './access-token/authorization.ts';
import type { TokenChecker } from './access-token/check-token.ts';
import type { Caller } from './caller.ts';
import type { ProofChecker } from './proof/check-proof.ts';

export interface Authenticator {
  /**
   * Who sent a request: its access token and its DPoP proof (RFC 9449 section 7).
   * @throws {Problem} unauthorized or invalid_dpop
   */
  authenticate(request: FastifyRequest): Promise<Caller>;
}

export function createAuthenticator(
  tokens: TokenChecker,
  proofs: ProofChecker,
  address: ServiceAddress,
): Authenticator {
  return {
    async authenticate(request) {
      const token = await tokens.check(tokenOf(request.headers.authorization));
      await proofs.check({
        header: request.headers['dpop'],
        method: request.method,
        target: sentTarget(request.originalUrl),
        publicUrl: address.publicUrl,
        token,
      });
      return token.caller;
    },
  };
}
