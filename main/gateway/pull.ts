import type { Kysely } from 'kysely';
import type { Logger } from 'pino';
import { z } from 'zod';
import { pageSizeMax } from '#shared/api/limits.ts';
import { DeskError } from '#shared/desk/errors.ts';
import { type Clock, repeat } from '#shared/lib/clock.ts';
import { describeError } from '../front/log.ts';
import { findStaleCases } from './stale-cases.ts';
import { readList } from './store-lists.ts';
import { problemFor } from './outcome.ts';
import { partnerCase, partnerCaseOf, stampOf, storeCases } from './store-cases.ts';
import { claimTurn, readState, writeState } from './state.ts';
import type { GatewayTables } from './tables.ts';
import type { Asker, Upstream } from './upstream.ts';

/** A change at the partner reaches the store within this time. */
const pullEveryMs = 30_000;
/** How often a process checks whether a pull is due that no other process runs. */
const checkEveryMs = 5_000;
/** Tokens of the partner's buckets that reading ahead leaves to the laptops. */
const leftForLaptops = { standard: 10, documents: 5 };
/** X6 draws on the bucket for documents. */
const bucketOf = { documents: 'documents', reports: 'standard' } as const;
/** Cases whose lists are read ahead in one turn. */
const aheadAtOnce = 20;
/** How often everything is read again, to find cases that the partner lists no more. */
const rescanEveryMs = 24 * 60 * 60_000;
/** Attempts from one cursor before the next pull tries again. */
const readings = 3;
/** A Date header has whole seconds and is written after the answer was made. */
const serverDateSlackMs = 2000;
/** A record may become visible this much later than its LastChangedAt. */
const overlapMs = 5 * 60_000;
/** A stamp further ahead of the partner's time is ignored: its cursor would miss every change. */
const aheadMs = 5 * 60_000;

export type Pull = ReturnType<typeof createPull>;

interface PullParts {
  readonly db: Kysely<GatewayTables>;
  readonly clock: Clock;
  readonly upstream: Upstream;
  readonly log: Logger;
}

const casePage = z.object({ Total: z.int().nonnegative(), Items: z.array(z.unknown()) });

/** Synchronizes the store with the partner (specification, "Sync procedure"). */
export function createPull(parts: PullParts) {
  const { db, clock, log } = parts;
  let running: Promise<void> | undefined;
  let next: Promise<void> | undefined;
  /** Cases whose lists the partner refuses or writes wrongly; a laptop that asks gets the error. */
  const refused = new Set<string>();
  let isStopped = false;
  let ends: (() => Promise<void>)[] = [];

  function run(): Promise<void> {
    const pulling = pull(parts).finally(() => {
      if (running === pulling) running = undefined;
    });
    running = pulling;
    return pulling;
  }

  /**
   * Resolves when the store has everything that the partner had when it was called. Calls that
   * come while a pull runs share the next one.
   */
  function now(): Promise<void> {
    if (!running) return run();
    next ??= running
      .catch(() => undefined)
      .then(() => {
        next = undefined;
        return run();
      });
    return next;
  }

  async function poll(): Promise<void> {
    if (await claimTurn(db, 'polled_at', clock.now(), pullEveryMs)) await now();
  }

  async function readFurther(): Promise<void> {
    if (await claimTurn(db, 'rescanned_at', clock.now(), rescanEveryMs)) await rescan(parts);
    if (await claimTurn(db, 'read_ahead_at', clock.now(), checkEveryMs))
      await readAhead(parts, refused);
  }

  /** Runs a task now and regularly. @returns the function that ends it */
  function regularly(task: () => Promise<void>): () => Promise<void> {
    const safely = () =>
      task().catch((error: unknown) => {
        if (!isStopped) log.warn(describeError(error), 'the pull failed');
      });
    void safely();
    return repeat(clock, checkEveryMs, safely);
  }

  return {
    now,
    /** Starts to pull regularly. Only one of the processes that share a store pulls at a time. */
    start(): void {
      // Apart, because the poll must not wait until the whole list is read.
      ends = [regularly(poll), regularly(readFurther)];
    },
    async stop(): Promise<void> {
      isStopped = true;
      await Promise.all(ends.map((end) => end()));
      await running?.catch(() => undefined);
    },
  };
}

/**
 * Reads the changes since the cursor. Pages by number shift if records change during the reading, so
 * the cursor moves only after a reading that is certainly complete: one page, or several pages
 * without a change in between.
 */
async function pull(parts: PullParts): Promise<void> {
  const { db, clock, upstream } = parts;
  const cursor = await readState(db, 'cursor');
  const since = cursor === null ? undefined : shifted(Date.parse(cursor), -overlapMs);
  let highest: string | null = null;
  let isComplete = false;
  for (let reading = 1; reading <= readings && !isComplete; reading++) {
    const startedAt = shifted(upstream.serverNow(), -serverDateSlackMs);
    const first = await readCases(parts, since);
    highest = later(highest, first.highest);
    if (first.pages === 1) {
      isComplete = true;
      break;
    }
    const meanwhile = await readCases(parts, startedAt);
    highest = later(highest, meanwhile.highest);
    // If the partner changes all the time, it is enough that every change was read as well.
    isComplete =
      first.seen.size >= first.total &&
      (meanwhile.total === 0 || (reading === readings && meanwhile.pages === 1));
  }
  await db.transaction().execute(async (transaction) => {
    const now = await readState(transaction, 'cursor');
    // Another process may have pulled during this reading.
    if (isComplete && highest !== null && later(now, highest) === highest) {
      await writeState(transaction, 'cursor', highest);
    }
    await writeState(transaction, 'pulled_at', String(clock.now()));
  });
}

/** Reads the whole list, and asks for each stored case that the partner does not list. */
async function rescan(parts: PullParts): Promise<void> {
  const { db, clock, upstream } = parts;
  const startedAt = clock.now();
  const { seen } = await readCases(parts, undefined, 'ahead');
  const rows = await db
    .selectFrom('cases')
    .select('id')
    .where('delisted', '=', 0)
    .where('changed_at', '<', startedAt)
    .execute();
  for (const { id } of rows.filter((row) => !seen.has(row.id))) {
    const askedAt = clock.now();
    try {
      const { value } = await upstream.read({ client: '' }, partnerCaseOf(id), {
        operation: 'X2',
        params: { caseId: id },
      });
      await db
        .transaction()
        .execute((transaction) => storeCases(transaction, clock, [value], askedAt));
    } catch (error) {
      // The answer is unreadable for this case only; the loop asks for the others.
      if (error instanceof DeskError && error.code === 'answer_invalid') continue;
      if (![403, 404].includes(problemFor(error).status)) throw error;
      await db.updateTable('cases').set({ delisted: 1 }).where('id', '=', id).execute();
    }
  }
}

/** Failures that concern one case and not the connection. */
const ofOneCase = new Set<DeskError['code']>(['server_refused', 'answer_invalid']);

/**
 * Reads the documents and reports of changed cases, the latest first, so that a laptop's read needs
 * no request to the partner. It uses only tokens that nobody waits for.
 */
async function readAhead({ db, upstream }: PullParts, refused: Set<string>): Promise<void> {
  const rows = await findStaleCases(db, { limit: aheadAtOnce, except: refused }).execute();
  for (const row of rows) {
    for (const list of ['documents', 'reports'] as const) {
      if (row[`${list}_as_of`] === row.partner_changed_at) continue;
      const bucket = bucketOf[list];
      const turns = upstream.turns[bucket];
      if (turns.waiting() > 0 || (await turns.left()) <= leftForLaptops[bucket]) continue;
      try {
        const reading = await readList({ db, upstream }, '', row, list);
        if (reading === 'unreadable') refused.add(row.id);
      } catch (error) {
        if (!(error instanceof DeskError) || !ofOneCase.has(error.code)) throw error;
        refused.add(row.id);
      }
    }
  }
}

async function readCases(
  { db, clock, upstream, log }: PullParts,
  since: string | undefined,
  asker: Asker = 'pull',
) {
  const seen = new Set<string>();
  let highest: string | null = null;
  let total = 0;
  let read = 0;
  let pages = 0;
  for (;;) {
    pages++;
    const query = {
      ...(since !== undefined && { lastChangedSince: since }),
      page: String(pages),
      size: String(pageSizeMax),
    };
    const askedAt = clock.now();
    const { value } = await upstream.read(asker, casePage, { operation: 'X1', query });
    const cases = value.Items.flatMap((item) => partnerCase.safeParse(item).data ?? []);
    if (cases.length < value.Items.length) log.warn('the partner lists a case without an id');
    await db.transaction().execute((transaction) => storeCases(transaction, clock, cases, askedAt));
    const latestMs = upstream.serverNow() + aheadMs;
    for (const { fields } of cases) {
      seen.add(fields.Id);
      const stamp = stampOf(fields);
      if (Date.parse(stamp) <= latestMs) highest = later(highest, stamp);
    }
    read += value.Items.length;
    total = Math.max(total, value.Total);
    if (value.Items.length === 0 || read >= value.Total) return { seen, highest, total, pages };
  }
}

const shifted = (atMs: number, byMs: number) => new Date(atMs + byMs).toISOString();

/** The later of two timestamps in the partner's own text, so that no digit is lost. */
function later(one: string | null, other: string | null): string | null {
  if (one === null || other === null) return one ?? other;
  const difference = Date.parse(one) - Date.parse(other);
  return difference > 0 || (difference === 0 && one > other) ? one : other;
}
