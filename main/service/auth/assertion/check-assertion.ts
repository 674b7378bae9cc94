import type { Clock } from '#shared/lib/clock.ts';
import type { ServiceAddress } from '../../service-address.ts';
import { decodeJwt } from '../jwt.ts';
import type { ReplayMemory } from '../replay-memory.ts';
import { checkAlg } from './alg.ts';
import { checkAud } from './aud.ts';
import type { Client, ClientKeys } from './client-keys.ts';
import { checkCrit } from './crit.ts';
import { checkExp } from './exp.ts';
import { checkIat } from './iat.ts';
import { invalidClient } from './invalid-client.ts';
import { checkIss } from './iss.ts';
import { checkJti } from './jti.ts';
import { selectKeys } from './kid.ts';
import { checkLifetime } from './lifetime.ts';
import { checkNbf } from './nbf.ts';
import { checkReplay } from './replay.ts';
import { checkSignature } from './signature.ts';
import { checkSub } from './sub.ts';

export interface AssertionChecker {
  /**
   * Checks a client assertion (RFC 7523 section 3) and uses up its jti.
   * @returns the client that it authenticates.
   * @throws {Problem} invalid_client
   */
  check(assertion: string, clientId: string): Promise<Client>;
}

export function createAssertionChecker(
  clients: ClientKeys,
  replay: ReplayMemory,
  clock: Clock,
  address: ServiceAddress,
): AssertionChecker {
  return {
    async check(assertion, clientId) {
      const jwt = decodeJwt(assertion);
      if (!jwt) throw invalidClient('the client assertion is not a JWT');
      checkAlg(jwt.header['alg']);
      checkCrit(jwt.header['crit']);
      checkIss(jwt.claims['iss'], clientId);
      checkSub(jwt.claims['sub'], clientId);
      const client = await clients.find(clientId);
      if (!client) throw invalidClient('there is no client of this client_id');
      checkSignature(jwt, selectKeys(jwt.header['kid'], client.keys));
      const nowMs = clock.now();
      checkAud(jwt.claims['aud'], address.audience);
      const exp = checkExp(jwt.claims['exp'], nowMs);
      checkNbf(jwt.claims['nbf'], nowMs);
      const iat = checkIat(jwt.claims['iat'], nowMs);
      checkLifetime(iat, exp);
      const jti = checkJti(jwt.claims['jti']);
      await checkReplay(replay, { clientId, jti, exp });
      return client;
    },
  };
}
