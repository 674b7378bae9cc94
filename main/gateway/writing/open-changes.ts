import { randomUUID } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { Clock } from '#shared/lib/clock.ts';
import { problemFor } from './outcome.ts';
import { partnerCaseOf, storeCases } from '../reading/store-cases.ts';
import type { GatewayTables } from '../tables.ts';
import type { Asker, Upstream } from '../upstream.ts';

/*
 * The changes that are being sent. A change is open until the store has its effect. While a case
 * has open changes, a read of the case asks the partner first.
 */

interface CaseReaderParts {
  readonly db: Kysely<GatewayTables>;
  readonly clock: Clock;
  readonly upstream: Pick<Upstream, 'read'>;
}

/** The time within which a change whose answer was lost may still reach the partner. */
const unsureForMs = 2 * 60_000;

/**
 * Marks a case before a change is passed on. The reports are read again as well, because a change
 * of a draft may leave the case unchanged.
 * @param db the transaction
 * @returns the mark
 */
export async function openChange(
  db: Kysely<GatewayTables>,
  { caseId, now }: { readonly caseId: string; readonly now: number },
): Promise<string> {
  const mark = randomUUID();
  await db.insertInto('open_changes').values({ mark, case_id: caseId, since: now }).execute();
  await db
    .updateTable('cases')
    .set({ latest_change: mark, unsure_since: now, reports_as_of: null })
    .where('id', '=', caseId)
    .execute();
  return mark;
}

/**
 * Ends a change, because the store has its effect, or the partner certainly did not carry it out.
 */
export function closeChange(
  { db }: Pick<CaseReaderParts, 'db'>,
  { caseId, mark }: { readonly caseId: string; readonly mark: string },
): Promise<void> {
  return db.transaction().execute(async (transaction: Kysely<GatewayTables>) => {
    const wasOpen = await forgetChange(transaction, mark);
    if (!wasOpen) {
      // A read of the case took the change for settled before it ended. Reports that were read since
      // then, or are being read, may lack its effect.
      await transaction
        .updateTable('cases')
        .set({ latest_change: randomUUID(), reports_as_of: null })
        .where('id', '=', caseId)
        .execute();
    }
    await setSure(transaction, caseId);
  });
}

/**
 * Removes the mark of a change that has ended, or is sent again.
 * @param db the transaction
 * @returns whether it was open
 */
export async function forgetChange(db: Kysely<GatewayTables>, mark: string): Promise<boolean> {
  const removed = await db
    .deleteFrom('open_changes')
    .where('mark', '=', mark)
    .returning('mark')
    .execute();
  return removed.length > 0;
}

/** @param db the transaction */
async function setSure(db: Kysely<GatewayTables>, caseId: string): Promise<void> {
  await db
    .updateTable('cases')
    .set({ unsure_since: null })
    .where('id', '=', caseId)
    .where((where) =>
      where.not(
        where.exists(where.selectFrom('open_changes').select('mark').where('case_id', '=', caseId)),
      ),
    )
    .execute();
}

/** Reads a case from the partner and stores it. If the partner refuses the case, it is delisted. */
export async function readCase(
  { db, clock, upstream }: CaseReaderParts,
  caseId: string,
  asker: Asker,
): Promise<void> {
  const askedAt = clock.now();
  try {
    const { value } = await upstream.read(asker, partnerCaseOf(caseId), {
      operation: 'X2',
      params: { caseId },
    });
    await db
      .transaction()
      .execute((transaction) => storeCases(transaction, clock, [value], askedAt));
  } catch (error) {
    if (![403, 404].includes(problemFor(error).status)) throw error;
    await db.updateTable('cases').set({ delisted: 1 }).where('id', '=', caseId).execute();
  }
}

/**
 * Creates the reading of cases with open changes. Laptops that read one case at the same time share
 * one request.
 */
export function createRefresh(parts: CaseReaderParts) {
  const { db, clock } = parts;
  const running = new Map<string, Promise<void>>();
  const next = new Map<string, Promise<void>>();

  async function run(caseId: string): Promise<void> {
    const settledBefore = clock.now() - unsureForMs;
    await readCase(parts, caseId, 'refresh');
    await db.transaction().execute(async (transaction) => {
      await transaction
        .deleteFrom('open_changes')
        .where('case_id', '=', caseId)
        .where('since', '<', settledBefore)
        .execute();
      await setSure(transaction, caseId);
    });
  }

  function start(caseId: string): Promise<void> {
    const work = run(caseId).finally(() => {
      if (running.get(caseId) === work) running.delete(caseId);
    });
    running.set(caseId, work);
    return work;
  }

  /** Resolves when the store has the partner's state at the time of the call, or a later one. */
  return (caseId: string): Promise<void> => {
    const before = running.get(caseId);
    if (!before) return start(caseId);
    const known = next.get(caseId);
    if (known) return known;
    const following = before
      // The caller of that reading receives its failure.
      .catch(() => undefined)
      .then(() => {
        next.delete(caseId);
        return start(caseId);
      });
    next.set(caseId, following);
    return following;
  };
}
