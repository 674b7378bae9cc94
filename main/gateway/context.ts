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
import { type Metrics, createMetrics } from './metrics.ts';
import { type Pull, createPull } from './pull.ts';
import type { GatewayTables } from './tables.ts';
import { type Upstream, openUpstream, type PartnerLimits } from './upstream.ts';
import { openNotifications } from '../front/store/notifications.ts';
import type { Store } from '../front/store/store.ts';
import { findClient } from './clients.ts';
import { createRefresh } from './open-changes.ts';
import { gatewayMigrations } from './schema.ts';
import { type WatchedBucket, watchBucket } from './watched-bucket.ts';

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
  /** Lists with unreadable items, by name and case, with the case's change and the time of reading. */
  readonly unreadable: Map<string, { readonly changedAt: string; readonly atMs: number }>;
  /** Where uploads wait for their turn at the partner. */
  readonly uploadsDirectory: string;
}

export interface PartnerCredentials {
  readonly baseUrl: string;
  readonly audience: string;
  readonly clientId: string;
  /** RSA, signs the client assertions. */
  readonly privateKey: KeyObject;
}

export interface GatewayContextOptions extends FrontOptions {
  readonly partner: PartnerCredentials;
  readonly visibility: Visibility;
  /** Port for /health and /metrics; without it they answer this machine alone. */
  readonly statusPort?: number | undefined;
  /** Limits that the partner has granted; the published ones if absent. */
  readonly partnerLimits?: PartnerLimits | undefined;
  /** What the partner calls lastChangedSince. */
  readonly changedSinceParameter?: string | undefined;
}

const definition = { name: 'gateway', migrations: gatewayMigrations } as const;

/** Opens the gateway's store. @throws {StartError} */
export function openGatewayStore(options: StoreOptions): Promise<Store<GatewayTables>> {
  return openStore(options, definition);
}

/**
 * Opens the store and makes the gateway's parts. The caller must have locked the folder.
 * @throws {StartError} if the database or the bucket cannot be used.
 */
export async function openGatewayContext(options: GatewayContextOptions): Promise<GatewayContext> {
  const bucket = options.objects && watchBucket(options.objects);
  // The check at the start has its own sentence for each cause, and no problem.
  const front = await openFront<GatewayTables>(
    { ...options, objects: bucket?.objects },
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
  const metrics: Metrics = createMetrics({ db, clock, upstream });
  const pull = createPull({ db, clock, upstream, log });
  const uploadsDirectory = join(options.directory, 'uploads');
  // Uploads that a process left when it died.
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
    unreadable: new Map(),
    uploadsDirectory,
    async close() {
      const stopped = pull.stop();
      // Ends its requests, which may wait for their turns for long.
      upstream.close();
      await stopped;
      await signal?.close();
      await front.close();
    },
  };
}
