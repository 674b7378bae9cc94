import { amountsOf } from '#shared/desk/cases/amounts.ts';
import type { QueueItem, QueueStep, ValueConflict } from '#shared/desk/delivery/queue.ts';
import type { Clock } from '#shared/lib/clock.ts';
import type { Cache } from '../cache/open-cache.ts';
import type { PartnerClient } from '../../partner/partner-client.ts';
import { blockingStatus } from '../sync/delivery-context.ts';
import type { Sync } from '../sync/sync.ts';
import type { Work } from '../work/open-work.ts';
import type { Act, OutboxRow, OutboxStep } from '../work/outbox-records.ts';
import { deliveryMs } from '../sync/sync-status.ts';
import { shownState } from '../work/outbox-states.ts';
import { isDecidable, valueConflicts } from '../work/conflicts.ts';

/** The values that name the case of a row. */
export type CaseLabels = Pick<QueueItem, 'partyName' | 'category'>;

export interface QueueViewContext {
  readonly work: Work;
  readonly client: PartnerClient;
  readonly sync: Sync;
  readonly clock: Clock;
  readonly cache: Cache;
  /** The labels of a case; empty if the case is not stored. It never throws. */
  labelsOf(caseId: string): CaseLabels;
}

const iso = (ms: number) => new Date(ms).toISOString();

/** A row of the outbox as the user and the command line see it. */
export function queueItem(context: QueueViewContext, row: OutboxRow): QueueItem {
  const wait = waitOf(context, row);
  const current = row.steps.find(({ state }) => state !== 'delivered');
  // A wait for the network or for another attempt concerns the whole row.
  const slotAt = wait.waitingFor === 'slot' ? wait.nextAttemptAt : null;
  const firsts = row.steps.flatMap(({ firstAttemptAt }) => firstAttemptAt ?? []).sort();
  return {
    id: row.id,
    caseId: row.caseId,
    externalKey: row.externalKey,
    ...context.labelsOf(row.caseId),
    kind: row.kind,
    state: row.state,
    attempts: row.steps.reduce((sum, { attempts }) => sum + attempts, 0),
    createdAt: row.createdAt,
    firstAttemptAt: firsts[0] ?? null,
    nextAttemptAt: wait.nextAttemptAt,
    doneAt: doneAt(context, row, wait.waitingFor),
    waitingFor: wait.waitingFor,
    problem: wait.problem ?? row.problem,
    conflicts: row.problem?.code === 'server_value_changed' ? conflictsView(context, row) : [],
    ...serverFindingsView(row),
    delivered: row.state === 'delivered' ? (row.steps.at(-1)?.delivered ?? null) : null,
    act: actView(row.act),
    steps: row.steps.map((step) => stepView(context, step, step === current ? slotAt : null)),
  };
}

function stepView(
  { sync }: QueueViewContext,
  step: OutboxStep,
  nextAttemptAt: string | null,
): QueueStep {
  const sizeBytes = step.fileSizeBytes;
  return {
    id: step.id,
    kind: step.kind,
    state: shownState(step.state),
    attempts: step.attempts,
    nextAttemptAt,
    fileName: step.fileName,
    sizeBytes,
    sentBytes: step.state === 'delivered' ? (sizeBytes ?? 0) : sync.progress.sentBytes(step.id),
    isSalvageSale: step.isSalvageSale,
    delivered: step.delivered,
  };
}

function actView(act: Act): QueueItem['act'] {
  if (act.kind === 'comment') return { kind: 'comment', text: act.text };
  if (act.kind === 'report') {
    return { kind: 'report', draftId: act.draftId, comment: act.comment };
  }
  if (act.kind === 'reopen') return act;
  return { kind: 'amounts', ...amountsOf(act) };
}

function conflictsView(
  { cache }: QueueViewContext,
  { caseId, act }: Pick<OutboxRow, 'caseId' | 'act'>,
): ValueConflict[] {
  const conflicts = valueConflicts(act);
  const history = conflicts.length > 0 ? historyOf(cache, caseId) : [];
  return conflicts.map((conflict) => {
    const { field, found } = conflict;
    const readings = history.filter(({ changes }) =>
      changes.some((change) => change.field === field && change.after === found),
    );
    const noticedAt =
      readings
        .map(({ at }) => at)
        .sort()
        .at(-1) ?? null;
    return { ...conflict, by: 'colleague', noticedAt };
  });
}

/** The history; empty if the cache cannot be read, so that no delivery fails because of it. */
function historyOf(cache: Cache, caseId: string) {
  try {
    return cache.cases.history(caseId);
  } catch {
    return [];
  }
}

/** What the partner has in addition to a report, and the user's choices. */
function serverFindingsView(row: OutboxRow): Pick<QueueItem, 'foreignDocuments' | 'decisions'> {
  if (row.act.kind !== 'report' || !row.act.found || !isDecidable(row)) {
    return { foreignDocuments: [], decisions: [] };
  }
  const { documents } = row.act.found;
  return {
    foreignDocuments: documents,
    decisions: documents.length > 0 ? ['submit', 'remove'] : ['submit'],
  };
}

/** The time of the delivery. Earlier entries of the queue are sent first. */
function doneAt(
  { work, client, clock, sync }: QueueViewContext,
  { id, state }: OutboxRow,
  waitingFor: QueueItem['waitingFor'],
): string | null {
  const goesOut = state === 'sending' || waitingFor === 'slot' || waitingFor === 'turn';
  if (!goesOut || sync.state.network !== 'online') return null;
  const parts = { client, progress: sync.progress };
  return iso(clock.now() + deliveryMs(parts, work.outbox.rows.openRequests(id)));
}

/**
 * The reason why a row that needs no action of the user still waits, and the time of its next
 * attempt.
 */
function waitOf(
  { work, cache, client, sync, clock }: QueueViewContext,
  row: OutboxRow,
): Pick<QueueItem, 'waitingFor' | 'nextAttemptAt'> & { problem?: QueueItem['problem'] } {
  if (row.state !== 'waiting' && row.state !== 'unknown') {
    return { waitingFor: null, nextAttemptAt: null };
  }
  const status = blockingStatus(cache, row);
  if (status !== null) {
    const problem = { code: 'case_awaits' as const, params: { status } };
    return { waitingFor: 'acceptance', nextAttemptAt: null, problem };
  }
  const { state } = sync;
  if (state.paused) return { waitingFor: 'paused', nextAttemptAt: null };
  if (!work.outbox.rows.isHead(row)) return { waitingFor: 'turn', nextAttemptAt: null };
  if (state.network === 'offline')
    return { waitingFor: 'network', nextAttemptAt: state.nextSyncAt };
  // No request was made yet, as in a command that makes none.
  if (state.network === 'unknown') return { waitingFor: null, nextAttemptAt: null };
  if (row.notBeforeMs !== null && row.notBeforeMs > clock.now()) {
    return { waitingFor: 'retry', nextAttemptAt: iso(row.notBeforeMs) };
  }
  const step = row.steps.find((candidate) => candidate.state !== 'delivered');
  const slotInMs = client.slotInMs(step?.kind === 'document' ? 'documents' : 'standard');
  return { waitingFor: 'slot', nextAttemptAt: iso(clock.now() + slotInMs) };
}
