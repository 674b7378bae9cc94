/** A pool of connections, as `pg` counts them. */
export interface ConnectionPool {
  readonly totalCount: number;
  readonly idleCount: number;
  readonly waitingCount: number;
}

/** A wait for the store: for a connection of a pool, or for the turn of a transaction. */
export interface StoreWait {
  readonly wait: 'connection' | 'turn';
  readonly pool: string;
  readonly ms: number;
}

/** Takes the figures of a store. */
export interface StoreWatch {
  waited(wait: StoreWait): void;
  /** Adds a pool, which is read for each reading of the figures. */
  addPool(name: string, pool: ConnectionPool): void;
}

/** Runs a wait, and reports how long it took if somebody watches. */
export async function watchWait<T>(
  watch: StoreWatch | undefined,
  { wait, pool }: Omit<StoreWait, 'ms'>,
  work: () => Promise<T>,
): Promise<T> {
  if (!watch) return work();
  const startMs = performance.now();
  try {
    return await work();
  } finally {
    watch.waited({ wait, pool, ms: performance.now() - startMs });
  }
}
