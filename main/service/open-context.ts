import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import type { Clock } from '#shared/lib/clock.ts';
import { openSigningKey } from './auth/access-token.ts';
import { findClient } from './auth/clients.ts';
import { createReplayMemory } from './auth/replay-memory.ts';
import type { ServiceContext } from './context.ts';
import { sweepStagedContents } from './documents/content-rows.ts';
import { hasContentsInObjects, removeDoomedObjects } from './documents/content-store.ts';
import { ObjectStorageUnusableError } from './documents/objects/object-storage-error.ts';
import type { ObjectStore } from './documents/objects/object-store.ts';
import { createIdempotencyStore } from './idempotency/idempotency-store.ts';
import { createLimiter, type Limits } from './limits/limiter.ts';
import { purgeSharedLimits } from './limits/limits-in-database.ts';
import { describeError } from './log.ts';
import { openStore } from './store/database.ts';
import { openSharedStore, type SharedStoreOptions } from './store/shared-store.ts';
import type { Store } from './store/store.ts';

export interface ContextOptions {
  /** Where the store is, and what else belongs to one process. */
  readonly directory: string;
  /** A store that several processes share, instead of one in the folder. */
  readonly database?: Pick<SharedStoreOptions, 'url' | 'onTime'> | undefined;
  /** A bucket for documents, instead of the store; closed with it. */
  readonly objects?: ObjectStore | undefined;
  /** 64 hexadecimal digits; encrypts the store. */
  readonly storeKey?: string | undefined;
  readonly limits: Limits;
  readonly clock: Clock;
  readonly log: Logger;
}

const purgeEveryMs = 60_000;
/** Far longer than any request may take. */
const abandonedAfterMs = 60 * 60_000;

/**
 * Opens the store and puts the service's parts together over it. The folder must be locked by the
 * caller (`lockDirectory`).
 * @throws {DatabaseUnusableError}
 * @throws {ObjectStorageUnusableError}
 */
export async function openContext(options: ContextOptions): Promise<ServiceContext> {
  const { clock, log, objects } = options;
  await objects?.assertUsable();
  const store = await openStoreOf(options);
  const { db } = store;
  if (!objects && (await hasContentsInObjects(db))) {
    await store.close();
    throw new ObjectStorageUnusableError(
      'there are documents in a bucket, and --documents does not say where it is',
    );
  }
  const address = { publicUrl: '', audience: '' };
  const signingKey = await openSigningKey(db, clock);
  const proofJtis = createReplayMemory(store.replay, clock);
  const assertionJtis = createReplayMemory(db.$pickTables<'used_jtis'>(), clock);
  const idempotency = createIdempotencyStore(db, clock);
  const sharedLimits = store.limits && { db: store.limits, clock };
  const purge = async () => {
    await proofJtis.purge();
    await assertionJtis.purge();
    await idempotency.purge();
    if (sharedLimits) await purgeSharedLimits(sharedLimits);
    // In a transaction, so that a process in which nobody writes takes a shared database's time too.
    await db.transaction().execute(async (transaction) => {
      await sweepStagedContents(transaction, clock.now() - abandonedAfterMs);
    });
    await removeDoomedObjects({ db, objects });
  };
  const endPurging = repeatedly(clock, purgeEveryMs, async () => {
    await purge().catch((error: unknown) => log.error(describeError(error), 'purging failed'));
  });

  return {
    db,
    objects,
    clock,
    newId: randomUUID,
    random: Math.random,
    address,
    log,
    signingKey,
    findClient: (clientId) => findClient(db, clientId),
    proofJtis,
    assertionJtis,
    limiter: createLimiter(options.limits, clock, sharedLimits),
    idempotency,
    operations: [],
    purge,
    alone: (work) => store.alone(work),
    async close() {
      objects?.close();
      await endPurging();
      await store.close();
    },
  };
}

function openStoreOf({ directory, storeKey, database, log }: ContextOptions): Promise<Store> {
  if (!database) return openStore({ directory, key: storeKey });
  return openSharedStore({
    ...database,
    onError: (error) => log.error(describeError(error), 'a connection to the database broke'),
  });
}

/** Runs a task again and again; the returned function ends that and waits for a run under way. */
function repeatedly(clock: Clock, everyMs: number, task: () => Promise<void>) {
  let ended = false;
  let running = Promise.resolve();
  let cancel = clock.after(everyMs, run);
  function run(): void {
    running = task().then(() => {
      if (!ended) cancel = clock.after(everyMs, run);
    });
  }
  return async () => {
    ended = true;
    cancel();
    await running;
  };
}
