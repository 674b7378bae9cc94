import type { Clock } from '#shared/lib/clock.ts';
import type { CaseToFetch } from '../cache/document-store.ts';
import type { PartnerClient } from '../../partner/partner-client.ts';
import type { Cache } from '../cache/open-cache.ts';
import { type FetchPlan, fetchPlan, type ListedDocuments } from './fetch-plan.ts';

/**
 * The progress of a fetch. It is counted in cases, whose number is known before their lists are.
 */
export interface FetchProgress {
  readonly done: number;
  readonly total: number;
  /** The lists that are read before the first document; null after the last one. */
  readonly lists: { readonly done: number; readonly total: number } | null;
  /** The number of requests that have ended. */
  readonly sent: number;
  /** What is still to be done; null if nobody knows. */
  readonly plan: FetchPlan | null;
}

/** Requests of one kind and the time that they took. */
interface Pace {
  requests: number;
  ms: number;
}

const averageMs = ({ requests, ms }: Pace) => (requests === 0 ? null : ms / requests);

/** Counts what a fetch has done, and reports it after each step with what is still to be done. */
export class FetchTracker {
  readonly #cache: Cache;
  readonly #client: Pick<PartnerClient, 'slotInMs'>;
  readonly #clock: Clock;
  readonly #onProgress: (progress: FetchProgress) => void;
  readonly #total: number;
  /** The number of lists if all are read before the first document; otherwise 0. */
  readonly #listsFirst: number;
  readonly #neverRead: Set<string>;
  readonly #known: ListedDocuments;
  readonly #pace: Record<'list' | 'content', Pace> = {
    list: { requests: 0, ms: 0 },
    content: { requests: 0, ms: 0 },
  };
  #done = 0;
  #unread: number;
  #contents: number;
  #sample = { lists: 0, documents: 0 };

  constructor(
    context: {
      readonly cache: Cache;
      readonly client: Pick<PartnerClient, 'slotInMs'>;
      readonly clock: Clock;
      readonly onProgress?: (progress: FetchProgress) => void;
    },
    cases: readonly CaseToFetch[],
    readsListsFirst = false,
  ) {
    const { documents } = context.cache;
    const stale = cases.filter(({ listIsStale }) => listIsStale).map(({ caseId }) => caseId);
    this.#cache = context.cache;
    this.#client = context.client;
    this.#clock = context.clock;
    this.#onProgress = context.onProgress ?? (() => undefined);
    this.#total = cases.length;
    this.#unread = stale.length;
    this.#listsFirst = readsListsFirst ? stale.length : 0;
    this.#neverRead = documents.neverListed(stale);
    this.#known = documents.countListed();
    this.#contents = documents.countMissing(cases.map(({ caseId }) => caseId));
    this.#report();
  }

  /** Reads the list of a case. It is over even if it could not be read. */
  async list(caseId: string, read: () => Promise<void>): Promise<void> {
    const { documents } = this.#cache;
    const before = documents.countMissing([caseId]);
    try {
      await this.#timed('list', read);
      if (this.#neverRead.has(caseId)) {
        this.#sample.lists += 1;
        this.#sample.documents += documents.countMissing([caseId]);
      }
    } finally {
      this.#contents += documents.countMissing([caseId]) - before;
      this.#unread -= 1;
      this.#neverRead.delete(caseId);
      this.#report();
    }
  }

  /** Downloads a document. It is over even if it could not be downloaded. */
  async content(download: () => Promise<void>): Promise<void> {
    try {
      await this.#timed('content', download);
    } finally {
      this.#contents -= 1;
      this.#report();
    }
  }

  /** A document is not requested now. */
  skipContent(): void {
    this.#contents -= 1;
    this.#report();
  }

  finishCase(): void {
    this.#done += 1;
    this.#report();
  }

  async #timed(kind: 'list' | 'content', task: () => Promise<void>): Promise<void> {
    // The limits are part of the plan themselves.
    const begunAt = this.#clock.monotonic() + this.#client.slotInMs('documents');
    const pace = this.#pace[kind];
    try {
      await task();
    } finally {
      pace.requests += 1;
      pace.ms += Math.max(0, this.#clock.monotonic() - begunAt);
    }
  }

  #report(): void {
    const { list, content } = this.#pace;
    const isReading = this.#unread > 0 && this.#listsFirst > 0;
    this.#onProgress({
      done: this.#done,
      total: this.#total,
      lists: isReading ? { done: this.#listsFirst - this.#unread, total: this.#listsFirst } : null,
      sent: list.requests + content.requests,
      plan: fetchPlan({
        unread: this.#unread,
        neverRead: this.#neverRead.size,
        contents: this.#contents,
        sample: this.#sample,
        known: this.#known,
        listMs: averageMs(list),
        contentMs: averageMs(content),
      }),
    });
  }
}
