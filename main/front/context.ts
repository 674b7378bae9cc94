import type { Kysely } from 'kysely';
import type { Logger } from 'pino';
import type { JWK } from 'jose';
import type { Clock } from '#shared/lib/clock.ts';
import type { Client } from './auth/clients.ts';
import type { ReplayMemory } from './auth/jwt.ts';
import type { AnswerTables } from './store/tables.ts';
import type { Limiter } from './limits/limiter.ts';
import type { MountedOperation } from './openapi/document.ts';

/** The service's own ES256 key pair. */
export interface SigningKey {
  readonly kid: string;
  readonly privateJwk: JWK;
  readonly publicJwk: JWK;
}

/** The addresses that partners use. Set when the server listens. */
export interface ServerAddress {
  /** Without a trailing slash. Compared with htu, and never taken from a request's headers. */
  publicUrl: string;
  /** `aud` of a client assertion: the address of the token endpoint. */
  audience: string;
}

/** What the front needs to admit and answer requests, independent of the server behind it. */
export interface FrontContext {
  readonly clock: Clock;
  readonly address: ServerAddress;
  readonly log: Logger;
  readonly signingKey: SigningKey;
  readonly findClient: (clientId: string) => Promise<Client | undefined>;
  /** Used jtis of proofs and assertions; apart from the store, because every request writes one. */
  readonly jtis: ReplayMemory;
  readonly limiter: Limiter;
  /** Proxies whose X-Forwarded-For names the client; addresses or networks. */
  readonly trustedProxies: readonly string[];
  /** Every mounted operation, for the OpenAPI document. */
  readonly operations: MountedOperation[];
}

/** What operations need in addition: a store with these tables. */
export interface OperationContext<Tables extends AnswerTables> extends FrontContext {
  /**
   * The store. A handler that changes something uses the `db` of its request, which is its
   * transaction; this one would wait for that transaction to end.
   */
  readonly db: Kysely<Tables>;
}
