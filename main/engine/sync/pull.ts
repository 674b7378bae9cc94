import { setImmediate } from 'node:timers/promises';
import { comparedId } from '#shared/api/conventions.ts';
import type { DeskProblem } from '#shared/desk/contract/errors.ts';
import type { Clock } from '#shared/lib/clock.ts';
import { timeOf } from '#shared/lib/timestamps.ts';
import type { ClientCase, TolerantPage } from '../../partner/answers/answers.ts';
import type { PartnerClient } from '../../partner/partner-client.ts';
import { pull, type PullResult } from '../../partner/pull/pull.ts';
import {
  findingsSchema,
  noFindings,
  type PullEnd,
  type PullFindings,
  type PullStore,
  type Reading,
  readingSchema,
  type ReceivedPage,
} from '../../partner/pull/pull-store.ts';
import type { Cache } from '../cache/open-cache.ts';
import { jsonValue, textValue, timeValue } from '../database/stored-values.ts';
import type { Overlays } from '../work/overlay.ts';

/**
 * The LastChangedAt from which the next pull starts, as the server wrote it. If it is absent, the
 * pull reads everything.
 */
export const cursorValue = textValue('cursor');
const readingValue = jsonValue('pull-reading', readingSchema);
const findingsValue = jsonValue('pull-findings', findingsSchema);
/**
 * The latest LastChangedAt of a partner that was restored from a backup. It is stored until the
 * later deliveries are compared.
 */
export const restoredToValue = textValue('pull-restored');
/**
 * The latest LastChangedAt of a case that was read alone after a delivery, until a list was read. The
 * list has to have it too.
 */
const seenAloneValue = textValue('seen-alone');

/** Notes the LastChangedAt of a case that was read alone. */
export function noteSeenAlone({ values }: Pick<Cache, 'values'>, lastChangedAt: string): void {
  const known = values.get(seenAloneValue);
  if (lastChangedAt === '' || (known !== null && timeOf(known) >= timeOf(lastChangedAt))) return;
  values.set(seenAloneValue, lastChangedAt);
}

/** When the list was last read completely, and when the whole list was last read again. */
export const lastSyncedValue = timeValue('last-synced');
export const lastRescanValue = timeValue('last-full-rescan');

export interface PullContext {
  readonly client: PartnerClient;
  readonly cache: Cache;
  readonly overlays: Overlays;
  readonly clock: Clock;
  /** Leaves out cases that are not to be stored here. They still count as read. */
  readonly retained: (items: readonly ClientCase[]) => readonly ClientCase[];
  readonly signal: AbortSignal;
  /**
   * Called after every stored page with the ids that changed, the number of cases read so far, and
   * the number that the server announced.
   */
  readonly onPage: (page: { changed: readonly string[]; pulled: number; total: number }) => void;
  /** Whether to read the whole list and not only the changes. */
  readonly everything: boolean;
}

/** Updates the cache to the state of the server (specification, "Sync procedure"). */
export function pullIntoCache(context: PullContext): Promise<PullResult> {
  const { client, signal, onPage, everything } = context;
  return pull({
    store: new CachePull(context),
    serverNow: () => client.serverNow(),
    read: (query) => client.listCases(query, { signal }),
    onPage,
    everything,
  });
}

/** The most cases that are stored in one step, and the most characters of their payloads. */
const partMax = { cases: 50, characters: 200_000 };

/** Divides a page into parts that are each stored within a few milliseconds. */
function partsOf(items: readonly ClientCase[]): (readonly ClientCase[])[] {
  const parts: ClientCase[][] = [];
  let characters = 0;
  for (const item of items) {
    const part = parts.at(-1);
    const isFull =
      !part ||
      part.length >= partMax.cases ||
      characters + item.payloadJson.length > partMax.characters;
    if (isFull) parts.push([item]);
    else part.push(item);
    characters = (isFull ? 0 : characters) + item.payloadJson.length;
  }
  return parts;
}

/**
 * The cache as the store of a pull. Each page and the progress of the reading are stored in one
 * transaction.
 */
export class CachePull implements PullStore<ClientCase> {
  readonly #context: Pick<PullContext, 'cache' | 'overlays' | 'clock' | 'retained'>;
  #askedMs = 0;
  #delivered: readonly { id: number; caseId: string }[] = [];
  #seenAlone: string | null = null;

  constructor(context: Pick<PullContext, 'cache' | 'overlays' | 'clock' | 'retained'>) {
    this.#context = context;
  }

  asked(): void {
    this.#askedMs = this.#context.clock.now();
    this.#delivered = this.#context.overlays.delivered();
  }

  begin() {
    const { values } = this.#context.cache;
    this.#seenAlone = values.get(seenAloneValue);
    return {
      cursor: values.get(cursorValue),
      seenAlone: this.#seenAlone,
      reading: values.get(readingValue),
      ...pullFindings(this.#context.cache),
    };
  }

  /**
   * The window's calls are answered between the parts of a page. If the process ends within a page,
   * the page is read again.
   */
  async savePage({ page, serverMs, isFirst }: ReceivedPage<ClientCase>, reading: Reading) {
    const { cache, clock, retained } = this.#context;
    const times = { askedMs: this.#askedMs, nowMs: clock.now() };
    const parts = partsOf(retained(page.items));
    const last = parts.pop() ?? [];
    const before: string[] = [];
    for (const part of parts) {
      await setImmediate();
      before.push(...cache.cases.upsert(part, serverMs, times));
    }
    if (parts.length > 0) await setImmediate();
    const changed = cache.together(() => {
      const ids = [...before, ...cache.cases.upsert(last, serverMs, times)];
      cache.unreadable.saveCases(page.unreadable, new Date(serverMs).toISOString());
      if (isFirst) cache.pullSeen.clear();
      cache.pullSeen.add([...page.items, ...page.unreadable].map(({ id }) => comparedId(id)));
      cache.values.set(readingValue, reading);
      return ids;
    });
    this.#liftSeen(page);
    return { changed, older: cache.cases.older.countOf(page.items.map(({ id }) => id)) };
  }

  seen(): number {
    return this.#context.cache.pullSeen.count();
  }

  end({ cursor, wholeSinceMs, restoredTo, ...findings }: PullEnd): void {
    const { cache } = this.#context;
    cache.together(() => {
      const { values } = cache;
      if (cursor === null) values.remove(cursorValue);
      else values.set(cursorValue, cursor);
      values.set(findingsValue, findings);
      if (restoredTo !== null) values.set(restoredToValue, restoredTo);
      values.remove(readingValue);
      // What was read alone during the pull waits for the next one.
      const isSeen = findings.incomplete === null && values.get(seenAloneValue) === this.#seenAlone;
      if (isSeen) values.remove(seenAloneValue);
      cache.pullSeen.clear();
      if (wholeSinceMs !== null) cache.unreadable.forgetCases(new Date(wholeSinceMs).toISOString());
    });
  }

  /**
   * Work that was delivered before the page was requested is contained in the page, so the overlay
   * is removed.
   */
  #liftSeen({ items }: TolerantPage<ClientCase>): void {
    if (this.#delivered.length === 0) return;
    const seen = new Set(items.map(({ id }) => comparedId(id)));
    const lifted = this.#delivered.filter(({ caseId }) => seen.has(comparedId(caseId)));
    this.#context.overlays.lift(lifted.map(({ id }) => id));
  }
}

/** The findings of the last pull about the partner's list. */
export function pullFindings({ values }: Pick<Cache, 'values'>): PullFindings {
  return values.get(findingsValue) ?? noFindings;
}

/** The problem if cases of the list were read but could not be stored; null if there are none. */
export function unreadableProblem(
  records: readonly { id: string; place: string }[],
): Extract<DeskProblem, { code: 'records_unreadable' }> | null {
  const [first] = records;
  if (!first) return null;
  const id = records
    .slice(0, namedMax)
    .map((record) => record.id)
    .join(', ');
  return { code: 'records_unreadable', params: { count: records.length, id, place: first.place } };
}

/** The most unreadable records that are named. */
const namedMax = 5;

/** The reason why the last pull could not read the whole list; null if it could. */
export function listProblem({ incomplete }: PullFindings): DeskProblem | null {
  return incomplete && { code: 'list_incomplete', params: { ...incomplete } };
}
