import type { DeliveryFacts } from '#shared/desk/delivery/sync.ts';
import type { Delivered, OpenRequests, RowProgress } from '../work/outbox-reader.ts';

export interface DeliveryParts {
  /** The rows that are open and do not need the user. */
  readonly rows: readonly RowProgress[];
  /** The cases that take no work until the insurer accepts them. */
  readonly awaiting: ReadonlySet<string>;
  /** What was delivered since the run began. */
  readonly delivered: Delivered;
  /** The number of delivered acts that were not compared with the partner's answers yet. */
  readonly unseen: number;
  readonly paused: boolean;
  readonly network: 'unknown' | 'online' | 'offline';
  readonly nowMs: number;
  /** When the next request of each bucket can be sent (ms since 1970). */
  readonly nextSlotMs: (bucket: 'standard' | 'documents') => number;
  /** The least time that these requests take (ms). */
  readonly deliveryMs: (open: OpenRequests) => number;
}

/** The rows that are sent without an action of the user. */
export const goingOut = ({ rows, awaiting }: Pick<DeliveryParts, 'rows' | 'awaiting'>) =>
  rows.filter(({ caseId, state }) => state !== 'waiting' || !awaiting.has(caseId));

/** The requests that these rows still need. */
export const requestsOfRows = (rows: readonly RowProgress[]): OpenRequests => ({
  standard: rows.reduce((sum, { standard }) => sum + standard, 0),
  documents: rows.reduce((sum, { documents }) => sum + documents, 0),
  bytes: rows.reduce((sum, { bytes }) => sum + bytes, 0),
});

/**
 * What is being delivered. No time is promised if it depends on somebody else, if the insurer was
 * not reached yet, or if it is in the past. What has arrived stays counted until nothing is left to
 * send.
 */
export function deliveryFacts(given: DeliveryParts): DeliveryFacts {
  const { rows, delivered, unseen, paused, network, nowMs } = given;
  const going = goingOut(given);
  const awaits = rows.length - going.length;
  if (going.length === 0) {
    return { done: 0, total: 0, share: 0, goesOut: 0, awaits, unseen, nextAt: null, doneAt: null };
  }
  const parts = delivered.parts + going.reduce((sum, { total }) => sum + total, 0);
  const arrived = delivered.parts + going.reduce((sum, { done }) => sum + done, 0);
  const counted = {
    done: delivered.entries,
    total: delivered.entries + going.length,
    share: arrived / parts,
    goesOut: going.length,
    awaits,
    unseen,
  };
  if (paused || network !== 'online') return { ...counted, nextAt: null, doneAt: null };
  const isSending = going.some(({ state }) => state === 'sending');
  const slots = (['standard', 'documents'] as const)
    .filter((bucket) => going.some((row) => row[bucket] > 0))
    .map(given.nextSlotMs);
  const nextMs = Math.min(...slots);
  const iso = (ms: number) => new Date(Math.max(ms, nowMs)).toISOString();
  return {
    ...counted,
    nextAt: isSending || slots.length === 0 ? null : iso(nextMs),
    doneAt: iso(nowMs + given.deliveryMs(requestsOfRows(going))),
  };
}
