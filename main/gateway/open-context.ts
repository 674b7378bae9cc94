import { generateKeyPairSync, randomUUID, type KeyObject } from 'node:crypto';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Logger } from 'pino';
import type { Clock } from '#shared/lib/clock.ts';
import { repeatedly } from '../front/clock.ts';
import { deleteObjects, purgeStagedContents } from '../front/contents/contents.ts';
import type { ObjectStore } from '../front/contents/s3-store.ts';
import { createReplayMemory } from '../front/auth/replay-memory.ts';
import { openSigningKey } from '../front/auth/signing-key.ts';
import { createLimiter, type Limits } from '../front/limits/limiter.ts';
import { purgeSharedLimits } from '../front/limits/limits-in-database.ts';
import { describeError } from '../front/log.ts';
import { openFileStore } from '../front/store/file-store.ts';
import { openSharedStore } from '../front/store/shared-store.ts';
import type { Store } from '../front/store/store.ts';
import { findClient } from './clients.ts';
import type { GatewayContext, Visibility } from './context.ts';
import { createMetrics, type Metrics } from './metrics.ts';
import { createPull } from './pull.ts';
import { gatewayMigrations } from './schema.ts';
import type { GatewayTables } from './tables.ts';
import { openUpstream, type PartnerLimits } from './upstream.ts';

export interface PartnerCredentials {
  readonly baseUrl: string;
  readonly audience: string;
  readonly clientId: string;
  /** RSA, signs the client assertions. */
  readonly privateKey: KeyObject;
}

export interface GatewayStoreOptions {
  /** The data folder of this process. */
  readonly directory: string;
  /** A store that several processes share, instead of one in the folder. */
  readonly database?:
    | { readonly url: string; readonly onTime?: ((nowMs: number) => void) | undefined }
    | undefined;
  readonly log: Logger;
}

export interface GatewayContextOptions extends GatewayStoreOptions {
  readonly objects?: ObjectStore | undefined;
  readonly partner: PartnerCredentials;
  readonly visibility: Visibility;
  /** Limits that the partner has granted; the published ones if absent. */
  readonly partnerLimits?: PartnerLimits | undefined;
  /** Limits of the gateway's clients; the published ones unless a test says otherwise. */
  readonly limits?: Limits;
  readonly clock: Clock;
}

const purgeEveryMs = 60_000;
const abandonedAfterMs = 60 * 60_000;

/** Opens the gateway's store. @throws {StartError} */
export function openGatewayStore(options: GatewayStoreOptions): Promise<Store<GatewayTables>> {
  const { directory, database, log } = options;
  const migrations = gatewayMigrations;
  if (!database) return openFileStore({ directory, name: 'gateway', migrations });
  return openSharedStore({
    ...database,
    migrations,
    onError: (error) => log.error(describeError(error), 'a connection to the database broke'),
  });
}

/**
 * Opens the store and makes the gateway's parts. The caller must have locked the folder.
 * @throws {StartError} if the database or the bucket cannot be used.
 */
export async function openGatewayContext(options: GatewayContextOptions): Promise<GatewayContext> {
  const { clock, log, objects, directory } = options;
  await objects?.assertUsable();
  const store = await openGatewayStore(options);
  const { db } = store;
  const shared = store.limits && { db: store.limits, clock };
  const jtis = createReplayMemory(store.replay, clock);
  const upstream = openUpstream({
    ...options.partner,
    dpopKey: generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey,
    clock,
    shared,
    limits: options.partnerLimits,
    onTurn: (turn) => metrics.countTurn(turn),
  });
  const metrics: Metrics = createMetrics({ db, clock, upstream });
  const pull = createPull({ db, clock, upstream, log });
  const uploadsDirectory = join(directory, 'uploads');
  // What a process that died has left behind.
  rmSync(uploadsDirectory, { recursive: true, force: true });
  mkdirSync(uploadsDirectory, { recursive: true, mode: 0o700 });
  const purge = async () => {
    await jtis.purge();
    if (shared) await purgeSharedLimits(shared);
    await db.transaction().execute(async (transaction) => {
      await purgeStagedContents(transaction, clock.now() - abandonedAfterMs);
    });
    await deleteObjects({ db, objects });
  };
  const endPurging = repeatedly(clock, purgeEveryMs, () =>
    purge().catch((error: unknown) => log.error(describeError(error), 'purging failed')),
  );
  return {
    db,
    objects,
    clock,
    newId: randomUUID,
    address: { publicUrl: '', audience: '' },
    log,
    signingKey: await openSigningKey(db, clock),
    findClient: (clientId) => findClient(db, clientId),
    jtis,
    limiter: createLimiter(options.limits ?? 'on', clock, shared),
    operations: [],
    upstream,
    pull,
    visibility: options.visibility,
    metrics,
    unreadable: new Map(),
    uploadsDirectory,
    async close() {
      objects?.close();
      await pull.stop();
      upstream.close();
      await endPurging();
      await store.close();
    },
  };
}
