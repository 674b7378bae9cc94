import type { Kysely } from 'kysely';
import type { Logger } from 'pino';
import type { Clock } from '#shared/lib/clock.ts';
import type { SigningKey } from './auth/access-token.ts';
import type { Client } from './auth/clients.ts';
import type { ReplayMemory } from './auth/replay-memory.ts';
import type { ObjectStore } from './documents/objects/object-store.ts';
import type { IdempotencyStore } from './idempotency/idempotency-store.ts';
import type { Limiter } from './limits/limiter.ts';
import type { MountedOperation } from './openapi/document.ts';
import type { ServiceAddress } from './service-address.ts';
import type { Database } from './store/tables.ts';

/** What every part of the service is given. */
export interface ServiceContext {
  /**
   * The store. Inside an operation that changes something use the `db` that its handler is given:
   * it is the operation's transaction, and this one waits until that is over.
   */
  readonly db: Kysely<Database>;
  /** The bucket in which documents are kept; undefined where they are in the store. */
  readonly objects: ObjectStore | undefined;
  readonly clock: Clock;
  /** A new uuid. */
  readonly newId: () => string;
  /** 0 to 1, 1 excluded. Not for secrets. */
  random(): number;
  readonly address: ServiceAddress;
  readonly log: Logger;
  readonly signingKey: SigningKey;
  readonly findClient: (clientId: string) => Promise<Client | undefined>;
  /** Used jtis of DPoP proofs; apart from the store, because every request writes one. */
  readonly proofJtis: ReplayMemory;
  readonly assertionJtis: ReplayMemory;
  readonly limiter: Limiter;
  readonly idempotency: IdempotencyStore;
  /** Every mounted operation, for the OpenAPI document. */
  readonly operations: MountedOperation[];
  /** Forgets what is past its time: jtis, kept answers, abandoned uploads; runs once a minute. */
  purge(): Promise<void>;
  /** Runs what only one of the processes that share a store may do at a time while it starts. */
  alone<T>(work: () => Promise<T>): Promise<T>;
  /** Ends background work and closes the store. */
  close(): Promise<void>;
}
