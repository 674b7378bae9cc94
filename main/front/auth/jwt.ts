import { decodeProtectedHeader, type ProtectedHeaderParameters } from 'jose';
import { sql, type Kysely } from 'kysely';
import type { Clock } from '#shared/lib/clock.ts';
import type { ReplayTables } from '../store/tables.ts';

/**
 * The protected header of a signed JWT, which is not verified yet.
 * @returns undefined if the text is not a compact JWS (RFC 7515 section 7.1). The library jose
 *   alone would accept padding and blanks in it.
 */
export function jwtHeaderOf(text: string): ProtectedHeaderParameters | undefined {
  if (!/^[\w-]+\.[\w-]+\.[\w-]*$/.test(text)) return undefined;
  try {
    return decodeProtectedHeader(text);
  } catch {
    return undefined;
  }
}

/** The use of a jti by a client or a DPoP key, until its JWT can no longer be accepted. */
export interface JtiUse {
  readonly owner: string;
  readonly jti: string;
  readonly expiresAtMs: number;
}

export type ReplayMemory = ReturnType<typeof createReplayMemory>;

/**
 * Stores which jtis were used, until their JWTs can no longer be accepted. The memory survives a
 * restart.
 */
export function createReplayMemory(db: Kysely<ReplayTables>, clock: Clock) {
  return {
    /** @returns false if the jti was used before. */
    async use({ owner, jti, expiresAtMs }: JtiUse): Promise<boolean> {
      // PostgreSQL does not accept NUL in a text.
      const stored = jti.replaceAll('\0', '\ufffd');
      const { rows } = await sql`
        insert into used_jtis (owner, jti, expires_at) values (${owner}, ${stored}, ${expiresAtMs})
        on conflict do nothing returning jti`.execute(db);
      return rows.length > 0;
    },
    /** Deletes every jti that can no longer be accepted. */
    async purge(): Promise<void> {
      await db.deleteFrom('used_jtis').where('expires_at', '<=', clock.now()).execute();
    },
  };
}
