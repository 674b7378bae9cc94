import { pageSizeMax } from '#shared/api/limits.ts';
import { timeOf } from '../cache/case-store.ts';
import type { Cache } from '../cache/open-cache.ts';
import type { PullCursor } from '../cache/pull-state.ts';
import { readPages, type ClientCase, type ClientPage } from '../client/answers.ts';
import type { Answered } from '../client/call.ts';
import type { PartnerClient } from '../client/partner-client.ts';
import type { Overlays } from '../work/overlay.ts';

/** Readings from one time before a busy server is taken by count (see `isComplete`). */
const strictReadings = 3;
/** A reading longer than this is not repeated only because something changed meanwhile. */
const strictPages = 10;
/** A Date header has whole seconds and is written after the answer was put together. */
const serverDateSlackMs = 2000;

export interface PullContext {
  readonly client: PartnerClient;
  readonly cache: Cache;
  readonly overlays: Overlays;
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
 * same time; if it stays incomplete the next round goes on.
 *
 * Each page and the cursor behind it are one transaction, so a reading survives a crash.
 * @returns how many cases were read
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
  const since = store.text('cursor');
  let pulled = pulledBefore;
  let cursor = store.pullCursor();
  if (cursor !== null && cursor.since !== since) cursor = null;
  for (;;) {
    const page = cursor?.nextPage ?? 1;
    const { value, startedMs, delivered } = await readPage(context, since, page);
    const before = cursor;
    const next: PullCursor = {
      since,
      nextPage: page + 1,
      startedMs: before?.startedMs ?? startedMs,
      total: value.total,
      shrank: before !== null && (before.shrank || value.total < before.total),
      highest: latest([before?.highest ?? null, ...value.items.map((item) => item.lastChangedAt)]),
    };
    cursor = next;
    const isSnapshot = page === 1 && value.items.length >= value.total;
    const changed = storeItems(context, value.items, () => {
      if (before === null) store.forgetSeen();
      if (isSnapshot) store.endPull(next.highest ?? since);
      else {
        store.markSeen(value.items.map(({ id }) => id));
        store.savePullCursor(next);
      }
    });
    liftSeen(context, delivered, value.items);
    pulled += value.items.length;
    context.onPage({ changed, pulled, total: Math.max(value.total, pulled) });
    if (isSnapshot) return { pulled, isComplete: true };
    if (value.items.length === 0 || (next.nextPage - 1) * value.size >= value.total) break;
  }
  return { pulled, isComplete: await confirmComplete(context, cursor, reading) };
}

/** Reads one page; `startedMs` is server time certainly before the answer was put together. */
async function readPage(context: PullContext, since: string | null, page: number) {
  const { client, signal } = context;
  const before = client.serverNow();
  const delivered = context.overlays.delivered();
  const answered = await client.listCases(
    { ...(since !== null && { lastChangedSince: since }), page, size: pageSizeMax },
    { signal },
  );
  return { value: answered.value, startedMs: startOf(client, before, answered), delivered };
}

/**
 * The offset to server time may have been learned only by this very answer, so the start is
 * reckoned back from its Date.
 */
function startOf(
  client: PartnerClient,
  before: number,
  answered: Answered<ClientPage<ClientCase>>,
): number {
  const after = client.serverNow();
  const tookMs = Math.max(0, after - before);
  const date = answered.serverDateMs ?? after;
  return Math.min(before, date - tookMs) - serverDateSlackMs;
}

function storeItems(
  { cache }: PullContext,
  items: readonly ClientCase[],
  keepPlace: () => void,
): string[] {
  return cache.together(() => {
    const changed = cache.cases.upsert(items);
    keepPlace();
    return changed;
  });
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
  const { value } = await client.listCases(
    { lastChangedSince: since, page: 1, size: pageSizeMax },
    { signal },
  );
  let complete = false;
  const changed = storeItems(context, value.items, () => {
    cache.pullState.markSeen(value.items.map(({ id }) => id));
    complete = isComplete(cursor, reading, {
      changedMeanwhile: value.total,
      allChangesRead: value.items.length >= value.total,
      seen: cache.pullState.seenCount(),
    });
    if (complete) {
      const highest = latest([cursor.highest, ...value.items.map((item) => item.lastChangedAt)]);
      cache.pullState.endPull(highest ?? cursor.since);
    } else if (value.total === 0 && !cursor.shrank) {
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

/** The latest of timestamps as the server wrote them, so that no digit of the cursor is lost. */
function latest(timestamps: readonly (string | null)[]): string | null {
  let highest: string | null = null;
  for (const timestamp of timestamps) {
    if (timestamp === null) continue;
    if (highest === null || isLater(timestamp, highest)) highest = timestamp;
  }
  return highest;
}

/** Finer than milliseconds if both are written in the same form. */
function isLater(a: string, b: string): boolean {
  const difference = timeOf(a) - timeOf(b);
  return difference === 0 ? a > b : difference > 0;
}

/**
 * Reads the whole list once more, to catch what paging by number or a server's careless
 * LastChangedAt may have missed. Only adds: the cursor is the pull's.
 * @returns how many cases were read
 * @throws {DeskError} if the list could not be read to its end
 */
export async function fullRescan({
  client,
  cache,
  signal,
  onCases,
}: {
  client: PartnerClient;
  cache: Cache;
  signal: AbortSignal;
  onCases: (caseIds: string[]) => void;
}): Promise<number> {
  let read = 0;
  const pages = readPages(pageSizeMax, (page) => client.listCases(page, { signal }));
  for await (const { value } of pages) {
    const changed = cache.cases.upsert(value.items);
    if (changed.length > 0) onCases(changed);
    read += value.items.length;
  }
  return read;
}
