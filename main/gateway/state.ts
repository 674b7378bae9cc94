import type { Kysely } from 'kysely';
import { findingsSchema, noFindings, type PullFindings } from '../partner/pull/pull-store.ts';
import type { GatewayTables } from './tables.ts';

export async function readState(db: Kysely<GatewayTables>, name: string): Promise<string | null> {
  const row = await db
    .selectFrom('state')
    .select('value')
    .where('name', '=', name)
    .executeTakeFirst();
  return row?.value ?? null;
}

export async function writeState(
  db: Kysely<GatewayTables>,
  name: string,
  value: string,
): Promise<void> {
  await db
    .insertInto('state')
    .values({ name, value })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
    .execute();
}

/** Whether `everyMs` have passed since the moment that is stored under a name. */
export async function isDue(
  db: Kysely<GatewayTables>,
  name: string,
  nowMs: number,
  everyMs: number,
): Promise<boolean> {
  const last = Number((await readState(db, name)) ?? 0);
  // A time in the future was stored before the clock was set back.
  return last > nowMs || nowMs - last >= everyMs;
}

/**
 * Claims a task that is due every `everyMs`, for one of the processes that share the store. If that
 * process ends unexpectedly, another one claims the next turn.
 */
export function claimTurn(
  db: Kysely<GatewayTables>,
  name: string,
  nowMs: number,
  everyMs: number,
): Promise<boolean> {
  return db.transaction().execute(async (transaction) => {
    if (!(await isDue(transaction, name, nowMs, everyMs))) return false;
    await writeState(transaction, name, String(nowMs));
    return true;
  });
}

/** The findings of the last pull about the partner's list. */
export async function readFindings(db: Kysely<GatewayTables>): Promise<PullFindings> {
  const findings = await readState(db, 'pull_findings');
  return findings === null ? noFindings : findingsSchema.parse(JSON.parse(findings));
}
