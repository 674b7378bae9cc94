import { pageSizeMax } from '#shared/api/limits.ts';
import { timeOf } from '#shared/lib/timestamps.ts';
import { countOf, type Incomplete, type TolerantPage } from '../answers/answers.ts';
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
 * cases. The server may list in any order, and may count wrongly.
 *
 * Paging by number drifts: a case that changes between two pages moves in the list, and another one
 * may be skipped. So the cursor moves only after a reading that is certainly complete: one page, or
 * several pages during which nothing changed. Otherwise the list is read again from the same
 * cursor. If it stays incomplete, the result reports so.
 *
 * | the reading ends with                       | it is
 * |
 * |---------------------------------------------|----------------------------------------------------|
 * | an empty page, or a refused one after the first | complete if at least Total cases were seen,
 * and nothing changed |
 * | among changes, a page shorter than one of the whole list, with Total cases seen | the same |
 * | a page that brings nothing new              | incomplete, unless the first page has all and is
 * not full |
 * | `pagesMax` pages                            | incomplete
 * |
 */

/**
 * The number of readings from one cursor before a busy server's count decides (see `judgeWalk`).
 */
const readingsMax = 3;
/** A reading with more pages is not repeated only because something changed during it. */
const strictPages = 10;
/** The most pages of a list. A longer list counts as endless. */
const pagesMax = 1000;
/** A Date header has whole seconds and is written after the answer was created. */
const serverDateSlackMs = 2000;

export interface PullContext<Item> {
  readonly store: PullStore<Item>;
  readonly serverNow: () => number;
  /** X1 */
  readonly read: ReadListPage<Item>;
  /**
   * Called after every stored page with the ids that changed, the number of cases read so far, and
   * the number that the server announced.
   */
  readonly onPage?: (page: { changed: readonly string[]; pulled: number; total: number }) => void;
  /** Whether to read the whole list and not only the changes. */
  readonly everything?: boolean;
}

export interface PullResult {
  /** The number of cases read. Cases that only the overlap repeats are not counted. */
  readonly pulled: number;
  readonly incomplete: Incomplete | null;
  readonly ignoresSince: boolean;
}

/** The state of one pull over all its readings. */
interface Round<Item> extends PullContext<Item> {
  readonly before: PullState;
  /** The ids that are new since the cursor, or changed. */
  readonly pulled: Set<string>;
  /** The number of cases in the current reading that are older than the stored ones. */
  older: number;
  /**
   * If the server is a gateway: why it has not read its whole list, by the latest page; otherwise
   * null.
   */
  atGateway: Incomplete | null;
}

/**
 * Updates the store to the state of the server.
 * @throws {DeskError} if a page could not be read; the next pull continues from this page
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
  // The comparison is inclusive, so the record at the boundary is always returned again. If it is
  // missing, the partner was restored from a backup or filters wrongly; only the whole list shows
  // which.
  const isBoundaryMissing = () => cursorBefore !== null && isBefore(end.highest, cursorBefore);
  // The same is true of a case that was read alone, as after a delivery: a partner that was restored
  // after the last list and before this one has every boundary, and not the delivery.
  const seenAlone = usableStamp(before.seenAlone ?? null, context.serverNow());
  const isSeenMissing = () => seenAlone !== null && isBefore(end.highest, seenAlone);
  if (since !== null && end.incomplete === null && (isBoundaryMissing() || isSeenMissing())) {
    const wasBoundaryMissing = isBoundaryMissing();
    end = await readFrom(round, null, null);
    if (wasBoundaryMissing && !isBoundaryMissing()) end = { ...end, ignoresSince: true };
  }
  // The Total may include items that the filter leaves out.
  if (since !== null && end.incomplete?.reason === 'missing' && before.missing === null) {
    end = await readFrom(round, null, null);
  }
  const isWhole = end.since === null;
  const isRestored = isWhole && end.incomplete === null && (isBoundaryMissing() || isSeenMissing());
  const restoredTo = isRestored ? end.highest : null;
  // Records that are older than the stored ones are accepted if a second reading confirms them.
  if (isWhole && end.incomplete === null && round.older > 0) {
    end = { ...(await readFrom(round, null, null)), ignoresSince: end.ignoresSince };
  }
  const { cursor, ignoresSince, wholeSinceMs, longestPage } = end;
  const missing = missingAfter(before.missing, end, context.serverNow());
  // The last whole reading decides about the count, because a reading of changes sees only the
  // changes.
  const isOwed = !isWhole && end.incomplete?.reason === 'missing';
  // Cases that a gateway finds later get a later LastChangedAt, so the cursor may move.
  const incomplete =
    (isOwed ? missing?.incomplete : null) ??
    end.incomplete ??
    missing?.incomplete ??
    round.atGateway;
  const findings = { incomplete, missing, ignoresSince, longestPage };
  await context.store.end({ cursor, ...findings, wholeSinceMs, restoredTo });
  return { pulled: round.pulled.size, incomplete, ignoresSince };
}

/** Reads the changes since a cursor; everything if the partner refuses requests for changes. */
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

/**
 * The cursor; null reads everything. It is null also if an earlier version used a time ahead of the
 * server's as the server's time.
 */
function usableCursor({ before: { cursor }, serverNow }: Round<PullItem>): string | null {
  return usableStamp(cursor, serverNow());
}

const usableStamp = (stamp: string | null, serverMs: number): string | null =>
  stamp !== null && isAhead(stamp, serverMs) ? null : stamp;

interface ReadingEnd extends Omit<PullEnd, 'restoredTo' | 'missing'> {
  readonly since: string | null;
  readonly highest: string | null;
}

/** Reads from one cursor until a reading is complete, `readingsMax` times at most. */
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
    // Missing cases are noted (`missing`) and do not prevent the reading of changes.
    const isOwed = incomplete.reason === 'missing' && (since === null || before.missing !== null);
    // If the last pull ended in the same way, the reading is not repeated three times.
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
  /** Whether everything is on the first page, which is then a snapshot. */
  readonly isSnapshot: boolean;
}

/** Reads page after page until a page is empty or brings nothing new. */
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
    // All pages except the last are full.
    if (!received.isInParts && count > 0) pageLength = Math.min(pageSizeMax, count);
    // Some servers answer a page after the last with a Total of 0.
    if (count === 0 && page > 1 && reading) return { reading, end: 'empty', isSnapshot };
    const ids = [...items, ...unreadable].map(({ id }) => id);
    const isNew = ids.some((id) => !met.has(id));
    ids.forEach((id) => met.add(id));
    reading = nextReading(reading, since, received, met.size);
    await savePage(round, { ...received, isFirst: start === null && page === 1 }, reading);
    if (count === 0) return { reading, end: 'empty', isSnapshot: received.page.total === 0 };
    // A server without paging returns everything each time. A page that is full, by the requested
    // size or the one that the server states, may not be everything.
    const isFull = count >= Math.min(pageSizeMax, received.page.size ?? pageSizeMax);
    const isUnpaged = page === 2 && isSnapshot && received.page.total === met.size && !isFull;
    if (!isNew) return { reading, end: isUnpaged ? 'empty' : 'repeats', isSnapshot: isUnpaged };
    if (since !== null && isLast(round, received.page, met.size))
      return { reading, end: 'empty', isSnapshot: page === 1 && !received.isInParts };
    if (page >= pagesMax) return { reading, end: 'endless', isSnapshot: false };
    isSnapshot = page === 1 && count >= received.page.total && !received.isInParts;
  }
}

/**
 * Whether a page of changes is the last: it is shorter than any known full page of the partner, and
 * Total cases were seen.
 */
function isLast<Item extends PullItem>(
  { before }: Round<Item>,
  page: TolerantPage<Item>,
  met: number,
): boolean {
  const count = countOf(page);
  return page.total === met && count < before.longestPage && count < (page.size ?? pageSizeMax);
}

interface PageRead<Item> extends Omit<ReceivedPage<Item>, 'isFirst'> {
  /** A server time that is certainly before the answer was created. */
  readonly startedMs: number;
  /** Whether something may have changed between the parts of the page. */
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
    // The offset to server time may come from this very answer, so the start is computed back from
    // its Date.
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
  // If Total is below the number of items read so far, it is not the count of the list.
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
      /** Whether the next reading continues this one and does not start again. */
      goesOn: boolean;
      ignoresSince: boolean | null;
    };

/**
 * Judges a reading. It is complete if nothing changed during it and every case that the server
 * counts was seen. On a server that changes all the time it suffices that every change was read as
 * well and that the count is right.
 */
async function judgeWalk<Item extends PullItem>(
  round: Round<Item>,
  { reading, end, isSnapshot }: Walk,
  attempt: number,
): Promise<Judgement> {
  const seen = await round.store.seen();
  const { since, total, shrank, highest } = reading;
  // Null means unknown: an empty list does not show it.
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
  // Nothing changed and yet something is missing. The server's order is not stable, or it counts
  // items that it does not list.
  if (seen < total) return failed(found.changed > 0 ? 'changing' : 'missing', found.changed === 0);
  const mayCount = attempt >= readingsMax || reading.nextPage - 1 > strictPages;
  if (found.changed === 0)
    return { incomplete: null, cursor: found.highest ?? since, ignoresSince };
  if (!mayCount || !found.isWhole) return failed('changing');
  // The next pull reads again what changed during the reading.
  return { incomplete: null, cursor: new Date(reading.startedMs).toISOString(), ignoresSince };
}

interface Changes {
  readonly changed: number;
  /** Whether all of them are on the page that was read. */
  readonly isWhole: boolean;
  readonly highest: string | null;
  /** Whether the answer contains everything and not only the changes. */
  readonly isUnfiltered: boolean;
}

/** Asks the partner what changed since the reading began. */
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
    // Without items, Total may count what the filter leaves out. A case that is dated in the future
    // is in every answer, even if it did not change.
    changed: count === 0 ? 0 : Math.max(page.total, count) - (page.items.length - times.length),
    isWhole: count >= page.total,
    highest: latest([highest, ...times], serverMs),
    isUnfiltered: false,
  };
}
