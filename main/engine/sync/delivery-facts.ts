import type { DeliveryFacts } from '#shared/desk/sync.ts';
import type { OpenRequests, RowProgress } from '../work/outbox-reader.ts';

/** Since when something goes out without a pause. */
export interface DeliveryRun {
  /** ISO 8601, by this device's clock. */
  readonly since: string;
  /** No older row was open then. */
  readonly fromId: number;
}

export interface DeliveryParts {
  /** Rows that are open and do not need the user. */
  readonly rows: readonly RowProgress[];
  /** Cases that take no work until the insurer accepts them. */
  readonly awaiting: ReadonlySet<string>;
  /** What was delivered since the run began. */
  readonly delivered: { readonly done: number };
  readonly paused: boolean;
  readonly network: 'unknown' | 'online' | 'offline';
  readonly nowMs: number;
  /** When the next request can leave, by its bucket (ms). */
  readonly nextSlotMs: (bucket: 'standard' | 'documents') => number;
  /** Least time that these requests take (ms). */
  readonly deliveryMs: (open: OpenRequests) => number;
}

/** Rows that go out without anybody. */
export const goingOut = ({ rows, awaiting }: Pick<DeliveryParts, 'rows' | 'awaiting'>) =>
  rows.filter(({ caseId, state }) => state !== 'waiting' || !awaiting.has(caseId));

/** What has still to leave of these rows. */
export const requestsOfRows = (rows: readonly RowProgress[]): OpenRequests => ({
  standard: rows.reduce((sum, { standard }) => sum + standard, 0),
  documents: rows.reduce((sum, { documents }) => sum + documents, 0),
  bytes: rows.reduce((sum, { bytes }) => sum + bytes, 0),
});

/**
 * What is being delivered. No time is promised for what somebody else decides, none before the
 * insurer was reached, and none that is over; what has arrived stays counted until nothing goes out
 * any more.
 */
export function deliveryFacts(parts: DeliveryParts): DeliveryFacts {
  const { rows, delivered, paused, network, nowMs } = parts;
  const going = goingOut(parts);
  const awaits = rows.length - going.length;
  if (going.length === 0) {
    return { done: 0, total: 0, goesOut: 0, awaits, nextAt: null, doneAt: null };
  }
  const counted = {
    done: delivered.done + going.reduce((sum, { done }) => sum + done, 0),
    total: delivered.done + going.reduce((sum, { total }) => sum + total, 0),
    ...{ goesOut: going.length, awaits },
  };
  if (paused || network !== 'online') return { ...counted, nextAt: null, doneAt: null };
  const isSending = going.some(({ state }) => state === 'sending');
  const slots = (['standard', 'documents'] as const)
    .filter((bucket) => going.some((row) => row[bucket] > 0))
    .map(parts.nextSlotMs);
  const nextMs = Math.min(...slots);
  const iso = (ms: number) => new Date(Math.max(ms, nowMs)).toISOString();
  return {
    ...counted,
    nextAt: isSending || slots.length === 0 ? null : iso(nextMs),
    doneAt: iso(nowMs + parts.deliveryMs(requestsOfRows(going))),
  };
}
