import type { DeskError, DeskProblem } from '#shared/desk/contract/errors.ts';
import { type FaultLog, logFault, toDeskError } from '#main/log/faults.ts';
import type { DeskEvent } from '#shared/desk/contract/events.ts';
import type { DocumentRule } from '#shared/desk/setup/storage.ts';
import type { DocumentScope, SyncResult, SyncStatus } from '#shared/desk/delivery/sync.ts';
import { type Clock, isDayOver } from '#shared/lib/clock.ts';
import type { Random } from '#shared/lib/random.ts';
import type { BlobStore } from '../blobs/file-blob-store.ts';
import type { Cache } from '../cache/open-cache.ts';
import type { Priority } from '../../partner/pacing/pacing.ts';
import type { PartnerClient } from '../../partner/partner-client.ts';
import { isCorruption } from '../database/sqlite.ts';
import type { Work } from '../work/open-work.ts';
import { Delivery, type DeliveryResult } from './delivery.ts';
import { failureKind } from './failures.ts';
import { fetchDocuments, fetchListsFirst, nothingFetched } from './fetch-documents.ts';
import type { FetchContext, Fetched } from './fetch-documents.ts';
import { SickContents } from './sick-contents.ts';
import {
  lastRescanValue,
  lastSyncedValue,
  listProblem,
  pullFindings,
  pullIntoCache,
} from './pull.ts';
import { ReadBack } from './read-back.ts';
import { withoutPastCases } from './past-cases.ts';
import { readCase, readReports } from './read-case.ts';
import { SyncState, UploadProgress } from './sync-state.ts';
import { followRun, readGoing, readLedger, readStatusFacts, syncStatus } from './sync-status.ts';
import type { UnnamedEntry } from '../ledger/ledger.ts';
import { countLedger, ledgerSums } from '#shared/desk/delivery/ledger-counts.ts';

export interface SyncParts {
  readonly client: PartnerClient;
  readonly cache: Cache;
  readonly work: Work;
  /** The contents of the server's documents. */
  readonly cacheFiles: BlobStore;
  /** The contents of attachments. */
  readonly workFiles: BlobStore;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: FaultLog;
  readonly documentRule: () => DocumentRule;
  /** What is to be said of the home with the status. */
  readonly homeNotices?: (() => readonly DeskProblem[]) | undefined;
  readonly emit: (event: DeskEvent) => void;
  readonly onRow: (rowId: number) => void;
  /** Called if a page of a database is damaged, so that the cache should be rebuilt. */
  readonly onDamage: () => void;
}

/** The most cases whose reports are read in one round. */
const followedMax = 20;

/** The time between automatic readings of a list that the partner returns only as a whole. */
const wholeEveryMs = 30 * 60_000;

interface SyncRun {
  readonly documents: DocumentScope;
  /** Whether the round runs without a request of the user. */
  readonly isAutomatic?: boolean;
}

/** All traffic between the laptop and the partner for one workspace. */
export class Sync {
  readonly state: SyncState;
  readonly progress: UploadProgress;
  readonly delivery: Delivery;
  readonly #parts: SyncParts;
  readonly #readBack: ReadBack;
  readonly #sickContents: SickContents;
  readonly #closing = new AbortController();
  readonly #running = new Set<Promise<unknown>>();
  #pulling: Promise<number> | null = null;
  #fetching: { scope: 'due' | 'all'; stop: AbortController; done: Promise<Fetched> } | null = null;
  #round: Promise<unknown> = Promise.resolve();
  /** When a pull last ended. */
  #listReadMs = -Infinity;

  constructor(parts: SyncParts) {
    this.#parts = parts;
    this.state = new SyncState(() => this.#announce());
    this.progress = new UploadProgress(parts.clock, (event) => parts.emit(event));
    const { client, cache, work, workFiles, clock, random, log } = parts;
    this.#sickContents = new SickContents(clock);
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
        rows: work.outbox.rows,
        deliveries: work.outbox.deliveries,
        trace: work.outbox.trace,
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
    return syncStatus(readStatusFacts(this.#statusParts, this.state));
  }

  /** Everything that is unfinished. */
  ledger(): UnnamedEntry[] {
    return readLedger(this.#parts, this.state);
  }

  #openCounts(): Pick<SyncResult, 'waiting' | 'attention'> {
    const { waiting, attention } = ledgerSums(countLedger(this.ledger()));
    return { waiting, attention };
  }

  /** Whether the list was read completely at least once. */
  get hasRead(): boolean {
    return this.#parts.cache.values.get(lastSyncedValue) !== null;
  }

  get #statusParts() {
    return { ...this.#parts, progress: this.progress };
  }

  /** Sends the status to the windows, once for each change. */
  #announce(): void {
    const parts = this.#statusParts;
    const going = readGoing(parts);
    followRun(parts, going);
    const status = syncStatus(readStatusFacts(parts, this.state, going));
    parts.emit({ type: 'sync.changed', status });
  }

  /**
   * Runs one whole round: pull, deliver, documents. Rounds run one after the other. The next round
   * need not wait for the documents of the one before, which can take minutes.
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
        const { client, cache } = this.#parts;
        // Without a schedule (the command line) this reading is always due; see `Schedule`.
        if (!this.state.isScheduled)
          await this.rescanIfDue().catch(this.#logFault('read everything again'));
        const fetched = documents === 'none' ? nothingFetched : await this.fetch(documents);
        // If only the list cannot be read, this is a finding. If nothing succeeded, it is the
        // failure of the round.
        if (pullProblem && delivered === 0) throw pullProblem;
        return {
          pulled,
          delivered,
          incomplete: pullProblem?.problem ?? listProblem(pullFindings(cache)) ?? fetched.problem,
          ...this.#openCounts(),
          documents: fetched.documents,
          requests: client.counters.requests - before.requests,
          throttled: client.counters.throttled - before.throttled,
          fault: fault?.problem ?? null,
        };
      }),
    );
  }

  /** Pulls and delivers. If the list could not be read, the delivery still runs. */
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
    work.outbox.deliveries.forgetDelays();
    const { delivered, fault, stoppedBy } = await this.delivery.deliver();
    if (stoppedBy === null) await this.#followReports();
    // A later request that succeeded does not make the list readable.
    if (pullProblem && stoppedBy === null) {
      const isReached = this.state.network === 'online';
      this.state.failed(pullProblem.problem, !isReached);
    }
    return { pulled, delivered, fault: fault ?? stoppedBy, pullProblem, before };
  }

  /**
   * Whether to read the list. A partner that ignores the filter by change returns the whole list
   * each time.
   */
  #isListDue(): boolean {
    const { cache, clock } = this.#parts;
    // Without a request, the end of a network failure would never be noticed.
    if (!pullFindings(cache).ignoresSince || this.state.network === 'offline') return true;
    const sinceMs = clock.now() - this.#listReadMs;
    return sinceMs < 0 || sinceMs >= wholeEveryMs;
  }

  /**
   * Updates the cache. If a pull is already running, every caller gets its result. If the list is
   * incomplete although nothing failed, `listProblem` has the reason.
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
      if (incomplete === null) cache.values.set(lastSyncedValue, clock.now());
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

  /** Reads one case (X2). */
  async readCase(caseId: string, priority: Priority): Promise<void> {
    await readCase({ ...this.#parts, signal: this.signal }, caseId, priority);
    if (priority === 'person') this.delivery.deliverDue();
  }

  /** Reads the reports of one case (X10). */
  async readReports(caseId: string, priority: Priority): Promise<void> {
    await readReports({ ...this.#parts, signal: this.signal }, caseId, priority);
  }

  /**
   * Downloads documents. A wider scope replaces a narrower one that is running; otherwise every
   * caller waits for the end of the running fetch.
   */
  async fetch(scope: 'due' | 'all'): Promise<Fetched> {
    const current = this.#fetching;
    const isIncluded = current?.scope === scope || current?.scope === 'all';
    if (current && isIncluded && !current.stop.signal.aborted) return await current.done;
    current?.stop.abort();
    const stop = new AbortController();
    const done = this.#fetchUntil(stop.signal, scope);
    const fetching = { scope, stop, done };
    this.#fetching = fetching;
    try {
      return await done;
    } finally {
      if (this.#fetching === fetching) {
        this.#fetching = null;
        this.state.showFetch(null);
      }
    }
  }

  /** A fetch that is stopped is no failure for any of those that wait for it. */
  async #fetchUntil(stop: AbortSignal, scope: 'due' | 'all'): Promise<Fetched> {
    const signal = AbortSignal.any([stop, this.signal]);
    try {
      const fetchAll = () => fetchDocuments(this.fetchContext(signal), scope);
      return await this.#track(this.state.during('fetching', fetchAll));
    } catch (error) {
      if (stop.aborted && !this.signal.aborted) return nothingFetched;
      this.noteFailure(error);
      throw error;
    }
  }

  /** Starts a new pull, because a running one may already have read the page in question. */
  async pullAnew(everything = false): Promise<number> {
    // The caller of that pull receives its failure.
    await this.#pulling?.catch(() => undefined);
    return await this.pull(everything);
  }

  /**
   * Fetches all documents of these cases for the user who waits for them. A fetch in the background
   * is stopped.
   * @throws {DeskError} if nothing more can be reached
   */
  async fetchCases(
    caseIds: readonly string[],
    report: Required<Pick<FetchContext, 'onProgress' | 'onSkip'>>,
  ): Promise<void> {
    const current = this.#fetching;
    current?.stop.abort();
    // The fetch was stopped here, and its own caller receives any other failure.
    await current?.done.catch(() => undefined);
    const context: FetchContext = {
      ...this.fetchContext(),
      onSkip: report.onSkip,
      // The status bar shows the same progress even if the fetch in the background continues.
      onProgress: (progress) => {
        this.state.showFetch(progress, true);
        report.onProgress(progress);
      },
    };
    const fetchAll = async () => {
      const cases = this.#parts.cache.documents.staleOf(caseIds);
      await fetchListsFirst(context, cases, 'person');
    };
    try {
      await this.#track(this.state.whileAsked(fetchAll));
    } catch (error) {
      this.noteFailure(error);
      throw error;
    }
  }

  /** Fetches the documents that are stored offline automatically. */
  async fetchOffline(): Promise<void> {
    const { keep } = this.#parts.documentRule();
    if (keep !== 'none') await this.fetch(keep);
  }

  /** Reads the reports that are with the insurer, until they are approved or returned. */
  async #followReports(): Promise<void> {
    await this.#readBack.readReports(this.#parts.cache.reports.casesToFollow(followedMax));
  }

  /**
   * Reads the whole list again once a day, to find cases that paging by number or a wrong
   * LastChangedAt may have missed. The very first pull counts as such a reading.
   */
  async rescanIfDue(): Promise<void> {
    const { cache, clock } = this.#parts;
    const lastMs = cache.values.get(lastRescanValue);
    if (lastMs !== null && !isDayOver(lastMs, clock.now())) return;
    if (lastMs !== null) await this.pullAnew(true);
    cache.values.set(lastRescanValue, clock.now());
  }

  fetchContext(signal: AbortSignal = this.signal): FetchContext {
    const { client, cache, cacheFiles, clock, log, documentRule, emit } = this.#parts;
    return {
      client,
      cache,
      files: cacheFiles,
      sick: this.#sickContents,
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

  /** Stores why something could not be fetched, for the status. */
  noteFailure(error: unknown): void {
    if (this.signal.aborted) return;
    this.#noticeDamage(error);
    const problem = toDeskError(error, 'sync', this.#parts.log);
    const kind = failureKind(problem);
    const isOffline = kind === 'host' || kind === 'line';
    if (isOffline) this.state.offlineSince ??= new Date(this.#parts.clock.now()).toISOString();
    this.state.failed(problem.problem, isOffline);
  }

  /**
   * Stores a failure in the same way, but only if it concerns the network or the partner and not
   * one case.
   */
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

  /** Stops all running work and waits for its end. */
  async close(): Promise<void> {
    this.#closing.abort(new Error('the workspace is closing'));
    while (this.#running.size > 0) await Promise.all(this.#running);
  }
}
