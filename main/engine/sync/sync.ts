import type { DeskError } from '#shared/desk/errors.ts';
import { type FaultLog, logFault, toDeskError } from '#main/log/faults.ts';
import type { DeskEvent } from '#shared/desk/events.ts';
import type { DocumentRule } from '#shared/desk/storage.ts';
import type { DocumentScope, SyncResult, SyncStatus } from '#shared/desk/sync.ts';
import { type Clock, isDayOver } from '#shared/lib/clock.ts';
import type { Random } from '#shared/lib/random.ts';
import type { BlobStore } from '../blobs/file-blob-store.ts';
import type { Cache } from '../cache/open-cache.ts';
import type { Priority } from '../../partner/pacing.ts';
import type { PartnerClient } from '../../partner/partner-client.ts';
import { isCorruption } from '../database/sqlite.ts';
import type { Work } from '../work/open-work.ts';
import { Delivery, type DeliveryResult } from './delivery.ts';
import { failureKind } from './failures.ts';
import { fetchCases, fetchDocuments, fetchLists, nothingFetched } from './fetch-documents.ts';
import type { FetchContext, Fetched } from './fetch-documents.ts';
import { listProblem, pullFindings, pullIntoCache } from './pull.ts';
import { ReadBack } from './read-back.ts';
import { withoutPastCases } from './retention.ts';
import { readCase, readReports } from './read-case.ts';
import { SyncState, syncStatus, UploadProgress } from './sync-state.ts';

export interface SyncParts {
  readonly client: PartnerClient;
  readonly cache: Cache;
  readonly work: Work;
  /** Contents of the server's documents. */
  readonly cacheFiles: BlobStore;
  /** Contents of attachments. */
  readonly workFiles: BlobStore;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: FaultLog;
  readonly documentRule: () => DocumentRule;
  readonly emit: (event: DeskEvent) => void;
  readonly onRow: (rowId: number) => void;
  /** A page of a database turned out damaged: the cache should be rebuilt. */
  readonly onDamage: () => void;
}

/** Cases whose reports are asked after in one round. */
const followedMax = 20;

/** Between automatic readings of a list that the partner gives only as a whole. */
const wholeEveryMs = 30 * 60_000;

interface SyncRun {
  readonly documents: DocumentScope;
  /** Nobody asked for it. */
  readonly isAutomatic?: boolean;
}

/** All traffic between the laptop and the partner for one workspace. */
export class Sync {
  readonly state: SyncState;
  readonly progress: UploadProgress;
  readonly delivery: Delivery;
  readonly #parts: SyncParts;
  readonly #readBack: ReadBack;
  readonly #closing = new AbortController();
  readonly #running = new Set<Promise<unknown>>();
  #pulling: Promise<number> | null = null;
  #fetching: { scope: 'due' | 'all'; stop: AbortController; done: Promise<Fetched> } | null = null;
  #round: Promise<unknown> = Promise.resolve();
  /** When a pull last ended. */
  #listReadMs = -Infinity;

  constructor(parts: SyncParts) {
    this.#parts = parts;
    this.state = new SyncState(() => parts.emit({ type: 'sync.changed', status: this.status() }));
    this.progress = new UploadProgress(parts.clock, (event) => parts.emit(event));
    const { client, cache, work, workFiles, clock, random, log } = parts;
    this.#readBack = new ReadBack({
      ...parts,
      signal: this.signal,
      pull: () => this.pull(),
      readCase: (caseId) => this.readCase(caseId, 'background'),
      readReports: (caseId) => this.readReports(caseId, 'background'),
      onFailure: (error) => this.noteFailure(error),
    });
    this.delivery = new Delivery({
      context: {
        client,
        cases: cache.cases,
        outbox: work.outbox,
        drafts: work.drafts,
        files: workFiles,
        clock,
        random,
        log,
        signal: this.signal,
        onRow: (rowId) => {
          this.progress.forgetRow(rowId);
          parts.onRow(rowId);
          this.state.changed();
        },
        onProgress: (step, sentBytes, totalBytes) =>
          this.progress.sent(step, sentBytes, totalBytes),
      },
      state: this.state,
      afterRuns: (result) => this.#afterDelivery(result),
      track: (task) => this.#track(task),
    });
  }

  get signal(): AbortSignal {
    return this.#closing.signal;
  }

  status(): SyncStatus {
    return syncStatus({ ...this.#parts, progress: this.progress }, this.state);
  }

  /**
   * One whole round: pull, deliver, documents. Rounds run one after the other, but the user need
   * not wait for the documents of one round, which can take minutes, to begin the next.
   * @throws {DeskError} if nothing could be reached, or the list could not be read
   */
  run({ documents, isAutomatic = false }: SyncRun): Promise<SyncResult> {
    const exchange = this.#round.then(() => this.#exchange(isAutomatic));
    this.#round = exchange.then(
      () => undefined,
      () => undefined,
    );
    return this.#track(
      exchange.then(async ({ pulled, delivered, fault, pullProblem, before }) => {
        const { client, cache, work } = this.#parts;
        // Without a schedule (the command line) it is due like everything else; see `Schedule`.
        if (!this.state.isScheduled)
          await this.rescanIfDue().catch(this.#logFault('read everything again'));
        const fetched = documents === 'none' ? nothingFetched : await this.fetch(documents);
        // A list that alone cannot be read is a finding; if nothing got through it is the failure.
        if (pullProblem && delivered === 0) throw pullProblem;
        return {
          pulled,
          delivered,
          incomplete: pullProblem?.problem ?? listProblem(cache) ?? fetched.problem,
          ...work.outbox.counts(),
          documents: fetched.documents,
          requests: client.counters.requests - before.requests,
          throttled: client.counters.throttled - before.throttled,
          fault: fault?.problem ?? null,
        };
      }),
    );
  }

  /** Pulls and delivers; a list that could not be read does not block the delivery. */
  async #exchange(isAutomatic: boolean) {
    const { client, work } = this.#parts;
    const before = { ...client.counters };
    let pullProblem: DeskError | null = null;
    let pulled = 0;
    try {
      if (!isAutomatic || this.#isListDue()) pulled = await this.pullAnew();
    } catch (error) {
      if (this.signal.aborted) throw error;
      pullProblem = toDeskError(error, 'pull', this.#parts.log);
    }
    work.outbox.forgetDelays();
    const { delivered, fault, stoppedBy } = await this.delivery.deliver();
    if (stoppedBy === null) await this.#followReports();
    // What got through since then does not make the list readable.
    if (pullProblem && stoppedBy === null) {
      const isReached = this.state.network === 'online';
      this.state.failed(pullProblem.problem, !isReached);
    }
    return { pulled, delivered, fault, pullProblem, before };
  }

  /** A partner that ignores the filter by change gives the whole list each time. */
  #isListDue(): boolean {
    const { cache, clock } = this.#parts;
    // Without a request an interrupted network would never be found to be back.
    if (!pullFindings(cache).ignoresSince || this.state.network === 'offline') return true;
    const sinceMs = clock.now() - this.#listReadMs;
    return sinceMs < 0 || sinceMs >= wholeEveryMs;
  }

  /**
   * Brings the cache up to date; every caller while it runs gets the same answer. What could not be
   * read although nothing failed is in `listProblem`.
   */
  pull(everything = false): Promise<number> {
    this.#pulling ??= this.#track(
      this.state.during('pulling', () => this.#pullOnce(everything)),
    ).finally(() => (this.#pulling = null));
    return this.#pulling;
  }

  async #pullOnce(everything: boolean): Promise<number> {
    const { client, cache, work, clock, emit } = this.#parts;
    this.state.pulled = 0;
    this.state.pullTotal = null;
    try {
      const { pulled, incomplete } = await pullIntoCache({
        client,
        cache,
        clock,
        overlays: work.overlays,
        retained: (items) => withoutPastCases(this.#parts, items),
        signal: this.signal,
        onPage: ({ changed, ...page }) => {
          this.state.pulled = page.pulled;
          this.state.pullTotal = page.total;
          this.state.reached();
          if (changed.length > 0) emit({ type: 'cases.changed', caseIds: [...changed] });
          this.state.changed();
        },
        everything,
      });
      this.#listReadMs = clock.now();
      if (incomplete === null)
        cache.pullState.setText('last-synced', new Date(clock.now()).toISOString());
      this.state.reached();
      return pulled;
    } catch (error) {
      this.noteFailure(error);
      throw error;
    }
  }

  async #afterDelivery({ delivered, touchedCases, stoppedBy }: DeliveryResult): Promise<number> {
    if (stoppedBy) {
      this.noteFailure(stoppedBy);
      return 0;
    }
    if (delivered > 0) this.state.reached();
    return await this.#readBack.run(touchedCases);
  }

  /** X2, for one case. */
  async readCase(caseId: string, priority: Priority): Promise<void> {
    await readCase({ ...this.#parts, signal: this.signal }, caseId, priority);
  }

  /** X10, for one case. */
  async readReports(caseId: string, priority: Priority): Promise<void> {
    await readReports({ ...this.#parts, signal: this.signal }, caseId, priority);
  }

  /**
   * Brings documents onto the laptop. A wider scope replaces a narrower one that is under way;
   * otherwise every caller while it runs waits for the same end.
   */
  async fetch(scope: 'due' | 'all'): Promise<Fetched> {
    const current = this.#fetching;
    if (current && (current.scope === scope || current.scope === 'all')) return current.done;
    current?.stop.abort();
    const stop = new AbortController();
    const signal = AbortSignal.any([stop.signal, this.signal]);
    const done = this.#track(
      this.state.during('fetching', () => fetchDocuments(this.fetchContext(signal), scope)),
    );
    const fetching = { scope, stop, done };
    this.#fetching = fetching;
    try {
      return await done;
    } catch (error) {
      if (stop.signal.aborted && !this.signal.aborted) return nothingFetched;
      this.noteFailure(error);
      throw error;
    } finally {
      if (this.#fetching === fetching) {
        this.#fetching = null;
        this.state.showFetch(null);
      }
    }
  }

  /** Pulls what is there now, not what a pull under way has read already. */
  async pullAnew(everything = false): Promise<number> {
    // Its own caller hears of its failure.
    await this.#pulling?.catch(() => undefined);
    return await this.pull(everything);
  }

  /**
   * Fetches everything of these cases for the user who waits for it; background fetching yields.
   * @throws {DeskError} if nothing more can be reached
   */
  async fetchCases(
    caseIds: readonly string[],
    report: Required<Pick<FetchContext, 'onProgress' | 'onSkip'>>,
  ): Promise<void> {
    const current = this.#fetching;
    current?.stop.abort();
    // It was stopped, and its own caller hears of any other failure.
    await current?.done.catch(() => undefined);
    const context: FetchContext = {
      ...this.fetchContext(),
      onSkip: report.onSkip,
      // The status bar shows the same, also if fetching in the background goes on next to it.
      onProgress: (progress) => {
        this.state.showFetch(progress, true);
        report.onProgress(progress);
      },
    };
    const fetchAll = async () => {
      const stale = this.#parts.cache.documents.staleOf(caseIds);
      const cases = await fetchLists(context, stale, 'person');
      if (cases) await fetchCases(context, cases, 'person');
    };
    try {
      await this.#track(this.state.whileAsked(fetchAll));
    } catch (error) {
      this.noteFailure(error);
      throw error;
    }
  }

  /** Fetches what is stored offline without a request of the user. */
  async fetchOffline(): Promise<void> {
    const { keep } = this.#parts.documentRule();
    if (keep !== 'none') await this.fetch(keep);
  }

  /** Reads reports that are with the insurer, until they are approved or returned. */
  async #followReports(): Promise<void> {
    await this.#readBack.each(this.#parts.cache.reports.casesToFollow(followedMax), (caseId) =>
      this.readReports(caseId, 'background'),
    );
  }

  /**
   * Reads the whole list again once a day, to catch what paging by number or a server's careless
   * LastChangedAt may have missed. The first pull of all counts as such a reading.
   */
  async rescanIfDue(): Promise<void> {
    const { cache, clock } = this.#parts;
    const last = Date.parse(cache.pullState.text('last-full-rescan') ?? '');
    if (!Number.isNaN(last) && !isDayOver(last, clock.now())) return;
    if (!Number.isNaN(last)) await this.pullAnew(true);
    cache.pullState.setText('last-full-rescan', new Date(clock.now()).toISOString());
  }

  fetchContext(signal: AbortSignal = this.signal): FetchContext {
    const { client, cache, cacheFiles, clock, log, documentRule, emit } = this.#parts;
    return {
      client,
      cache,
      files: cacheFiles,
      clock,
      documentRule,
      log,
      signal,
      mayBegin: this.state.unlessPausedMeanwhile(),
      onDocuments: (caseId) => {
        this.state.reached();
        emit({ type: 'documents.changed', caseId });
      },
      onCases: (caseIds) => emit({ type: 'cases.changed', caseIds }),
      onProgress: (progress) => this.state.showFetch(progress),
    };
  }

  /** The status shows why something could not be fetched. */
  noteFailure(error: unknown): void {
    if (this.signal.aborted) return;
    this.#noticeDamage(error);
    const problem = toDeskError(error, 'sync', this.#parts.log);
    const kind = failureKind(problem);
    const isOffline = kind === 'host' || kind === 'line';
    if (isOffline) this.state.offlineSince ??= new Date(this.#parts.clock.now()).toISOString();
    this.state.failed(problem.problem, isOffline);
  }

  /** As above, for a failure of the network or the partner, not of one case. */
  noteUnreached(error: unknown): void {
    const kind = failureKind(error);
    if (kind === 'host' || kind === 'line') this.noteFailure(error);
  }

  #logFault(where: string): (error: unknown) => void {
    return logFault(where, this.#parts.log, this.signal);
  }

  #noticeDamage(error: unknown): void {
    if (isCorruption(error)) this.#parts.onDamage();
  }

  #track<Result>(task: Promise<Result>): Promise<Result> {
    const ended = task
      .catch((error: unknown) => this.#noticeDamage(error))
      .finally(() => this.#running.delete(ended));
    this.#running.add(ended);
    return task;
  }

  /** Breaks off what runs and waits until it has. */
  async close(): Promise<void> {
    this.#closing.abort(new Error('the workspace is closing'));
    while (this.#running.size > 0) await Promise.all(this.#running);
  }
}
