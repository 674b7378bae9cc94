import { calculateJwkThumbprint } from 'jose';
import type { Clock } from '#shared/lib/clock.ts';
import { BoundedCache } from '../../bounded-cache.ts';
import { importPublicKey } from '../import-key.ts';
import { decodeJwt, type CompactJwt } from '../jwt.ts';
import { es256Key, type Es256Key } from '../jws.ts';
import type { ReplayMemory } from '../replay-memory.ts';
import { checkAlg } from './alg.ts';
import { checkAth } from './ath.ts';
import { checkBinding } from './binding.ts';
import { checkCrit } from './crit.ts';
import { checkHtm } from './htm.ts';
import { checkHtu } from './htu.ts';
import { checkIat } from './iat.ts';
import { invalidDpop } from './invalid-dpop.ts';
import { checkJti } from './jti.ts';
import { checkJwk, type ProofJwk } from './jwk.ts';
import { oneProof } from './header.ts';
import { checkReplay } from './replay.ts';
import { checkSignature } from './signature.ts';
import { checkTyp } from './typ.ts';

export interface ProofRequest {
  /** The DPoP header, as it came. */
  readonly header: string | readonly string[] | undefined;
  readonly method: string;
  /** Path and query as they came in the request line. */
  readonly target: string;
  readonly publicUrl: string;
  /** The access token that the proof comes with; absent on the token request. */
  readonly token?: { readonly jkt: string; readonly ath: string };
}

export interface ProofChecker {
  /**
   * Checks the DPoP proof of a request (RFC 9449 section 4.3) and uses up its jti.
   * @returns the thumbprint of the proof's key.
   * @throws {Problem} invalid_dpop
   */
  check(request: ProofRequest): Promise<string>;
}

interface ProofKey {
  readonly key: Es256Key;
  readonly jkt: string;
}

const maxKeys = 10_000;

/**
 * Makes a checker that keeps imported keys. Proofs of one key have the same protected header, byte
 * for byte, so what was found out about a header once is looked up by it.
 */
export function createProofChecker(replay: ReplayMemory, clock: Clock): ProofChecker {
  const keys = new BoundedCache<string, ProofKey>(maxKeys);

  async function keyOf({ encodedHeader, header }: CompactJwt): Promise<ProofKey> {
    const known = keys.get(encodedHeader);
    if (known) return known;
    checkTyp(header['typ']);
    checkAlg(header['alg']);
    checkCrit(header['crit']);
    const jwk = checkJwk(header['jwk']);
    return { key: keyFrom(jwk), jkt: await calculateJwkThumbprint(jwk, 'sha256') };
  }

  return {
    async check({ header, method, target, publicUrl, token }) {
      const proof = oneProof(header);
      const jwt = decodeJwt(proof);
      if (!jwt) throw invalidDpop('the DPoP proof is not a JWT');
      const { key, jkt } = await keyOf(jwt);
      checkHtm(jwt.claims['htm'], method);
      checkHtu(jwt.claims['htu'], publicUrl, target);
      const jti = checkJti(jwt.claims['jti']);
      const iat = checkIat(jwt.claims['iat'], clock.now());
      if (token) {
        checkBinding(token.jkt, jkt);
        checkAth(jwt.claims['ath'], token.ath);
      }
      checkSignature(jwt, key);
      // Only a header whose key has signed something is worth keeping.
      keys.set(jwt.encodedHeader, { key, jkt });
      await checkReplay(replay, { jkt, jti, iat });
      return jkt;
    },
  };
}

function keyFrom(jwk: ProofJwk): Es256Key {
  try {
    return es256Key(importPublicKey(jwk));
  } catch {
    throw invalidDpop('the jwk of the DPoP proof is not a public P-256 key');
  }
}
