import type { DeskError } from '#shared/desk/contract/errors.ts';
import type { PartnerClient } from '../../partner/partner-client.ts';
import type { Deliveries } from '../work/deliveries.ts';
import { asDelivery, type DeliveryContext } from './delivery-context.ts';
import { failureKind, type FailureKind, suspectedKind } from './failures.ts';

/**
 * A row needs the user once its failures weigh this much. A busy server weighs 1 each time, which
 * lasts about two days; after that it will hardly recover.
 */
export const failuresWeightMax = 200;
export const busyWeight = 1;
/** Six other failures of the row itself are enough. The waits between them double. */
export const ownWeight = Math.ceil(failuresWeightMax / 6);
/**
 * The number of rows that must fail in the same way before the list is requested; fewer if there
 * are no more.
 */
const suspectsMin = 2;
/** After a successful request, failures within this time count as failures of their rows. */
const reachedMs = 10_000;

interface Parts extends Pick<DeliveryContext, 'clock' | 'signal' | 'onRow'> {
  readonly client: Pick<PartnerClient, 'listCases'>;
  readonly deliveries: Pick<Deliveries, 'blame'>;
}

/**
 * Distinguishes a host that fails from rows that fail. A run stops only if different requests fail
 * in the same way: first the rows' and then the list (X1). If other requests succeed, the failure
 * belongs to the row.
 */
export class HostCheck {
  readonly #context: Parts;
  /** The rows that failed since the last successful request, by kind of failure. */
  readonly #suspects = new Map<FailureKind, Map<number, DeskError>>();
  /** The rows for which the server was busy since the last successful request. */
  readonly #busy = new Set<number>();
  #reachedAtMs = -Infinity;
  #running: Promise<void> | null = null;
  /** The reason why the run must stop. */
  stoppedBy: DeskError | null = null;

  constructor(context: Parts) {
    this.#context = context;
  }

  /** The running check; null if there is none. */
  get running(): Promise<void> | null {
    return this.#running;
  }

  /** Notes that the partner carried out or refused a request of the run. */
  reached(): void {
    this.#reachedAtMs = this.#context.clock.monotonic();
    this.#blameSuspects();
  }

  failed(rowId: number, error: DeskError): void {
    if (failureKind(error) === 'busy') {
      if (this.#isReached()) this.#blame(rowId, busyWeight);
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
   * Starts the check if enough rows failed in the same way.
   * @param hasMore whether the run has more rows to try
   * @returns whether no row may start until the check has ended
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
    this.#busy.forEach((rowId) => this.#blame(rowId, busyWeight));
    this.#busy.clear();
    rowIds.forEach((rowId) => this.#blame(rowId));
  }

  #blame(rowId: number, weight = ownWeight): void {
    this.#context.deliveries.blame(rowId, weight, failuresWeightMax);
    this.#context.onRow(rowId);
  }
}
