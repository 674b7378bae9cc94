import type { Kysely } from 'kysely';
import type { Logger } from 'pino';
import { type Clock, repeat } from '#shared/lib/clock.ts';
import type { Client } from './auth/clients.ts';
import { createReplayMemory } from './auth/jwt.ts';
import { openSigningKey } from './auth/access-token.ts';
import { deleteObjects, hasContentsInObjects, purgeStagedContents } from './contents/contents.ts';
import type { ObjectStore } from './contents/s3-store.ts';
import type { OperationContext } from './context.ts';
import { purgeAnswers } from './idempotency.ts';
import { createLimiter, type Limits } from './limits/limiter.ts';
import { purgeSharedLimits, type SharedLimits } from './limits/limits-in-database.ts';
import { originOf } from '#shared/lib/error-origin.ts';
import { StartError } from './problem.ts';
import { openFileStore } from './store/file-store.ts';
import { createPageMemory, type PageMemory } from './store/list-page.ts';
import type { ServerMetrics } from './status/server-metrics.ts';
import { openSharedStore, type SharedStoreOptions } from './store/shared-store.ts';
import type { Migrations, SlowReads, Store } from './store/store.ts';
import type { ContentTables, SecurityTables } from './store/tables.ts';

/** The place of a server's store. */
export interface StoreOptions {
  /** The data folder of this process. */
  readonly directory: string;
  /** A store that several processes share, which replaces the one in the folder. */
  readonly database?: Pick<SharedStoreOptions, 'url' | 'onTime'> | undefined;
  /** The key that encrypts the store in the folder, as 64 hexadecimal digits. */
  readonly storeKey?: string | undefined;
  readonly log: Logger;
  /** The figures of the server; none by default. */
  readonly metrics?: ServerMetrics | undefined;
}

export interface FrontOptions extends StoreOptions {
  /** A bucket for documents, which replaces the store for them. It is closed with the store. */
  readonly objects?: ObjectStore | undefined;
  /** The limits of the clients; by default the published ones. */
  readonly limits?: Limits;
  readonly clock: Clock;
  /** The proxies whose X-Forwarded-For names the client; by default none. */
  readonly trustedProxies?: readonly string[] | undefined;
}

/** The name and the schema of a server's store. */
export interface StoreDefinition {
  /** The name of the store's file. */
  readonly name: 'service' | 'gateway';
  readonly migrations: Migrations;
}

type FrontTables = SecurityTables & ContentTables;

/** The parts that every server needs. */
export interface OpenFront<Tables extends FrontTables> extends OperationContext<Tables> {
  /** The bucket for documents; undefined if they are in the store. */
  readonly objects: ObjectStore | undefined;
  /** The store for queries that take long and must not hold up others. */
  readonly slow: SlowReads<Tables>;
  /** The memory of where the pages of lists ended. */
  readonly pageMemory: PageMemory;
  /** The levels of limits, if several processes share them. */
  readonly sharedLimits: SharedLimits | undefined;
  /** Deletes expired jtis, answers and limits, and abandoned uploads. It runs once a minute. */
  purge(): Promise<void>;
  /** Runs a task at the start that only one process of a shared store may run at a time. */
  alone<T>(work: () => Promise<T>): Promise<T>;
  /** Stops background work and closes the store. */
  close(): Promise<void>;
}

const purgeEveryMs = 60_000;
/**
 * The time after which an upload counts as abandoned. It is far longer than any request may take.
 */
const abandonedAfterMs = 60 * 60_000;

/**
 * Opens the store of a server.
 * @throws {StartError} if the database cannot be used.
 */
export function openStore<Tables>(
  { directory, database, storeKey, log, metrics: watch }: StoreOptions,
  { name, migrations }: StoreDefinition,
): Promise<Store<Tables>> {
  if (!database) return openFileStore({ directory, name, migrations, key: storeKey, watch });
  return openSharedStore({
    ...database,
    migrations,
    watch,
    onError: (error) => log.error(originOf(error), 'a connection to the database broke'),
  });
}

/**
 * Opens the store and creates the parts that every server has. The caller must have locked the
 * folder.
 * @throws {StartError} if the database or the bucket cannot be used.
 */
export async function openFront<Tables extends FrontTables>(
  options: FrontOptions,
  definition: StoreDefinition,
  findClient: (db: Kysely<Tables>, clientId: string) => Promise<Client | undefined>,
): Promise<OpenFront<Tables>> {
  await options.objects?.assertUsable();
  const store = await openStore<Tables>(options, definition);
  try {
    return await frontOver(options, store, findClient);
  } catch (error) {
    await store.close();
    throw error;
  }
}

async function frontOver<Tables extends FrontTables>(
  options: FrontOptions,
  store: Store<Tables>,
  findClient: (db: Kysely<Tables>, clientId: string) => Promise<Client | undefined>,
): Promise<OpenFront<Tables>> {
  const { clock, log, objects } = options;
  // The cast narrows the tables, because Kysely's types cannot do this if the tables are a type
  // parameter.
  const db = store.db as unknown as Kysely<FrontTables>;
  if (!objects && (await hasContentsInObjects(db))) {
    throw new StartError(
      'the storage for documents cannot be used: there are documents in a bucket, and --documents does not say where it is',
    );
  }
  const signingKey = await openSigningKey(db, clock);
  const sharedLimits = store.limits && { db: store.limits, clock };
  const jtis = createReplayMemory(store.replay, clock);
  const purge = async () => {
    await jtis.purge();
    await purgeAnswers(db, clock);
    if (sharedLimits) await purgeSharedLimits(sharedLimits);
    // A transaction is used, because at its beginning a process learns the time of a shared
    // database.
    await db.transaction().execute(async (transaction) => {
      await purgeStagedContents(transaction, clock.now() - abandonedAfterMs);
    });
    await deleteObjects({ db, objects });
  };
  const endPurging = repeat(clock, purgeEveryMs, () =>
    purge().catch((error: unknown) => log.error(originOf(error), 'purging failed')),
  );

  return {
    db: store.db,
    slow: store.slow,
    objects,
    clock,
    address: { publicUrl: '', audience: '' },
    draining: { isOn: false },
    metrics: options.metrics,
    log,
    signingKey,
    findClient: (clientId) => findClient(store.db, clientId),
    jtis,
    limiter: createLimiter(options.limits ?? 'on', clock, sharedLimits),
    sharedLimits,
    pageMemory: createPageMemory(),
    trustedProxies: options.trustedProxies ?? [],
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
