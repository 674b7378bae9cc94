import type { Kysely } from 'kysely';
import type { Logger } from 'pino';
import type { z } from 'zod';
import { DeskError } from '#shared/desk/contract/errors.ts';
import { type Clock, repeat } from '#shared/lib/clock.ts';
import { originOf } from '#shared/lib/error-origin.ts';
import { tolerantPageAnswer } from '../../partner/answers/answers.ts';
import { pull as pullList, type PullResult } from '../../partner/pull/pull.ts';
import {
  type PullEnd,
  type PullStore,
  type Reading,
  type ReceivedPage,
} from '../../partner/pull/pull-store.ts';
import { findStaleCases } from './stale-cases.ts';
import { readList } from './store-lists.ts';
import { problemFor } from '../writing/outcome.ts';
import { partnerCase, partnerCaseOf, stampOf, storeCases } from './store-cases.ts';
import { claimTurn, isDue, readFindings, readState, writeState } from '../state.ts';
import type { GatewayTables } from '../tables.ts';
import type { Turns } from '../turns/turns.ts';
import type { Asker, Upstream } from '../upstream.ts';

/** The interval of pulls, within which a change at the partner reaches the store. */
const pullEveryMs = 30_000;
/** The interval of pulls if the partner returns only the whole list. */
const pullWholeEveryMs = 5 * 60_000;
/** How often a process checks whether a pull is due that no other process runs. */
const checkEveryMs = 5_000;
/** The tokens of the partner's buckets that reading ahead leaves for the laptops. */
const leftForLaptops = { standard: 10, documents: 5 };
/** The bucket of each list. X6 uses the bucket for documents. */
const bucketOf = { documents: 'documents', reports: 'standard' } as const;
/** The number of cases whose lists are read ahead in one turn. */
const aheadAtOnce = 20;
/**
 * How often everything is read again, to find cases that the partner no longer lists, and lists that
 * it refused.
 */
const rescanEveryMs = 24 * 60 * 60_000;
/** The time after which a reading of everything that failed is repeated. */
const rescanAgainMs = 60 * 60_000;

export type Pull = ReturnType<typeof createPull>;

interface PullParts {
  readonly db: Kysely<GatewayTables>;
  readonly clock: Clock;
  readonly upstream: Pick<Upstream, 'read' | 'serverNow'> & {
    readonly turns: Record<keyof Upstream['turns'], Pick<Turns, 'waiting' | 'left'>>;
  };
  readonly log: Logger;
}

/**
 * The cases whose lists the partner refused or returned with errors. They are not read ahead again
 * before the next day; a laptop that asks gets the error.
 */
interface RefusedCases {
  readonly ids: Set<string>;
  /** The moment since which they are noted, on the clock of `Clock.monotonic`. */
  sinceMs: number;
}

/** The parts of a case that the pull needs. */
export const listedCase = partnerCase.transform((found) => ({
  id: found.fields.Id,
  lastChangedAt: stampOf(found.fields),
  found,
}));
type ListedCase = z.output<typeof listedCase>;
const casePage = tolerantPageAnswer(listedCase);

/** Synchronizes the store with the partner (specification, "Sync procedure"). */
export function createPull(parts: PullParts) {
  const { db, clock, log } = parts;
  let last = Promise.resolve();
  let next: Promise<void> | undefined;
  const refused: RefusedCases = { ids: new Set(), sinceMs: clock.monotonic() };
  let isStopped = false;
  let ends: (() => Promise<void>)[] = [];

  /**
   * Resolves when the store has everything that the partner had at the time of the call. Calls
   * during a pull share the next one.
   */
  function now(): Promise<void> {
    next ??= last
      // The caller of that pull receives its failure.
      .catch(() => undefined)
      .then(() => {
        next = undefined;
        last = readChanges(parts);
        return last;
      });
    return next;
  }

  async function poll(): Promise<void> {
    const { ignoresSince } = await readFindings(db);
    const everyMs = ignoresSince ? pullWholeEveryMs : pullEveryMs;
    if (await claimTurn(db, 'polled_at', clock.now(), everyMs)) await now();
  }

  async function readFurther(): Promise<void> {
    if (
      (await isDue(db, 'rescanned_at', clock.now(), rescanEveryMs)) &&
      (await claimTurn(db, 'rescan_began_at', clock.now(), rescanAgainMs))
    )
      await rescan(parts);
    if (await claimTurn(db, 'read_ahead_at', clock.now(), checkEveryMs))
      await readAhead(parts, refused);
  }

  /** Runs a task now and then regularly. @returns the function that stops it */
  function regularly(task: () => Promise<void>): () => Promise<void> {
    const safely = () =>
      task().catch((error: unknown) => {
        if (!isStopped) log.warn(originOf(error), 'the pull failed');
      });
    const first = safely();
    const end = repeat(clock, checkEveryMs, safely);
    return async () => {
      await end();
      await first;
    };
  }

  return {
    now,
    /** Starts to pull regularly. Only one of the processes that share a store pulls at a time. */
    start(): void {
      // The two run separately, because the poll must not wait until the whole list is read.
      ends = [regularly(poll), regularly(readFurther)];
    },
    async stop(): Promise<void> {
      isStopped = true;
      await Promise.all(ends.map((end) => end()));
      // The callers of these pulls receive their failures.
      await (next ?? last).catch(() => undefined);
    },
  };
}

async function readChanges(parts: PullParts): Promise<void> {
  await readCases(parts, false);
}

/** Reads the changes since the cursor, or the whole list. */
async function readCases(parts: PullParts, everything: boolean, asker: Asker = 'pull') {
  const { upstream, log } = parts;
  const store = new StorePull(parts);
  const result: PullResult = await pullList({
    store,
    serverNow: () => upstream.serverNow(),
    read({ page, size, ...since }) {
      const query = { ...since, page: String(page), size: String(size) };
      return upstream.read(asker, casePage, { operation: 'X1', query });
    },
    everything,
  });
  const { incomplete, ignoresSince } = result;
  if (incomplete) log.warn(incomplete, 'the partner’s list could not be read completely');
  if (ignoresSince) log.warn('the partner ignores lastChangedSince');
  return { ids: store.ids, isComplete: incomplete === null };
}

/**
 * The gateway's store as the store of a pull. A reading that breaks off starts again, because it is
 * short.
 */
export class StorePull implements PullStore<ListedCase> {
  /** The ids that the reading has seen. */
  readonly ids = new Set<string>();
  readonly #parts: Pick<PullParts, 'db' | 'clock' | 'log'>;
  #askedAt = 0;
  #before: string | null = null;

  constructor(parts: Pick<PullParts, 'db' | 'clock' | 'log'>) {
    this.#parts = parts;
  }

  asked(): void {
    this.#askedAt = this.#parts.clock.now();
  }

  async begin() {
    const { db } = this.#parts;
    this.#before = (await readState(db, 'cursor')) ?? '';
    return {
      cursor: this.#before === '' ? null : this.#before,
      reading: null,
      ...(await readFindings(db)),
    };
  }

  async savePage({ page, isFirst }: ReceivedPage<ListedCase>, _reading: Reading) {
    const { db, clock, log } = this.#parts;
    if (page.unreadable.length > 0) log.warn('the partner lists a case without an id');
    const cases = page.items.map(({ found }) => found);
    await db
      .transaction()
      .execute((transaction) => storeCases(transaction, clock, cases, this.#askedAt));
    if (isFirst) this.ids.clear();
    for (const { id } of [...page.items, ...page.unreadable]) this.ids.add(id);
    // The store accepts an older state immediately, unless a later answer overtook it.
    return { changed: [], older: 0 };
  }

  seen(): number {
    return this.ids.size;
  }

  async end({ cursor, incomplete, missing, ignoresSince, longestPage }: PullEnd): Promise<void> {
    const findings = { incomplete, missing, ignoresSince, longestPage };
    const { db, clock } = this.#parts;
    await db.transaction().execute(async (transaction) => {
      const now = (await readState(transaction, 'cursor')) ?? '';
      // Another process may have pulled during this reading.
      if (now === this.#before) await writeState(transaction, 'cursor', cursor ?? '');
      await writeState(transaction, 'pull_findings', JSON.stringify(findings));
      if (findings.incomplete === null)
        await writeState(transaction, 'pulled_at', String(clock.now()));
    });
  }
}

/** Reads the whole list, and requests each stored case that the partner does not list. */
async function rescan(parts: PullParts): Promise<void> {
  const { db, clock, upstream } = parts;
  const startedAt = clock.now();
  const { ids, isComplete } = await readCases(parts, true, 'ahead');
  // A case that was not read may still exist.
  if (!isComplete) return;
  const rows = await db
    .selectFrom('cases')
    .select('id')
    .where('delisted', '=', 0)
    .where('changed_at', '<', startedAt)
    .execute();
  for (const { id } of rows.filter((row) => !ids.has(row.id))) {
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
      // The answer is unreadable for this case only, so the loop continues with the others.
      if (error instanceof DeskError && error.code === 'answer_invalid') continue;
      if (![403, 404].includes(problemFor(error).status)) throw error;
      await db.updateTable('cases').set({ delisted: 1 }).where('id', '=', id).execute();
    }
  }
  await writeState(db, 'rescanned_at', String(startedAt));
}

/** Failures that concern one case and not the connection. */
const ofOneCase = new Set<DeskError['code']>(['server_refused', 'answer_invalid']);

/**
 * Reads the documents and reports of changed cases, the latest first, so that a laptop's read needs
 * no request to the partner. It uses only tokens for which nobody waits.
 */
async function readAhead({ db, clock, upstream }: PullParts, refused: RefusedCases): Promise<void> {
  if (clock.monotonic() - refused.sinceMs >= rescanEveryMs) {
    refused.ids.clear();
    refused.sinceMs = clock.monotonic();
  }
  const rows = await findStaleCases(db, { limit: aheadAtOnce, except: refused.ids }).execute();
  for (const row of rows) {
    for (const list of ['documents', 'reports'] as const) {
      if (row[`${list}_as_of`] === row.partner_changed_at) continue;
      const bucket = bucketOf[list];
      const turns = upstream.turns[bucket];
      if (turns.waiting() > 0 || (await turns.left()) <= leftForLaptops[bucket]) continue;
      try {
        const reading = await readList({ db, upstream }, '', row, list);
        if (reading === 'unreadable' || reading === 'incomplete') refused.ids.add(row.id);
      } catch (error) {
        if (!(error instanceof DeskError) || !ofOneCase.has(error.code)) throw error;
        refused.ids.add(row.id);
      }
    }
  }
}
