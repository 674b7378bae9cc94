import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { visibilities } from '#shared/api/assignment.ts';
import {
  type OpenFront,
  openFront,
  openStore,
  type FrontOptions,
  type StoreOptions,
} from '../front/open-front.ts';
import { type Metrics, createMetrics } from './status/metrics.ts';
import { type Pull, createPull } from './reading/pull.ts';
import type { GatewayTables } from './tables.ts';
import { type Upstream, openUpstream, type PartnerLimits } from './upstream.ts';
import { openNotifications } from '../front/store/notifications.ts';
import type { Store } from '../front/store/store.ts';
import { onLongWork } from '../log/long-work.ts';
import { findClient } from './auth/clients.ts';
import { createRefresh } from './writing/open-changes.ts';
import { gatewayMigrations } from './schema.ts';
import { type WatchedBucket, watchBucket } from '../front/contents/watched-bucket.ts';
import { Problem } from '../front/problem.ts';
import { createServerMetrics } from '../front/status/server-metrics.ts';
import { createStoreCheck, type StoreHealth } from '../front/status/store-check.ts';
import { writeState } from './state.ts';

export type Visibility = (typeof visibilities)[number];

export interface GatewayContext extends OpenFront<GatewayTables> {
  readonly upstream: Upstream;
  readonly pull: Pull;
  /** Reads a case with open changes from the partner. */
  readonly refresh: (caseId: string) => Promise<void>;
  readonly visibility: Visibility;
  /** The bucket for documents; undefined if they are in the store. */
  readonly bucket: WatchedBucket | undefined;
  /** Whether /health and /metrics have a separate port. */
  readonly hasStatusPort: boolean;
  readonly metrics: Metrics;
  readonly checkStore: () => Promise<StoreHealth>;
  /** The lists that do not count as read, by name and case. */
  readonly oddLists: Map<string, OddList>;
  /** The folder in which uploads wait for their turn at the partner. */
  readonly uploadsDirectory: string;
}

/** A list of a case with unreadable items, or of which items are missing. */
interface OddList {
  /** The case's change for which the list was read. */
  readonly changedAt: string;
  /** The time of the reading. */
  readonly atMs: number;
  readonly isIncomplete: boolean;
}

export interface PartnerCredentials {
  readonly baseUrl: string;
  readonly audience: string;
  readonly clientId: string;
  /** The RSA key that signs the client assertions. */
  readonly privateKey: KeyObject;
}

export interface GatewayContextOptions extends FrontOptions {
  readonly partner: PartnerCredentials;
  readonly visibility: Visibility;
  /** The port for /health and /metrics. Without it only this machine gets answers from them. */
  readonly statusPort?: number | undefined;
  /** The limits that the partner has granted; if absent, the published ones. */
  readonly partnerLimits?: PartnerLimits | undefined;
  /** The partner's name for the parameter lastChangedSince. */
  readonly changedSinceParameter?: string | undefined;
}

const bucketProblem = (cause: unknown) =>
  new Problem('upstream_error', 'the storage for documents cannot be reached', { cause });

const definition = { name: 'gateway', migrations: gatewayMigrations } as const;

/** Opens the gateway's store. @throws {StartError} */
export function openGatewayStore(options: StoreOptions): Promise<Store<GatewayTables>> {
  return openStore(options, definition);
}

/**
 * Opens the store and creates the gateway's parts. The caller must have locked the folder.
 * @throws {StartError} if the database or the bucket cannot be used.
 */
export async function openGatewayContext(options: GatewayContextOptions): Promise<GatewayContext> {
  const bucket = options.objects && watchBucket(options.objects, bucketProblem);
  const base = createServerMetrics('gateway');
  // The check at the start has a separate sentence for each cause, and throws no problem.
  const front = await openFront<GatewayTables>(
    { ...options, objects: bucket?.objects, metrics: base },
    definition,
    findClient,
  );
  const { db, clock, log, sharedLimits } = front;
  const signal =
    options.database && sharedLimits
      ? await openNotifications(options.database.url, 'gateway_turns', sharedLimits.db)
      : undefined;
  const upstream = openUpstream({
    ...options.partner,
    db,
    dpopKey: generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey,
    clock,
    shared: sharedLimits,
    signal,
    limits: options.partnerLimits,
    changedSinceParameter: options.changedSinceParameter,
    onTurn: (turn) => metrics.countTurn(turn),
  });
  const metrics: Metrics = createMetrics(base, { db, clock, upstream });
  const checkStore = createStoreCheck(clock, () => writeState(db, 'health', String(clock.now())));
  metrics.watchStore(checkStore);
  const pull = createPull({ db, clock, upstream, log });
  const unwatch = onLongWork((work) => log.warn(work, 'long work on the main thread'));
  const uploadsDirectory = join(options.directory, 'uploads');
  // These are uploads of a process that ended unexpectedly.
  rmSync(uploadsDirectory, { recursive: true, force: true });
  mkdirSync(uploadsDirectory, { recursive: true, mode: 0o700 });
  return {
    ...front,
    upstream,
    pull,
    refresh: createRefresh({ db, clock, upstream }),
    visibility: options.visibility,
    bucket,
    hasStatusPort: options.statusPort !== undefined,
    metrics,
    checkStore,
    oddLists: new Map(),
    uploadsDirectory,
    async close() {
      const stopped = pull.stop();
      // Its requests are aborted, because they may wait long for their turns.
      upstream.close();
      await stopped;
      await signal?.close();
      await front.close();
      unwatch();
    },
  };
}
