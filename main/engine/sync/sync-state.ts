import { z } from 'zod';
import { pageSizeMax } from '#shared/api/limits.ts';
import type { DeskProblem } from '#shared/desk/errors.ts';
import type { DeskEvent } from '#shared/desk/events.ts';
import type { DeliveryFacts, SyncStatus } from '#shared/desk/sync.ts';
import type { Clock } from '#shared/lib/clock.ts';
import { type PacedBucket, rateLimited } from '../../partner/pacing.ts';
import type { PartnerClient } from '../../partner/partner-client.ts';
import type { Cache } from '../cache/open-cache.ts';
import { type DeliveryRun, deliveryFacts, goingOut, requestsOfRows } from './delivery-facts.ts';
import { blockingStatus } from './delivery-context.ts';
import type { FetchProgress } from './fetch-documents.ts';
import { listProblem, pullFindings, unreadableProblem } from './pull.ts';
import type { Work } from '../work/open-work.ts';
import type { OpenRequests, RowProgress } from '../work/outbox-reader.ts';
import type { OutboxStep } from '../work/outbox-records.ts';

type Activity = 'pulling' | 'delivering' | 'fetching';

/** What the sync is doing, as the user sees it. */
export class SyncState {
  readonly #onChange: () => void;
  readonly #active: Record<Activity, number> = { pulling: 0, delivering: 0, fetching: 0 };
  network: SyncStatus['network'] = 'unknown';
  offlineSince: string | null = null;
  problem: DeskProblem | null = null;
  paused = false;
  /** Rounds run automatically. */
  isScheduled = false;
  nextSyncAt: string | null = null;
  pulled = 0;
  pullTotal: number | null = null;
  /** The fetch that is under way; null between. */
  fetching: FetchProgress | null = null;
  #askedFetches = 0;

  constructor(onChange: () => void) {
    this.#onChange = onChange;
  }

  /** Several may run at once; the one that the user most waits for is shown. */
  get phase(): SyncStatus['phase'] {
    if (this.#active.delivering > 0) return 'delivering';
    if (this.#active.pulling > 0) return 'pulling';
    return this.#active.fetching > 0 ? 'fetching' : 'idle';
  }

  async during<Result>(activity: Activity, task: () => Promise<Result>): Promise<Result> {
    this.#active[activity] += 1;
    this.changed();
    try {
      return await task();
    } finally {
      this.#active[activity] -= 1;
      this.changed();
    }
  }

  /** A fetch that the user waits for is shown, and not what is fetched next to it. */
  async whileAsked<Result>(task: () => Promise<Result>): Promise<Result> {
    this.#askedFetches += 1;
    try {
      return await this.during('fetching', task);
    } finally {
      this.#askedFetches -= 1;
      this.showFetch(null);
    }
  }

  showFetch(progress: FetchProgress | null, isAsked = false): void {
    if (this.#askedFetches > 0 && !isAsked) return;
    this.fetching = progress;
    this.changed();
  }

  /** Work that is asked for during a pause is done; work that began before a pause stops at it. */
  unlessPausedMeanwhile(): () => boolean {
    const { paused } = this;
    return () => paused || !this.paused;
  }

  changed(): void {
    this.#onChange();
  }

  reached(): void {
    if (this.network === 'online' && this.problem === null) return;
    this.network = 'online';
    this.offlineSince = null;
    this.problem = null;
    this.changed();
  }

  failed(problem: DeskProblem, isOffline: boolean): void {
    this.network = isOffline ? 'offline' : 'online';
    if (!isOffline) this.offlineSince = null;
    this.problem = problem;
    this.changed();
  }
}

interface StatusParts {
  readonly client: PartnerClient;
  readonly cache: Cache;
  readonly work: Work;
  readonly clock: Clock;
  readonly progress: UploadProgress;
}

export function syncStatus(parts: StatusParts, state: SyncState): SyncStatus {
  const { cache, work } = parts;
  return {
    phase: state.phase,
    network: state.network,
    offlineSince: state.offlineSince,
    problem:
      // First, because what the user did may be lost.
      work.damage ??
      // Rounds wait through it, and the user should know why.
      pauseProblem(parts, state.phase) ??
      // A pause that broke something off is reported above, as long as it lasts.
      (state.problem?.code === 'rate_limited' ? null : state.problem) ??
      listProblem(cache) ??
      work.backupProblem,
    notices: notices(parts),
    paused: state.paused,
    lastSyncedAt: cache.pullState.text('last-synced'),
    nextSyncAt: state.nextSyncAt,
    ...work.outbox.counts(),
    pulled: state.pulled,
    pullTotal: state.pullTotal,
    fetched: state.fetching?.done ?? 0,
    fetchTotal: state.fetching?.total ?? 0,
    fetchDoneAt: fetchDoneAt(parts, state),
    remainingMs: remainingMs(parts, state),
    delivery: factsOf(parts, state),
    casesOnLaptop: cache.cases.count(),
  };
}

/** @returns rate_limited while the partner's pause blocks the phase that is under way */
function pauseProblem(
  { client, work, clock }: StatusParts,
  phase: SyncStatus['phase'],
): DeskProblem | null {
  const pauses = bucketsOf(phase, work)
    .map((bucket) => client.pauseMs(bucket))
    .filter((ms) => ms !== null);
  if (pauses.length === 0) return null;
  return rateLimited(Math.max(...pauses), clock.now()).problem;
}

const buckets = ['standard', 'documents'] as const;

function notices({ client, cache }: StatusParts): DeskProblem[] {
  const found: DeskProblem[] = [];
  const unreadable = unreadableProblem(cache.unreadable.all());
  if (unreadable) found.push(unreadable);
  if (pullFindings(cache).ignoresSince) {
    found.push({ code: 'changes_unfiltered', params: { parameter: client.changedSinceParameter } });
  }
  const ahead = cache.cases.ahead(client.serverNow());
  if (ahead.count > 0) found.push({ code: 'case_time_ahead', params: { ...ahead } });
  const lowered = buckets.flatMap((bucket): DeskProblem[] => {
    const lowered = client.loweredLimit(bucket);
    if (!lowered) return [];
    const perMinute = Math.round(lowered.refillPerMinute * 100) / 100;
    const until = new Date(lowered.untilMs).toISOString();
    return [{ code: 'limit_lowered', params: { bucket, perMinute, until } }];
  });
  return [...found, ...lowered];
}

function bucketsOf(phase: SyncStatus['phase'], { outbox }: Work): readonly PacedBucket[] {
  if (phase === 'pulling') return ['standard'];
  if (phase === 'fetching') return ['documents'];
  if (phase === 'idle') return buckets;
  const open = outbox.openRequests();
  return buckets.filter((bucket) => open[bucket] > 0);
}

function slotWaitMs(
  { client, clock }: Pick<StatusParts, 'client' | 'clock'>,
  bucket: PacedBucket,
  requests: number,
): number {
  return requests === 0 ? 0 : Math.max(0, client.nextSlotAt(bucket, requests) - clock.now());
}

/**
 * Least time in which this amount can be sent: by the limits, and by the rate of the last uploads.
 */
export function deliveryMs(
  parts: Pick<StatusParts, 'client' | 'clock' | 'progress'>,
  { standard, documents, bytes }: OpenRequests,
): number {
  return Math.max(
    slotWaitMs(parts, 'standard', standard),
    slotWaitMs(parts, 'documents', documents),
    parts.progress.uploadMs(bytes),
  );
}

/**
 * How long the limits alone delay the phase that is under way: the least time that it takes.
 * @returns milliseconds; null while nothing is under way, or its amount is not known
 */
function remainingMs(parts: StatusParts, state: SyncState): number | null {
  const waitMs = (bucket: PacedBucket, requests: number) => slotWaitMs(parts, bucket, requests);
  switch (state.phase) {
    case 'pulling': {
      if (state.pullTotal === null) return null;
      return waitMs('standard', Math.ceil((state.pullTotal - state.pulled) / pageSizeMax));
    }
    case 'delivering':
      return deliveryMs(parts, goingRequests(parts));
    case 'fetching':
      return waitMs('documents', state.fetching?.requests ?? 0);
    case 'idle':
      return null;
  }
}

/** When everything that is being fetched is here; null if that cannot be reckoned. */
function fetchDoneAt(
  parts: Pick<StatusParts, 'client' | 'clock'>,
  { fetching, network, paused }: SyncState,
): string | null {
  if (!fetching?.isCounted || network !== 'online' || paused) return null;
  const { requests, msEach } = fetching;
  const leastMs = slotWaitMs(parts, 'documents', requests);
  // Documents can take longer than the limits do.
  const leftMs = Math.max(leastMs, requests * (msEach ?? 0));
  return new Date(parts.clock.now() + leftMs).toISOString();
}

/** Cases with a waiting act that the insurer has to accept first. */
function awaitingCases(
  { cache }: Pick<StatusParts, 'cache'>,
  rows: readonly RowProgress[],
): Set<string> {
  const waiting = rows.filter(({ state }) => state === 'waiting');
  return new Set(
    waiting.filter((row) => blockingStatus(cache, row) !== null).map(({ caseId }) => caseId),
  );
}

/** What has still to leave without anybody. */
export function goingRequests(parts: Pick<StatusParts, 'cache' | 'work'>): OpenRequests {
  const rows = parts.work.outbox.progress();
  return requestsOfRows(goingOut({ rows, awaiting: awaitingCases(parts, rows) }));
}

const runKey = 'delivery-run';
const runSchema = z.object({ since: z.string(), fromId: z.int() });

/** The run that is under way; it begins with the first act that goes out, and ends with the last. */
function runOf({ cache, work, clock }: StatusParts, isGoing: boolean): DeliveryRun | null {
  const stored = cache.pullState.text(runKey);
  const run = stored === null ? null : runSchema.parse(JSON.parse(stored));
  if (!isGoing) {
    if (run) cache.pullState.removeText(runKey);
    return null;
  }
  if (run) return run;
  const begun = {
    since: new Date(clock.now()).toISOString(),
    fromId: work.outbox.oldestOpen() ?? 0,
  };
  cache.pullState.setText(runKey, JSON.stringify(begun));
  return begun;
}

function factsOf(parts: StatusParts, { network, paused }: SyncState): DeliveryFacts {
  const { client, clock, work } = parts;
  const rows = work.outbox.progress();
  const awaiting = awaitingCases(parts, rows);
  const run = runOf(parts, goingOut({ rows, awaiting }).length > 0);
  return deliveryFacts({
    ...{ rows, awaiting, paused, network },
    delivered: { done: run ? work.outbox.deliveredSince(run) : 0 },
    nowMs: clock.now(),
    nextSlotMs: (bucket) => client.nextSlotAt(bucket),
    deliveryMs: (open) => deliveryMs(parts, open),
  });
}

/** Uploads smaller than this measure the server's answer more than the line. */
const measuredMinBytes = 256 * 1024;
/** Share of the newest upload in the rate. */
const newestShare = 0.5;

/** The user sees no finer steps. */
const progressEveryMs = 100;

interface Upload {
  readonly rowId: number;
  readonly sentBytes: number;
  readonly reportedAtMs: number;
  readonly startedAtMs: number;
}

/** Progress of the uploads under way; each is reported at most ten times a second. */
export class UploadProgress {
  readonly #clock: Clock;
  readonly #emit: (event: DeskEvent) => void;
  readonly #uploads = new Map<number, Upload>();
  #bytesPerMs: number | null = null;

  constructor(clock: Clock, emit: (event: DeskEvent) => void) {
    this.#clock = clock;
    this.#emit = emit;
  }

  sent({ id: stepId, rowId }: OutboxStep, sentBytes: number, totalBytes: number): void {
    const nowMs = this.#clock.monotonic();
    const known = this.#uploads.get(stepId);
    const last = known?.reportedAtMs ?? -Infinity;
    const startedAtMs = known?.startedAtMs ?? nowMs;
    const isDue = nowMs - last >= progressEveryMs || sentBytes >= totalBytes;
    const reportedAtMs = isDue ? nowMs : last;
    this.#uploads.set(stepId, { rowId, sentBytes, reportedAtMs, startedAtMs });
    if (sentBytes >= totalBytes) this.#measure(totalBytes, nowMs - startedAtMs);
    if (isDue) this.#emit({ type: 'queue.progress', id: rowId, stepId, sentBytes, totalBytes });
  }

  #measure(bytes: number, ms: number): void {
    if (bytes < measuredMinBytes || ms <= 0) return;
    const rate = bytes / ms;
    const before = this.#bytesPerMs ?? rate;
    this.#bytesPerMs = before + (rate - before) * newestShare;
  }

  /**
   * Least time for that number of bytes, by the rate of the last uploads; 0 until one was measured.
   */
  uploadMs(bytes: number): number {
    return this.#bytesPerMs === null ? 0 : Math.ceil(bytes / this.#bytesPerMs);
  }

  sentBytes(stepId: number): number {
    return this.#uploads.get(stepId)?.sentBytes ?? 0;
  }

  /** A new state of the row ends what was measured of its requests. */
  forgetRow(rowId: number): void {
    for (const [stepId, upload] of this.#uploads) {
      if (upload.rowId === rowId) this.#uploads.delete(stepId);
    }
  }
}
