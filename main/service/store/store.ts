import type { Kysely } from 'kysely';
import type { LimitTables, ReplayTables } from './security-tables.ts';
import type { Database } from './tables.ts';

/**
 * The service's store: files of one process, or a database that several processes share. Its
 * transactions come one after the other, over all of them.
 */
export interface Store {
  /** Everything that was answered for; a commit survives a power cut. */
  readonly db: Kysely<Database>;
  /**
   * Jtis of DPoP proofs. Apart, because every request writes one, and it need not survive a power
   * cut: by the time the machine is up again, the proof is too old or nearly so.
   */
  readonly replay: Kysely<ReplayTables>;
  /** Levels of the rate limits, where processes share them. */
  readonly limits: Kysely<LimitTables> | undefined;
  /** Runs what only one process may do at a time while it starts. */
  alone<T>(work: () => Promise<T>): Promise<T>;
  close(): Promise<void>;
}
