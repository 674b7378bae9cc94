import type { DeskProblem } from '#shared/desk/errors.ts';
import type { SyncStatus } from '#shared/desk/sync.ts';

type Activity = 'pulling' | 'delivering' | 'fetching';

/** What the sync is doing, as a person sees it. */
export class SyncState {
  readonly #onChange: () => void;
  readonly #active: Record<Activity, number> = { pulling: 0, delivering: 0, fetching: 0 };
  network: SyncStatus['network'] = 'unknown';
  problem: DeskProblem | null = null;
  paused = false;
  nextSyncAt: string | null = null;
  pulled = 0;
  pullTotal: number | null = null;
  /** Requests of the fetch that is under way. */
  fetched = 0;
  fetchTotal = 0;

  constructor(onChange: () => void) {
    this.#onChange = onChange;
  }

  /** Several may run at once; the one that a person waits for most is shown. */
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

  changed(): void {
    this.#onChange();
  }

  reached(): void {
    if (this.network === 'online' && this.problem === null) return;
    this.network = 'online';
    this.problem = null;
    this.changed();
  }

  failed(problem: DeskProblem, isOffline: boolean): void {
    this.network = isOffline ? 'offline' : 'online';
    this.problem = problem;
    this.changed();
  }
}
