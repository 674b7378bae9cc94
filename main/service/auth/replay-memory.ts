import type { Kysely } from 'kysely';
import type { Clock } from '#shared/lib/clock.ts';
import type { ReplayTables } from '../store/tables.ts';

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

interface Use {
  readonly owner: string;
  readonly jti: string;
  readonly expiresAtMs: number;
  readonly settle: PromiseWithResolvers<boolean>;
}

/** Rows of one statement; what waits beyond them is for the next one. */
const maxRows = 32;

/**
 * A replay memory over a database. Uses that come in the same turn of the event loop are written
 * by one statement: they share its sync of the disk, which takes longer than all else.
 */
export function createReplayMemory(db: Kysely<ReplayTables>, clock: Clock): ReplayMemory {
  let waiting = new Map<string, Use>();

  async function write(uses: readonly Use[]): Promise<void> {
    try {
      const rows = await db
        .insertInto('used_jtis')
        .values(
          uses.map(({ owner, jti, expiresAtMs }) => ({ owner, jti, expires_at: expiresAtMs })),
        )
        .onConflict((conflict) => conflict.doNothing())
        .returning(['owner', 'jti'])
        .execute();
      const written = new Set(rows.map(({ owner, jti }) => keyOf(owner, jti)));
      for (const { owner, jti, settle } of uses) settle.resolve(written.has(keyOf(owner, jti)));
    } catch (error) {
      for (const { settle } of uses) settle.reject(error);
    }
  }

  function writeWaiting(): void {
    // In one order in every process: two whose rows wait for each other's would be a deadlock.
    const uses = [...waiting].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, use]) => use);
    waiting = new Map();
    for (let at = 0; at < uses.length; at += maxRows) void write(uses.slice(at, at + maxRows));
  }

  return {
    remember(owner, rawJti, expiresAtMs) {
      // As the store will keep it.
      const jti = rawJti.replaceAll('\0', '\ufffd');
      const key = keyOf(owner, jti);
      // Two that come at once are used once, and it is the first one's.
      if (waiting.has(key)) return Promise.resolve(false);
      const settle = Promise.withResolvers<boolean>();
      if (waiting.size === 0) setImmediate(writeWaiting);
      waiting.set(key, { owner, jti, expiresAtMs, settle });
      return settle.promise;
    },
    async purge() {
      await db.deleteFrom('used_jtis').where('expires_at', '<=', clock.now()).execute();
    },
  };
}

function keyOf(owner: string, jti: string): string {
  return `${owner}\n${jti}`;
}
