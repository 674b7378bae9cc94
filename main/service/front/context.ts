import type { Kysely } from 'kysely';
import type { Logger } from 'pino';
import type { Clock } from '#shared/lib/clock.ts';
import type { Client } from './auth/clients.ts';
import type { ReplayMemory } from './auth/replay-memory.ts';
import type { SigningKey } from './auth/signing-key.ts';
import type { IdempotencyStore } from './idempotency-store.ts';
import type { Limiter } from './limits/limiter.ts';
import type { MountedOperation } from './openapi/document.ts';

/** Under which addresses partners know the server. Set when it listens. */
export interface ServerAddress {
  /** Without a trailing slash; what htu is compared with, never taken from a request's headers. */
  publicUrl: string;
  /** `aud` of a client assertion: the address of the token endpoint. */
  audience: string;
}

/** What admits and answers requests, whatever the server does behind it. */
export interface FrontContext {
  readonly clock: Clock;
  /** A new uuid. */
  readonly newId: () => string;
  readonly address: ServerAddress;
  readonly log: Logger;
  readonly signingKey: SigningKey;
  readonly findClient: (clientId: string) => Promise<Client | undefined>;
  /** Used jtis of proofs and assertions; apart from the store, because every request writes one. */
  readonly jtis: ReplayMemory;
  readonly limiter: Limiter;
  /** Every mounted operation, for the OpenAPI document. */
  readonly operations: MountedOperation[];
}

/** What an operation needs besides: a store with these tables, and its kept answers. */
export interface OperationContext<Tables> extends FrontContext {
  /**
   * The store. Inside an operation that changes something use the `db` that its handler is given:
   * it is the operation's transaction, and this one waits until that is over.
   */
  readonly db: Kysely<Tables>;
  readonly idempotency: IdempotencyStore<Tables>;
}
