import type { Kysely } from 'kysely';
import type { Logger } from 'pino';
import type { JWK } from 'jose';
import type { Clock } from '#shared/lib/clock.ts';
import type { Client } from './auth/clients.ts';
import type { ReplayMemory } from './auth/jwt.ts';
import type { AnswerTables } from './store/tables.ts';
import type { Limiter } from './limits/limiter.ts';
import type { MountedOperation } from './openapi/document.ts';
import type { ServerMetrics } from './status/server-metrics.ts';

/** The key pair (ES256) with which the service signs. */
export interface SigningKey {
  readonly kid: string;
  readonly privateJwk: JWK;
  readonly publicJwk: JWK;
}

/** The addresses that partners use. They are set when the server listens. */
export interface ServerAddress {
  /**
   * The base address without a trailing slash. It is compared with htu, and never read from a
   * request's headers.
   */
  publicUrl: string;
  /** The `aud` of a client assertion, which is the address of the token endpoint. */
  audience: string;
}

/** Whether the server ends soon. It is set once, when the process is told to end. */
export interface Draining {
  isOn: boolean;
}

/** What the front needs to admit and answer requests, independent of the server behind it. */
export interface FrontContext {
  readonly clock: Clock;
  readonly address: ServerAddress;
  readonly log: Logger;
  readonly draining: Draining;
  /** The figures of /metrics; undefined if nobody reads them. */
  readonly metrics: ServerMetrics | undefined;
  readonly signingKey: SigningKey;
  readonly findClient: (clientId: string) => Promise<Client | undefined>;
  /**
   * The used jtis of proofs and assertions. They are not in the store, because every request writes
   * one.
   */
  readonly jtis: ReplayMemory;
  readonly limiter: Limiter;
  /** The proxies whose X-Forwarded-For names the client, as addresses or networks. */
  readonly trustedProxies: readonly string[];
  /** All mounted operations, for the OpenAPI document. */
  readonly operations: MountedOperation[];
}

/** The further parts that operations need: a store with these tables. */
export interface OperationContext<Tables extends AnswerTables> extends FrontContext {
  /**
   * The store. A handler that changes something must use the `db` of its request, which is its
   * transaction; this `db` would wait for that transaction to end.
   */
  readonly db: Kysely<Tables>;
}
