import type { Cache } from '../cache/open-cache.ts';
import { timeOf } from '../cache/case-store.ts';
import type { Walk } from '../cache/walk-store.ts';
import type { ClientCase, ClientPage } from '../client/answers.ts';
import type { Answered } from '../client/call.ts';
import type { PartnerClient } from '../client/partner-client.ts';
import type { Overlays } from '../work/overlay.ts';

const pageSize = 200;
/** Walks from one cursor before a busy server is taken by count (see `isComplete`). */
const strictWalks = 3;
/** A walk longer than this is not repeated only because something changed meanwhile. */
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
 * Brings the cache up to what the server has (specification, "Sync procedure"). The server may
 * list in any order.
 *
 * Paging by number drifts: when a case changes between two pages it moves in the list, and another
 * one may slip past. So the cursor moves only after a walk that is certainly complete: one page (a
 * snapshot), or several during which nothing changed. Otherwise it is walked again from the same
 * cursor; a walk that stays unsettled leaves the cursor for the next round.
 *
 * Each page and the state of the walk are one transaction, so a walk goes on where a crash left it.
 * @returns how many cases were read
 */
export async function pull(context: PullContext): Promise<number> {
  let pulled = 0;
  for (let walks = 1; walks <= strictWalks; walks += 1) {
    const outcome = await walkOnce(context, pulled, walks);
    pulled = outcome.pulled;
    if (outcome.settled) break;
  }
  return pulled;
}

async function walkOnce(
  context: PullContext,
  pulledBefore: number,
  walks: number,
): Promise<{ pulled: number; settled: boolean }> {
  const { walks: store } = context.cache;
  const cursor = store.text('cursor');
  let pulled = pulledBefore;
  let walk = store.walk();
  if (walk !== null && walk.since !== cursor) walk = null;
  for (;;) {
    const page = walk?.nextPage ?? 1;
    const { value, startedMs, delivered } = await readPage(context, cursor, page);
    const before = walk;
    const next: Walk = {
      since: cursor,
      nextPage: page + 1,
      startedMs: before?.startedMs ?? startedMs,
      total: value.total,
      shrank: before !== null && (before.shrank || value.total < before.total),
      highest: latest([walk?.highest ?? null, ...value.items.map((item) => item.lastChangedAt)]),
    };
    walk = next;
    const isSnapshot = page === 1 && value.items.length >= value.total;
    const changed = storeItems(context, value.items, () => {
      if (before === null) store.forgetSeen();
      if (isSnapshot) store.endWalk(next.highest ?? cursor);
      else {
        store.markSeen(value.items.map(({ id }) => id));
        store.saveWalk(next);
      }
    });
    liftSeen(context, delivered, value.items);
    pulled += value.items.length;
    context.onPage({ changed, pulled, total: Math.max(value.total, pulled) });
    if (isSnapshot) return { pulled, settled: true };
    if (value.items.length === 0 || (next.nextPage - 1) * value.size >= value.total) break;
  }
  return { pulled, settled: await settle(context, walk, walks) };
}

/** Reads one page; `startedMs` is server time certainly before the answer was put together. */
async function readPage(context: PullContext, cursor: string | null, page: number) {
  const { client, signal } = context;
  const before = client.serverNow();
  const delivered = context.overlays.delivered();
  const answered = await client.listCases(
    { ...(cursor !== null && { lastChangedSince: cursor }), page, size: pageSize },
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

/** What was delivered before the page was asked for is in it, so it need not lie over it. */
function liftSeen(
  { overlays }: PullContext,
  delivered: readonly { id: number; caseId: string }[],
  items: readonly ClientCase[],
): void {
  if (delivered.length === 0) return;
  const seen = new Set(items.map(({ id }) => id));
  overlays.lift(delivered.filter(({ caseId }) => seen.has(caseId)).map(({ id }) => id));
}

/** Asks what changed since the walk began, and moves the cursor where the walk is complete. */
async function settle(context: PullContext, walk: Walk, walks: number): Promise<boolean> {
  const { cache, client, signal } = context;
  const since = new Date(walk.startedMs).toISOString();
  const delivered = context.overlays.delivered();
  const { value } = await client.listCases(
    { lastChangedSince: since, page: 1, size: pageSize },
    { signal },
  );
  let complete = false;
  const changed = storeItems(context, value.items, () => {
    cache.walks.markSeen(value.items.map(({ id }) => id));
    complete = isComplete(walk, walks, {
      changedMeanwhile: value.total,
      allChangesRead: value.items.length >= value.total,
      seen: cache.walks.seenCount(),
    });
    if (complete) {
      const highest = latest([walk.highest, ...value.items.map((item) => item.lastChangedAt)]);
      cache.walks.endWalk(highest ?? walk.since);
    } else if (value.total === 0 && !walk.shrank) {
      // Nothing changed and yet something is missing: the server's order is not stable. What was
      // seen is as fresh as can be, so the next walk only adds to it.
      cache.walks.saveWalk({ ...walk, nextPage: 1 });
    } else cache.walks.endWalk(null);
  });
  liftSeen(context, delivered, value.items);
  if (changed.length > 0) context.onPage({ changed, pulled: walk.total, total: walk.total });
  return complete;
}

/**
 * A walk is complete when nothing changed during it and every case that the server counts was
 * seen. A server that never stands still would never let a long walk end: there it is enough that
 * every change was read as well and that the count is right.
 */
function isComplete(
  walk: Walk,
  walks: number,
  found: { changedMeanwhile: number; allChangesRead: boolean; seen: number },
): boolean {
  if (walk.shrank || found.seen < walk.total) return false;
  if (found.changedMeanwhile === 0) return true;
  const mayCount = walks >= strictWalks || walk.nextPage - 1 > strictPages;
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

/** Finer than milliseconds where both are written in the same form. */
function isLater(a: string, b: string): boolean {
  const difference = timeOf(a) - timeOf(b);
  return difference === 0 ? a > b : difference > 0;
}
