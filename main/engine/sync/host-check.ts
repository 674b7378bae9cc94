import type { DeskError } from '#shared/desk/errors.ts';
import { asDelivery, type DeliveryContext } from './delivery-context.ts';
import { failureKind, type FailureKind, suspectedKind } from './failures.ts';

/** Failures of a row alone after which it needs the user; the waits between them double. */
export const ownFailuresMax = 6;
/** The same of a server that could not now: about two days, after which it will hardly pass. */
const busyFailuresMax = 200;
/** Rows that fail alike before the list is asked for; fewer if there are no more. */
const suspectsMin = 2;
/** After a request got through, failures within this time are those of their rows. */
const reachedMs = 10_000;

/**
 * Separates a host that fails from rows that fail: a run is stopped only if different requests fail
 * alike, the rows' own and then the list (X1). What fails while other requests get through is the
 * row's own failure.
 */
export class HostCheck {
  readonly #context: DeliveryContext;
  /** The rows that failed since a request got through, by kind of failure. */
  readonly #suspects = new Map<FailureKind, Map<number, DeskError>>();
  /** Rows that the server could not take since a request got through. */
  readonly #busy = new Set<number>();
  #reachedAtMs = -Infinity;
  #running: Promise<void> | null = null;
  /** Why the run has to stop. */
  stoppedBy: DeskError | null = null;

  constructor(context: DeliveryContext) {
    this.#context = context;
  }

  /** The check that is under way. */
  get running(): Promise<void> | null {
    return this.#running;
  }

  /** A request of the run was carried out or refused by the partner. */
  reached(): void {
    this.#reachedAtMs = this.#context.clock.monotonic();
    this.#blameSuspects();
  }

  failed(rowId: number, error: DeskError): void {
    if (failureKind(error) === 'busy') {
      if (this.#isReached()) this.#blame(rowId, busyFailuresMax);
      else this.#busy.add(rowId);
    }
    const kind = suspectedKind(error);
    if (kind === null) return;
    if (kind === 'odd' || this.#isReached()) {
      this.#blame(rowId);
      return;
    }
    const alike = this.#suspects.get(kind) ?? new Map<number, DeskError>();
    this.#suspects.set(kind, alike.set(rowId, error));
  }

  /**
   * Starts the check if enough rows failed alike.
   * @param hasMore whether the run has more rows to try
   * @returns whether no row may begin until it has ended
   */
  startIfDue(hasMore: boolean): boolean {
    if (this.#running) return true;
    const needed = hasMore ? suspectsMin : 1;
    const due = [...this.#suspects].find(([, alike]) => alike.size >= needed);
    if (!due) return false;
    const [kind, alike] = due;
    this.#running = this.#askList(kind, [...alike.values()]).finally(() => (this.#running = null));
    return true;
  }

  async #askList(kind: FailureKind, errors: readonly DeskError[]): Promise<void> {
    const { client } = this.#context;
    try {
      await client.listCases({ page: 1, size: 1 }, asDelivery(this.#context));
    } catch (error) {
      if (failureKind(error) === kind) {
        this.stoppedBy = errors.at(-1) ?? null;
        return;
      }
    }
    this.reached();
  }

  #isReached(): boolean {
    return this.#context.clock.monotonic() - this.#reachedAtMs < reachedMs;
  }

  #blameSuspects(): void {
    const rowIds = [...this.#suspects.values()].flatMap((alike) => [...alike.keys()]);
    this.#suspects.clear();
    this.#busy.forEach((rowId) => this.#blame(rowId, busyFailuresMax));
    this.#busy.clear();
    rowIds.forEach((rowId) => this.#blame(rowId));
  }

  #blame(rowId: number, failuresMax = ownFailuresMax): void {
    this.#context.outbox.blame(rowId, failuresMax);
    this.#context.onRow(rowId);
  }
}
