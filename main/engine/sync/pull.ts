import type { DeskProblem } from '#shared/desk/errors.ts';
import type { Clock } from '#shared/lib/clock.ts';
import type { ClientCase, TolerantPage } from '../../partner/answers.ts';
import type { PartnerClient } from '../../partner/partner-client.ts';
import { pull, type PullResult } from '../../partner/pull.ts';
import {
  findingsSchema,
  noFindings,
  type PullEnd,
  type PullFindings,
  type PullStore,
  type Reading,
  readingSchema,
  type ReceivedPage,
} from '../../partner/pull-store.ts';
import type { Cache } from '../cache/open-cache.ts';
import type { Overlays } from '../work/overlay.ts';

export interface PullContext {
  readonly client: PartnerClient;
  readonly cache: Cache;
  readonly overlays: Overlays;
  readonly clock: Clock;
  /** Leaves out what is not to be stored here; it still counts as read. */
  readonly retained: (items: readonly ClientCase[]) => readonly ClientCase[];
  readonly signal: AbortSignal;
  /** After every stored page: ids that changed, cases read so far, what the server announced. */
  readonly onPage: (page: { changed: readonly string[]; pulled: number; total: number }) => void;
  /** Read the whole list, not only what changed. */
  readonly everything: boolean;
}

/** Brings the cache up to what the server has (specification, "Sync procedure"). */
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

/** The cache as the pull's store. Each page and the place of the reading are one transaction. */
export class CachePull implements PullStore<ClientCase> {
  readonly #context: Pick<PullContext, 'cache' | 'overlays' | 'clock' | 'retained'>;
  #askedMs = 0;
  #delivered: readonly { id: number; caseId: string }[] = [];

  constructor(context: Pick<PullContext, 'cache' | 'overlays' | 'clock' | 'retained'>) {
    this.#context = context;
  }

  asked(): void {
    this.#askedMs = this.#context.clock.now();
    this.#delivered = this.#context.overlays.delivered();
  }

  begin() {
    const { pullState } = this.#context.cache;
    const reading = pullState.text('pull-reading');
    return {
      cursor: pullState.text('cursor'),
      reading: reading === null ? null : readingSchema.parse(JSON.parse(reading)),
      ...pullFindings(this.#context.cache),
    };
  }

  savePage({ page, serverMs, isFirst }: ReceivedPage<ClientCase>, reading: Reading) {
    const { cache, clock, retained } = this.#context;
    const times = { askedMs: this.#askedMs, nowMs: clock.now() };
    const changed = cache.together(() => {
      const ids = cache.cases.upsert(retained(page.items), serverMs, times);
      cache.unreadable.saveCases(page.unreadable, new Date(serverMs).toISOString());
      if (isFirst) cache.pullState.forgetSeen();
      cache.pullState.markSeen([...page.items, ...page.unreadable].map(({ id }) => id));
      cache.pullState.setText('pull-reading', JSON.stringify(reading));
      return ids;
    });
    this.#liftSeen(page);
    return { changed, older: cache.cases.older.countOf(page.items.map(({ id }) => id)) };
  }

  seen(): number {
    return this.#context.cache.pullState.seenCount();
  }

  end({ cursor, wholeSinceMs, restoredTo, ...findings }: PullEnd): void {
    const { cache } = this.#context;
    cache.together(() => {
      const { pullState } = cache;
      if (cursor === null) pullState.removeText('cursor');
      else pullState.setText('cursor', cursor);
      pullState.setText('pull-findings', JSON.stringify(findings));
      // Until what was delivered since is compared.
      if (restoredTo !== null) pullState.setText('pull-restored', restoredTo);
      pullState.removeText('pull-reading');
      pullState.forgetSeen();
      if (wholeSinceMs !== null) cache.unreadable.forgetCases(new Date(wholeSinceMs).toISOString());
    });
  }

  /** What was delivered before the page was asked for is in it, and need not lie over it. */
  #liftSeen({ items }: TolerantPage<ClientCase>): void {
    if (this.#delivered.length === 0) return;
    const seen = new Set(items.map(({ id }) => id));
    const lifted = this.#delivered.filter(({ caseId }) => seen.has(caseId));
    this.#context.overlays.lift(lifted.map(({ id }) => id));
  }
}

/** What the last pull found out about the partner's list. */
export function pullFindings({ pullState }: Pick<Cache, 'pullState'>): PullFindings {
  const text = pullState.text('pull-findings');
  return text === null ? noFindings : findingsSchema.parse(JSON.parse(text));
}

/** What of the list of cases is not here although it was read; null if nothing. */
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

/** At most this number of unreadable records is named. */
const namedMax = 5;

/** Why the last pull could not read the whole list; null if it could. */
export function listProblem(cache: Pick<Cache, 'pullState'>): DeskProblem | null {
  const { incomplete } = pullFindings(cache);
  return incomplete && { code: 'list_incomplete', params: { ...incomplete } };
}
