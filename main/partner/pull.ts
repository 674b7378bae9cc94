import { pageSizeMax } from '#shared/api/limits.ts';
import { timeOf } from '#shared/lib/timestamps.ts';
import { countOf, type Incomplete, type TolerantPage } from './answers.ts';
import { isRefusedPage } from './list-reading.ts';
import {
  type KnownOfList,
  readPageOrParts,
  type ReadListPage,
  type WholeOrParts,
} from './page-parts.ts';
import { isWholeDue, missingAfter } from './pull-missing.ts';
import { isAhead, isBefore, latest, olderThan, overlapped, timesOf } from './pull-times.ts';
import type {
  PullEnd,
  PullItem,
  PullState,
  PullStore,
  Reading,
  ReceivedPage,
} from './pull-store.ts';

/*
 * The sync procedure (specification, "Sync procedure"), for every program that stores the partner's
 * cases. The server may list in any order, and count wrongly.
 *
 * Paging by number drifts: a case that changes between two pages moves in the list, and another one
 * may be skipped. So the cursor moves only after a reading that is certainly complete: one page, or
 * several during which nothing changed. Otherwise the list is read again from the same cursor. What
 * stays incomplete is reported as that.
 *
 * | the reading ends with                       | it is                                              |
 * |---------------------------------------------|----------------------------------------------------|
 * | an empty page, or a refused one after the first | complete if at least Total cases were seen, and nothing changed |
 * | of the changes, a page shorter than one of the whole list, with Total cases seen | the same |
 * | a page that brings nothing new              | incomplete, unless the first page has all and is not full |
 * | `pagesMax` pages                            | incomplete                                         |
 */

/** Readings from one cursor before a busy server is taken by count (see `judgeWalk`). */
const readingsMax = 3;
/** A reading longer than this is not repeated only because something changed during it. */
const strictPages = 10;
/** A list with more pages has no end. */
const pagesMax = 1000;
/** A Date header has whole seconds and is written after the answer was put together. */
const serverDateSlackMs = 2000;

export interface PullContext<Item> {
  readonly store: PullStore<Item>;
  readonly serverNow: () => number;
  /** X1 */
  readonly read: ReadListPage<Item>;
  /** After every stored page: ids that changed, cases read so far, what the server announced. */
  readonly onPage?: (page: { changed: readonly string[]; pulled: number; total: number }) => void;
  /** Read the whole list, not only what changed. */
  readonly everything?: boolean;
}

export interface PullResult {
  /** Cases read; those that the overlap brings again are not counted. */
  readonly pulled: number;
  readonly incomplete: Incomplete | null;
  readonly ignoresSince: boolean;
}

/** What one pull knows, over all its readings. */
interface Round<Item> extends PullContext<Item> {
  readonly before: PullState;
  /** Ids that are new since the cursor, or different. */
  readonly pulled: Set<string>;
  /** Cases older than the stored ones in the reading under way. */
  older: number;
  /** Why the gateway that was asked has not read its whole list, by the latest page; else null. */
  atGateway: Incomplete | null;
}

/**
 * Brings the store up to what the server has.
 * @throws {DeskError} if a page could not be read; the next pull continues there
 */
export async function pull<Item extends PullItem>(context: PullContext<Item>): Promise<PullResult> {
  const before = await context.store.begin();
  const round: Round<Item> = { ...context, before, pulled: new Set(), older: 0, atGateway: null };
  const cursorBefore = usableCursor(round);
  const since =
    context.everything === true || isWholeDue(before.missing, context.serverNow())
      ? null
      : cursorBefore;
  const { reading } = before;
  let end = await readChanges(round, since, reading?.since === since ? reading : null);
  // The inclusive comparison always gives the boundary record again. If it is missing, the partner
  // was restored from a backup, or filters wrongly: only the whole list shows which.
  const isBoundaryMissing = () => cursorBefore !== null && isBefore(end.highest, cursorBefore);
  if (since !== null && end.incomplete === null && isBoundaryMissing()) {
    end = await readFrom(round, null, null);
    if (!isBoundaryMissing()) end = { ...end, ignoresSince: true };
  }
  // A Total may count what the filter leaves out.
  if (since !== null && end.incomplete?.reason === 'missing' && before.missing === null) {
    end = await readFrom(round, null, null);
  }
  const isWhole = end.since === null;
  const restoredTo = isWhole && end.incomplete === null && isBoundaryMissing() ? end.highest : null;
  // Records older than ours are taken if a second reading shows the same.
  if (isWhole && end.incomplete === null && round.older > 0) {
    end = { ...(await readFrom(round, null, null)), ignoresSince: end.ignoresSince };
  }
  const { cursor, ignoresSince, wholeSinceMs, longestPage } = end;
  const missing = missingAfter(before.missing, end, context.serverNow());
  // The list is counted by its last whole reading: one of changes has seen these alone.
  const isOwed = !isWhole && end.incomplete?.reason === 'missing';
  // What a gateway finds later gets a later LastChangedAt, so the cursor may move.
  const incomplete =
    (isOwed ? missing?.incomplete : null) ??
    end.incomplete ??
    missing?.incomplete ??
    round.atGateway;
  const findings = { incomplete, missing, ignoresSince, longestPage };
  await context.store.end({ cursor, ...findings, wholeSinceMs, restoredTo });
  return { pulled: round.pulled.size, incomplete, ignoresSince };
}

/** The changes since a cursor; everything from a partner that refuses to be asked for changes. */
async function readChanges<Item extends PullItem>(
  round: Round<Item>,
  since: string | null,
  brokenOff: Reading | null,
): Promise<ReadingEnd> {
  try {
    return await readFrom(round, since, brokenOff);
  } catch (error) {
    if (since === null || !isRefusedPage(error)) throw error;
    return { ...(await readFrom(round, null, null)), ignoresSince: true };
  }
}

/** Null reads everything: also if a stamp ahead of the server's time was taken for its time once. */
function usableCursor({ before: { cursor }, serverNow }: Round<PullItem>): string | null {
  return cursor !== null && isAhead(cursor, serverNow()) ? null : cursor;
}

interface ReadingEnd extends Omit<PullEnd, 'restoredTo' | 'missing'> {
  readonly since: string | null;
  readonly highest: string | null;
}

/** Reads from one cursor until a reading is complete, at most `readingsMax` times. */
async function readFrom<Item extends PullItem>(
  round: Round<Item>,
  since: string | null,
  brokenOff: Reading | null,
): Promise<ReadingEnd> {
  const { before } = round;
  let start = brokenOff;
  for (let attempt = 1; ; attempt += 1) {
    round.older = 0;
    const walk = await walkPages(round, since, start);
    const judged = await judgeWalk(round, walk, attempt);
    const ignoresSince = judged.ignoresSince ?? before.ignoresSince;
    if (judged.incomplete === null) {
      const { cursor } = judged;
      const { highest, startedMs } = walk.reading;
      const wholeSinceMs = since === null ? startedMs : null;
      const { longestPage } = since === null ? walk.reading : before;
      const found = { ignoresSince, wholeSinceMs, longestPage };
      return { since, highest, cursor, incomplete: null, ...found };
    }
    const { incomplete } = judged;
    // What is missing is owed (`missing`), and does not keep the changes from being read.
    const isOwed = incomplete.reason === 'missing' && (since === null || before.missing !== null);
    // What failed alike in the last pull is not tried three times in each.
    const isKnown =
      (isOwed && since !== null) ||
      (incomplete.reason !== 'changing' && incomplete.reason === before.incomplete?.reason);
    if (attempt >= readingsMax || isKnown) {
      const moved = isOwed ? walk.reading.highest : null;
      const cursor = since === null ? (before.cursor ?? moved) : (moved ?? before.cursor);
      const found = { ignoresSince, wholeSinceMs: null, longestPage: before.longestPage };
      return { since, highest: null, cursor, incomplete, ...found };
    }
    start = judged.goesOn ? { ...walk.reading, nextPage: 1 } : null;
  }
}

interface Walk {
  readonly reading: Reading;
  readonly end: 'empty' | 'repeats' | 'endless';
  /** All is on its first page, which is a snapshot. */
  readonly isSnapshot: boolean;
}

/** Reads page after page until one is empty or brings nothing new. */
async function walkPages<Item extends PullItem>(
  round: Round<Item>,
  since: string | null,
  start: Reading | null,
): Promise<Walk> {
  const met = new Set<string>();
  let reading = start;
  let isSnapshot = false;
  let pageLength = pageSizeMax;
  for (;;) {
    const page = reading?.nextPage ?? 1;
    const total: number | null = reading?.total ?? null;
    const isPastEnd = total !== null && met.size >= total;
    const received = await readPage(round, since, page, { pageLength, total, isPastEnd });
    const { items, unreadable } = received.page;
    const count = countOf(received.page);
    // All pages but the last are full.
    if (!received.isInParts && count > 0) pageLength = Math.min(pageSizeMax, count);
    // The Total of a page after the last is 0 at some servers.
    if (count === 0 && page > 1 && reading) return { reading, end: 'empty', isSnapshot };
    const ids = [...items, ...unreadable].map(({ id }) => id);
    const isNew = ids.some((id) => !met.has(id));
    ids.forEach((id) => met.add(id));
    reading = nextReading(reading, since, received, met.size);
    await savePage(round, { ...received, isFirst: start === null && page === 1 }, reading);
    if (count === 0) return { reading, end: 'empty', isSnapshot: received.page.total === 0 };
    // A server without paging gives all it has each time; a page that is full, also by the size
    // that the server states, may not be all.
    const isFull = count >= Math.min(pageSizeMax, received.page.size ?? pageSizeMax);
    const isUnpaged = page === 2 && isSnapshot && received.page.total === met.size && !isFull;
    if (!isNew) return { reading, end: isUnpaged ? 'empty' : 'repeats', isSnapshot: isUnpaged };
    if (since !== null && isLast(round, received.page, met.size))
      return { reading, end: 'empty', isSnapshot: page === 1 && !received.isInParts };
    if (page >= pagesMax) return { reading, end: 'endless', isSnapshot: false };
    isSnapshot = page === 1 && count >= received.page.total && !received.isInParts;
  }
}

/** A page of changes that is not full by anything that is known of the partner, with Total cases seen. */
function isLast<Item extends PullItem>(
  { before }: Round<Item>,
  page: TolerantPage<Item>,
  met: number,
): boolean {
  const count = countOf(page);
  return page.total === met && count < before.longestPage && count < (page.size ?? pageSizeMax);
}

interface PageRead<Item> extends Omit<ReceivedPage<Item>, 'isFirst'> {
  /** Server time certainly before the answer was put together. */
  readonly startedMs: number;
  /** Something may have changed between its parts. */
  readonly isInParts: boolean;
}

const unknownList: KnownOfList = { pageLength: pageSizeMax, total: null, isPastEnd: false };

function ask<Item extends PullItem>(
  { store, read }: Round<Item>,
  query: { lastChangedSince?: string; page: number },
  known: KnownOfList,
): Promise<WholeOrParts<Item>> {
  store.asked();
  return readPageOrParts(read, { ...query, size: pageSizeMax }, known);
}

async function readPage<Item extends PullItem>(
  round: Round<Item>,
  since: string | null,
  page: number,
  known: KnownOfList,
): Promise<PageRead<Item>> {
  const { serverNow } = round;
  const beforeMs = serverNow();
  try {
    const lastChangedSince = since === null ? {} : { lastChangedSince: overlapped(since) };
    const answered = await ask(round, { ...lastChangedSince, page }, known);
    const afterMs = serverNow();
    const serverMs = answered.serverDateMs ?? afterMs;
    // The offset to server time may have been learned only by this very answer, so the start is
    // reckoned back from its Date.
    const tookMs = Math.max(0, afterMs - beforeMs);
    const startedMs = Math.min(beforeMs, serverMs - tookMs) - serverDateSlackMs;
    return { page: answered.value, serverMs, startedMs, isInParts: answered.isInParts };
  } catch (error) {
    // Some servers refuse a page after the last.
    if (page === 1 || !isRefusedPage(error)) throw error;
    const empty = { total: 0, size: pageSizeMax, items: [], unreadable: [] };
    return { page: empty, serverMs: serverNow(), startedMs: beforeMs, isInParts: false };
  }
}

function nextReading<Item extends PullItem>(
  before: Reading | null,
  since: string | null,
  { page, serverMs, startedMs }: PageRead<Item>,
  met: number,
): Reading {
  const { items } = page;
  const times = timesOf(items, serverMs);
  // A Total of less than what was read already is no count of the list.
  const total = page.total < met ? (before?.total ?? 0) : page.total;
  return {
    since,
    nextPage: (before?.nextPage ?? 1) + 1,
    startedMs: before?.startedMs ?? startedMs,
    total,
    shrank: before !== null && (before.shrank || total < before.total),
    highest: latest([before?.highest ?? null, ...times], serverMs),
    items: (before?.items ?? 0) + items.length,
    longestPage: Math.max(before?.longestPage ?? 0, countOf(page)),
    older: (before?.older ?? 0) + (since === null ? 0 : olderThan(items, overlapped(since))),
  };
}

async function savePage<Item extends PullItem>(
  round: Round<Item>,
  received: ReceivedPage<Item>,
  reading: Reading,
): Promise<void> {
  const { changed, older } = await round.store.savePage(received, reading);
  round.older += older;
  round.atGateway = received.page.incomplete ?? null;
  const news = new Set(changed);
  const cursor = round.before.cursor ?? '';
  for (const { id, lastChangedAt } of received.page.items) {
    if (news.has(id) || timeOf(lastChangedAt) >= timeOf(cursor)) round.pulled.add(id);
  }
  const pulled = round.pulled.size;
  round.onPage?.({ changed, pulled, total: Math.max(reading.total, pulled) });
}

type Judgement =
  | { incomplete: null; cursor: string | null; ignoresSince: boolean | null }
  | {
      incomplete: Incomplete;
      /** The next reading only adds to what this one has seen. */
      goesOn: boolean;
      ignoresSince: boolean | null;
    };

/**
 * A reading is complete if nothing changed during it and every case that the server counts was seen.
 * On a server that never stands still it is enough that every change was read as well and that the
 * count is right.
 */
async function judgeWalk<Item extends PullItem>(
  round: Round<Item>,
  { reading, end, isSnapshot }: Walk,
  attempt: number,
): Promise<Judgement> {
  const seen = await round.store.seen();
  const { since, total, shrank, highest } = reading;
  // Null: an empty list does not show it.
  let ignoresSince =
    since === null || reading.items === 0 ? null : reading.older * 2 >= reading.items;
  const failed = (reason: Incomplete['reason'], goesOn = false): Judgement => ({
    incomplete: { reason, seen, total },
    goesOn,
    ignoresSince,
  });
  if (end !== 'empty') return failed(end);
  if (isSnapshot) return { incomplete: null, cursor: highest ?? since, ignoresSince };
  if (seen === 0) return failed('missing');
  const found = await changesSince(round, reading, ignoresSince ?? round.before.ignoresSince);
  if (found.isUnfiltered) ignoresSince = true;
  if (shrank) return failed('changing');
  // Nothing changed and yet something is missing: the server's order is not stable, or it counts
  // what it does not list.
  if (seen < total) return failed(found.changed > 0 ? 'changing' : 'missing', found.changed === 0);
  const mayCount = attempt >= readingsMax || reading.nextPage - 1 > strictPages;
  if (found.changed === 0)
    return { incomplete: null, cursor: found.highest ?? since, ignoresSince };
  if (!mayCount || !found.isWhole) return failed('changing');
  // What changed during the reading is read again.
  return { incomplete: null, cursor: new Date(reading.startedMs).toISOString(), ignoresSince };
}

interface Changes {
  readonly changed: number;
  /** All of them are on the page that was read. */
  readonly isWhole: boolean;
  readonly highest: string | null;
  /** The answer has everything, not only the changes. */
  readonly isUnfiltered: boolean;
}

/** Asks what changed since the reading began. */
async function changesSince<Item extends PullItem>(
  round: Round<Item>,
  reading: Reading,
  isIgnored: boolean,
): Promise<Changes> {
  const { highest } = reading;
  const unknown = { changed: 0, isWhole: true, highest, isUnfiltered: isIgnored };
  if (isIgnored) return unknown;
  const lastChangedSince = new Date(reading.startedMs).toISOString();
  const answered = await ask(round, { lastChangedSince, page: 1 }, unknownList);
  const page = answered.value;
  const serverMs = answered.serverDateMs ?? round.serverNow();
  await savePage(round, { page, serverMs, isFirst: false }, reading);
  const count = countOf(page);
  if (count > 0 && olderThan(page.items, lastChangedSince) * 2 >= count) {
    return { ...unknown, isUnfiltered: true };
  }
  const times = timesOf(page.items, serverMs);
  return {
    // Without items Total may count what the filter leaves out. One that is dated in the future is
    // listed by every answer, whether it changed or not.
    changed: count === 0 ? 0 : Math.max(page.total, count) - (page.items.length - times.length),
    isWhole: count >= page.total,
    highest: latest([highest, ...times], serverMs),
    isUnfiltered: false,
  };
}
