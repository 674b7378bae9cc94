import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import type { Clock } from '#shared/lib/clock.ts';
import {
  deleteObjects,
  hasContentsInObjects,
  purgeStagedContents,
} from '../front/contents/contents.ts';
import type { ObjectStore } from '../front/contents/s3-store.ts';
import { createReplayMemory } from '../front/auth/replay-memory.ts';
import { openSigningKey } from '../front/auth/signing-key.ts';
import type { OperationContext } from '../front/context.ts';
import { purgeAnswers } from '../front/idempotency-store.ts';
import { createLimiter, type Limits } from '../front/limits/limiter.ts';
import { purgeSharedLimits } from '../front/limits/limits-in-database.ts';
import { describeError } from '../front/log.ts';
import { createClientFinder } from './organizations/clients.ts';
import { repeatedly } from '../front/clock.ts';
import { StartError } from '../front/start-error.ts';
import { openFileStore } from '../front/store/file-store.ts';
import { openSharedStore, type SharedStoreOptions } from '../front/store/shared-store.ts';
import type { Store } from '../front/store/store.ts';
import { storeMigrations } from './store/schema.ts';
import type { Database } from './store/tables.ts';

/** What every part of the service needs. */
export interface ServiceContext extends OperationContext<Database> {
  /** The bucket in which documents are kept; undefined if they are in the store. */
  readonly objects: ObjectStore | undefined;
  /** 0 to 1, 1 excluded. Not for secrets. */
  random(): number;
  /** Deletes expired jtis, answers and limits, and abandoned uploads; runs once a minute. */
  purge(): Promise<void>;
  /** Runs a task of the start that only one process of a shared store may do at a time. */
  alone<T>(work: () => Promise<T>): Promise<T>;
  /** Ends background work and closes the store. */
  close(): Promise<void>;
}

export interface ContextOptions {
  /** The data folder of this process. */
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
 * Opens the store and makes the service's parts. The caller must have locked the folder.
 * @throws {StartError} if the database or the bucket cannot be used.
 */
export async function openContext(options: ContextOptions): Promise<ServiceContext> {
  const { clock, log, objects } = options;
  await objects?.assertUsable();
  const store = await openStoreOf(options);
  const { db } = store;
  if (!objects && (await hasContentsInObjects(db))) {
    await store.close();
    throw new StartError(
      'the storage for documents cannot be used: there are documents in a bucket, and --documents does not say where it is',
    );
  }
  const sharedLimits = store.limits && { db: store.limits, clock };
  const jtis = createReplayMemory(store.replay, clock);
  const purge = async () => {
    await jtis.purge();
    await purgeAnswers({ db, clock });
    if (sharedLimits) await purgeSharedLimits(sharedLimits);
    // A transaction, because that is when a process learns the time of a shared database.
    await db.transaction().execute(async (transaction) => {
      await purgeStagedContents(transaction, clock.now() - abandonedAfterMs);
    });
    await deleteObjects({ db, objects });
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
    address: { publicUrl: '', audience: '' },
    log,
    signingKey: await openSigningKey(db.$pickTables<'signing_keys'>(), clock),
    findClient: createClientFinder(db.$pickTables<'organizations' | 'client_keys'>()),
    jtis,
    limiter: createLimiter(options.limits, clock, sharedLimits),
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

function openStoreOf({
  directory,
  storeKey,
  database,
  log,
}: ContextOptions): Promise<Store<Database>> {
  const migrations = storeMigrations;
  if (!database) return openFileStore({ directory, name: 'service', migrations, key: storeKey });
  return openSharedStore({
    ...database,
    migrations,
    onError: (error) => log.error(describeError(error), 'a connection to the database broke'),
  });
}
