import type { Kysely } from 'kysely';
import type { Clock } from '#shared/lib/clock.ts';
import type { ReplayTables } from '../store/security-tables.ts';

/** Which jti was used, for as long as its JWT could be accepted; survives a restart. */
export interface ReplayMemory {
  /**
   * Notes that `owner` used `jti`, which can be accepted until `expiresAtMs`.
   * @returns false where it was used before.
   */
  remember(owner: string, jti: string, expiresAtMs: number): Promise<boolean>;
  /** Forgets every jti that can no longer be accepted. */
  purge(): Promise<void>;
}

/** A replay memory over a database. */
export function createReplayMemory(db: Kysely<ReplayTables>, clock: Clock): ReplayMemory {
  return {
    async remember(owner, jti, expiresAtMs) {
      const result = await db
        .insertInto('used_jtis')
        .values({ owner, jti, expires_at: expiresAtMs })
        .onConflict((conflict) => conflict.doNothing())
        .executeTakeFirst();
      return result.numInsertedOrUpdatedRows === 1n;
    },
    async purge() {
      await db.deleteFrom('used_jtis').where('expires_at', '<=', clock.now()).execute();
    },
  };
}
