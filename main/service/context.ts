import { openFront, type FrontOptions, type OpenFront } from '../front/open-front.ts';
import { findClient } from './organizations/organizations.ts';
import { storeMigrations } from './store/schema.ts';
import type { Database } from './store/tables.ts';
import { watchBucket, type WatchedBucket } from '../front/contents/watched-bucket.ts';
import type { StoreHealth } from '../front/status/store-check.ts';
import { createHealthCheck } from './health-check.ts';

/** The parts that every module of the service needs. */
export interface ServiceContext extends OpenFront<Database> {
  /** A random number from 0 (inclusive) to 1 (exclusive). It is not for secrets. */
  random(): number;
  /** The bucket for documents; undefined if they are in the store. */
  readonly bucket: WatchedBucket | undefined;
  readonly checkStore: () => Promise<StoreHealth>;
  /** Whether /metrics has a separate port. */
  readonly hasStatusPort: boolean;
}

export interface ServiceContextOptions extends FrontOptions {
  /** The port for /health and /metrics. Without it only this machine gets /metrics. */
  readonly statusPort?: number | undefined;
}

/**
 * Opens the store and creates the parts of the service. The caller must have locked the folder.
 * @throws {StartError} if the database or the bucket cannot be used.
 */
export async function openContext(options: ServiceContextOptions): Promise<ServiceContext> {
  const definition = { name: 'service', migrations: storeMigrations } as const;
  const bucket = options.objects && watchBucket(options.objects);
  const front = await openFront<Database>(
    { ...options, objects: bucket?.objects },
    definition,
    findClient,
  );
  const checkStore = createHealthCheck(front);
  front.metrics?.watchStore(checkStore);
  return {
    ...front,
    random: Math.random,
    bucket,
    checkStore,
    hasStatusPort: options.statusPort !== undefined,
  };
}
