import type { DeskError } from '#shared/desk/errors.ts';
import { sleep } from '../client/clock.ts';
import type { Bell } from './bell.ts';
import type { OutboxRow } from '../work/outbox-records.ts';
import type { DeliveryContext } from './delivery-context.ts';
import { deliverRow, type RowOutcome } from './deliver-row.ts';

/** Cases that are delivered side by side; one that hangs holds up nobody but itself. */
const lanes = 4;
/** Attempts of one row within a run, before it is left to the schedule. */
const attemptsPerRun = 4;
/** Requests that break off in a row before the network counts as gone. */
const brokenLinesMax = 3;

export interface DeliveryResult {
  readonly delivered: number;
  /** Cases whose rows were delivered or refused: the server has news of them. */
  readonly touchedCases: ReadonlySet<string>;
  /** Why the run ended early; null where it tried everything that it could. */
  readonly stoppedBy: DeskError | null;
}

/**
 * Delivers what can be delivered: the rows of a case in their order, cases independently of each
 * other. Ends when nothing is left but what waits for a later moment, the network, or a person.
 * @param bell rung when the outbox has something new
 * @param active empty; holds the rows that are being delivered, by id
 */
export async function deliver(
  context: DeliveryContext,
  bell: Bell,
  active: Map<number, Promise<void>>,
): Promise<DeliveryResult> {
  const { outbox, clock, signal } = context;
  // Nothing is on its way now, so what is marked so broke off in a way that could not be noted.
  outbox.doubtAllSending();
  const attempts = new Map<number, number>();
  const touchedCases = new Set<string>();
  let delivered = 0;
  let brokenLines = 0;
  const stops: DeskError[] = [];

  const record = (row: OutboxRow, outcome: RowOutcome) => {
    if (outcome.kind === 'delivered') {
      delivered += 1;
      brokenLines = 0;
      touchedCases.add(row.caseId);
      return;
    }
    const { failure, error } = outcome;
    if (failure === 'refused') touchedCases.add(row.caseId);
    brokenLines = failure === 'line' ? brokenLines + 1 : 0;
    if (failure === 'host' || failure === 'locked' || brokenLines >= brokenLinesMax) {
      stops.push(error);
    }
  };
  const start = (row: OutboxRow) => {
    attempts.set(row.id, (attempts.get(row.id) ?? 0) + 1);
    const work = deliverRow(context, row.id)
      .then((outcome) => record(row, outcome))
      .finally(() => active.delete(row.id));
    active.set(row.id, work);
  };

  try {
    for (;;) {
      signal.throwIfAborted();
      const rung = bell.next();
      const candidates = outbox
        .heads()
        .filter(({ id, state }) => state !== 'attention' && !active.has(id))
        .filter(({ id }) => (attempts.get(id) ?? 0) < attemptsPerRun);
      const ready = candidates.filter(({ notBeforeMs }) => (notBeforeMs ?? 0) <= clock.now());
      const mayBegin = stops.length === 0 && context.mayBegin();
      if (mayBegin) ready.slice(0, lanes - active.size).forEach(start);
      if (active.size > 0) {
        await Promise.race([...active.values(), rung]);
        continue;
      }
      // Only a row of this run is waited for; what failed before has its own moment.
      const pauseMs = candidates
        .filter(({ id }) => attempts.has(id))
        .map(({ notBeforeMs }) => (notBeforeMs ?? 0) - clock.now());
      if (!mayBegin || pauseMs.length === 0) break;
      await pause(context, Math.max(0, Math.min(...pauseMs)), rung);
    }
  } finally {
    await Promise.allSettled(active.values());
  }
  return { delivered, touchedCases, stoppedBy: stops[0] ?? null };
}

/** Until the moment has come, or the bell rings. */
async function pause(context: DeliveryContext, ms: number, rung: Promise<void>): Promise<void> {
  const over = new AbortController();
  const signal = AbortSignal.any([over.signal, context.signal]);
  await Promise.race([sleep(context.clock, ms, signal), rung]);
  over.abort();
}
