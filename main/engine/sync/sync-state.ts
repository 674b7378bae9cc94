import type { DeskProblem } from '#shared/desk/contract/errors.ts';
import type { DeskEvent } from '#shared/desk/contract/events.ts';
import type { SyncStatus } from '#shared/desk/delivery/sync.ts';
import type { Clock } from '#shared/lib/clock.ts';
import type { FetchProgress } from './fetch-tracker.ts';
import type { OutboxStep } from '../work/outbox-records.ts';

type Activity = 'pulling' | 'delivering' | 'fetching';

/** The current activity of the sync, as the user sees it. */
export class SyncState {
  readonly #onChange: () => void;
  readonly #active: Record<Activity, number> = { pulling: 0, delivering: 0, fetching: 0 };
  network: SyncStatus['network'] = 'unknown';
  offlineSince: string | null = null;
  problem: DeskProblem | null = null;
  paused = false;
  /** Whether rounds run automatically. */
  isScheduled = false;
  nextSyncAt: string | null = null;
  pulled = 0;
  pullTotal: number | null = null;
  /** The progress of the running fetch; null if none is running. */
  fetching: FetchProgress | null = null;
  #askedFetches = 0;

  constructor(onChange: () => void) {
    this.#onChange = onChange;
  }

  /**
   * Several activities may run at the same time. The one that the user most likely waits for is
   * shown.
   */
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

  /** A fetch that the user waits for is shown instead of a fetch in the background. */
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

  /**
   * Work that the user requests during a pause is done. Work that began before a pause stops at the
   * pause.
   */
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

/**
 * The least size for a measurement. The time of smaller uploads depends more on the server than on
 * the connection.
 */
const measuredMinBytes = 256 * 1024;
/** The weight of the newest upload in the rate. */
const newestShare = 0.5;

/** The shortest time between two reports of progress, because the user sees no finer steps. */
const progressEveryMs = 100;

interface Upload {
  readonly rowId: number;
  readonly sentBytes: number;
  readonly reportedAtMs: number;
  readonly startedAtMs: number;
}

/** The progress of the running uploads. Each is reported at most ten times a second. */
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
   * The least time for that number of bytes, by the rate of the last uploads; 0 until one was
   * measured.
   */
  uploadMs(bytes: number): number {
    return this.#bytesPerMs === null ? 0 : Math.ceil(bytes / this.#bytesPerMs);
  }

  sentBytes(stepId: number): number {
    return this.#uploads.get(stepId)?.sentBytes ?? 0;
  }

  /** Removes the progress of a row's requests, because the row has a new state. */
  forgetRow(rowId: number): void {
    for (const [stepId, upload] of this.#uploads) {
      if (upload.rowId === rowId) this.#uploads.delete(stepId);
    }
  }
}
