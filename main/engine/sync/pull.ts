import { pageSizeMax } from '#shared/api/limits.ts';
import { aheadMs, timeOf } from '../cache/case-store.ts';
import type { Cache } from '../cache/open-cache.ts';
import type { PullCursor } from '../cache/pull-state.ts';
import {
  countOf,
  createPageCounter,
  readPages,
  type ClientCase,
  type TolerantPage,
} from '../../partner/answers.ts';
import type { Answered } from '../../partner/call.ts';
import type { PartnerClient } from '../../partner/partner-client.ts';
import type { Overlays } from '../work/overlay.ts';

/** Readings from one time before a busy server is taken by count (see `isComplete`). */
const strictReadings = 3;
/** A reading longer than this is not repeated only because something changed during it. */
const strictPages = 10;
/** A record may become visible this much later than its LastChangedAt. */
const overlapMs = 5 * 60_000;
/** A Date header has whole seconds and is written after the answer was put together. */
const serverDateSlackMs = 2000;

export interface PullContext {
  readonly client: PartnerClient;
  readonly cache: Cache;
  readonly overlays: Overlays;
  /** Leaves out what is not to be stored here; it still counts as read. */
  readonly retained: (items: readonly ClientCase[]) => readonly ClientCase[];
  readonly signal: AbortSignal;
  /** After every stored page: ids that changed, cases read so far, what the server announced. */
  readonly onPage: (page: { changed: string[]; pulled: number; total: number }) => void;
}

/**
 * Brings the cache up to what the server has (specification, "Sync procedure"). The server may list
 * in any order.
 *
 * Paging by number drifts: a case that changes between two pages moves in the list, and another one
 * may be skipped. So the saved time moves only after a reading that is certainly complete: one page
 * (a snapshot), or several during which nothing changed. Otherwise the list is read again from the
 * same time; if it stays incomplete the next round continues.
 *
 * Each page and the cursor behind it are one transaction, so a reading survives a crash. The cursor
 * never passes the server's own time, and each pull asks from some minutes before it.
 * @returns how many cases were read; those that the overlap brings again are not counted
 */
export async function pull(context: PullContext): Promise<number> {
  let pulled = 0;
  for (let reading = 1; reading <= strictReadings; reading += 1) {
    const outcome = await readOnce(context, pulled, reading);
    pulled = outcome.pulled;
    if (outcome.isComplete) break;
  }
  return pulled;
}

async function readOnce(
  context: PullContext,
  pulledBefore: number,
  reading: number,
): Promise<{ pulled: number; isComplete: boolean }> {
  const { pullState: store } = context.cache;
  const since = cursorOf(context);
  const countPage = createPageCounter('X1');
  let pulled = pulledBefore;
  let cursor = store.pullCursor();
  if (cursor !== null && cursor.since !== since) cursor = null;
  for (;;) {
    const page = cursor?.nextPage ?? 1;
    const { value, startedMs, serverMs, delivered } = await readPage(context, since, page);
    const count = countOf(value);
    const before = cursor;
    const next: PullCursor = {
      since,
      nextPage: page + 1,
      startedMs: before?.startedMs ?? startedMs,
      total: value.total,
      shrank: before !== null && (before.shrank || value.total < before.total),
      highest: latest([before?.highest ?? null, ...timesOf(value.items, serverMs)], serverMs),
    };
    cursor = next;
    const isSnapshot = page === 1 && count >= value.total;
    const changed = storeItems(context, value, serverMs, () => {
      if (before === null) store.forgetSeen();
      if (isSnapshot) store.endPull(next.highest ?? since);
      else {
        markSeen(context, value);
        store.savePullCursor(next);
      }
    });
    liftSeen(context, delivered, value.items);
    const news = new Set(changed);
    const isNew = ({ id, lastChangedAt }: ClientCase) =>
      since === null || timeOf(lastChangedAt) >= timeOf(since) || news.has(id);
    pulled += value.items.filter(isNew).length;
    context.onPage({ changed, pulled, total: Math.max(value.total, pulled) });
    if (isSnapshot) return { pulled, isComplete: true };
    try {
      countPage({ total: value.total, count });
    } catch (error) {
      store.endPull(null);
      throw error;
    }
    if (count === 0 || (next.nextPage - 1) * value.size >= value.total) break;
  }
  return { pulled, isComplete: await confirmComplete(context, cursor, reading) };
}

/** Reads one page; `startedMs` is server time certainly before the answer was put together. */
async function readPage(context: PullContext, since: string | null, page: number) {
  const { client, signal } = context;
  const before = client.serverNow();
  const delivered = context.overlays.delivered();
  const answered = await client.listCases(
    { ...(since !== null && { lastChangedSince: overlapped(since) }), page, size: pageSizeMax },
    { signal },
  );
  const serverMs = answered.serverDateMs ?? client.serverNow();
  const startedMs = startOf(client, before, answered);
  return { value: answered.value, startedMs, serverMs, delivered };
}

/** Null reads everything: also if a stamp ahead of the server's time was taken for its time once. */
function cursorOf({ cache, client }: PullContext): string | null {
  const saved = cache.pullState.text('cursor');
  return saved !== null && isAhead(saved, client.serverNow()) ? null : saved;
}

const overlapped = (since: string) => new Date(timeOf(since) - overlapMs).toISOString();
const isAhead = (lastChangedAt: string, serverMs: number) =>
  timeOf(lastChangedAt) > serverMs + aheadMs;

/** When these cases changed, without those that a careless or hostile server dates in the future. */
function timesOf(items: readonly ClientCase[], serverMs: number): string[] {
  return items
    .map(({ lastChangedAt }) => lastChangedAt)
    .filter((lastChangedAt) => !isAhead(lastChangedAt, serverMs));
}

/**
 * The offset to server time may have been learned only by this very answer, so the start is
 * reckoned back from its Date.
 */
function startOf(client: PartnerClient, before: number, answered: Answered<unknown>): number {
  const after = client.serverNow();
  const tookMs = Math.max(0, after - before);
  const date = answered.serverDateMs ?? after;
  return Math.min(before, date - tookMs) - serverDateSlackMs;
}

function storeItems(
  { cache, retained }: Pick<PullContext, 'cache' | 'retained'>,
  { items, unreadable }: TolerantPage<ClientCase>,
  serverMs: number,
  keepPlace: () => void,
): string[] {
  return cache.together(() => {
    const changed = cache.cases.upsert(retained(items), serverMs);
    cache.unreadable.saveCases(unreadable, new Date(serverMs).toISOString());
    keepPlace();
    return changed;
  });
}

function markSeen({ cache }: PullContext, page: TolerantPage<ClientCase>): void {
  cache.pullState.markSeen([...page.items, ...page.unreadable].map(({ id }) => id));
}

/** What was delivered before the page was asked for is in it, and need not lie over it. */
function liftSeen(
  { overlays }: PullContext,
  delivered: readonly { id: number; caseId: string }[],
  items: readonly ClientCase[],
): void {
  if (delivered.length === 0) return;
  const seen = new Set(items.map(({ id }) => id));
  overlays.lift(delivered.filter(({ caseId }) => seen.has(caseId)).map(({ id }) => id));
}

/** Asks what changed since the reading began, and moves the saved time if it is complete. */
async function confirmComplete(
  context: PullContext,
  cursor: PullCursor,
  reading: number,
): Promise<boolean> {
  const { cache, client, signal } = context;
  const since = new Date(cursor.startedMs).toISOString();
  const delivered = context.overlays.delivered();
  const { value, serverDateMs } = await client.listCases(
    { lastChangedSince: since, page: 1, size: pageSizeMax },
    { signal },
  );
  const serverMs = serverDateMs ?? client.serverNow();
  const times = timesOf(value.items, serverMs);
  // One that is dated in the future is listed by every answer, whether it changed or not.
  const changedMeanwhile = value.total - (value.items.length - times.length);
  let complete = false;
  const changed = storeItems(context, value, serverMs, () => {
    markSeen(context, value);
    complete = isComplete(cursor, reading, {
      changedMeanwhile,
      allChangesRead: countOf(value) >= value.total,
      seen: cache.pullState.seenCount(),
    });
    if (complete) {
      const highest = latest([cursor.highest, ...times], serverMs);
      cache.pullState.endPull(highest ?? cursor.since);
    } else if (changedMeanwhile === 0 && !cursor.shrank) {
      // Nothing changed and yet something is missing: the server's order is not stable. What was
      // seen is as fresh as can be, so the next reading only adds to it.
      cache.pullState.savePullCursor({ ...cursor, nextPage: 1 });
    } else cache.pullState.endPull(null);
  });
  liftSeen(context, delivered, value.items);
  if (changed.length > 0) context.onPage({ changed, pulled: cursor.total, total: cursor.total });
  return complete;
}

/**
 * A reading is complete if nothing changed during it and every case that the server counts was seen.
 * On a server that never stands still it is enough that every change was read as well and that the
 * count is right.
 */
function isComplete(
  cursor: PullCursor,
  reading: number,
  found: { changedMeanwhile: number; allChangesRead: boolean; seen: number },
): boolean {
  if (cursor.shrank || found.seen < cursor.total) return false;
  if (found.changedMeanwhile === 0) return true;
  const mayCount = reading >= strictReadings || cursor.nextPage - 1 > strictPages;
  return mayCount && found.allChangesRead;
}

/**
 * The latest of timestamps as the server wrote them, so that no digit of the cursor is lost; the
 * server's own time (its second) if it is later than that.
 */
function latest(timestamps: readonly (string | null)[], serverMs: number): string | null {
  let highest: string | null = null;
  for (const timestamp of timestamps) {
    if (timestamp === null) continue;
    if (highest === null || isLater(timestamp, highest)) highest = timestamp;
  }
  const isLate = highest !== null && timeOf(highest) >= serverMs + 1000;
  return isLate ? new Date(serverMs).toISOString() : highest;
}

/** Finer than milliseconds if both are written in the same form. */
function isLater(a: string, b: string): boolean {
  const difference = timeOf(a) - timeOf(b);
  return difference === 0 ? a > b : difference > 0;
}

/**
 * Reads the whole list once more, to catch what paging by number or a server's careless
 * LastChangedAt may have missed. Only adds: the cursor is the pull's.
 * @throws {DeskError} if the list could not be read to its end
 */
export async function fullRescan({
  client,
  cache,
  retained,
  signal,
  onCases,
}: Pick<PullContext, 'client' | 'cache' | 'retained'> & {
  signal: AbortSignal;
  onCases: (caseIds: string[]) => void;
}): Promise<void> {
  let startedMs: number | null = null;
  const pages = readPages('X1', pageSizeMax, (page) => client.listCases(page, { signal }));
  for await (const { value, serverDateMs } of pages) {
    const serverMs = serverDateMs ?? client.serverNow();
    startedMs ??= serverMs;
    const changed = storeItems({ cache, retained }, value, serverMs, () => undefined);
    if (changed.length > 0) onCases(changed);
  }
  if (startedMs !== null) cache.unreadable.forgetCases(new Date(startedMs).toISOString());
}
