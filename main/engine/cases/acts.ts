import { amountNames, amountsOf, type Amounts } from '#shared/desk/cases/amounts.ts';
import { type CaseStanding, takesReopening, takesWork } from '#shared/desk/cases/takes-work.ts';
import { reasonMaxLength } from '#shared/api/limits.ts';
import { DeskError } from '#shared/desk/contract/errors.ts';
import type { QueueEdit, QueueItem } from '#shared/desk/delivery/queue.ts';
import { assertCommentLength } from '../work/drafts.ts';
import type { Act } from '../work/outbox-records.ts';
import type { CaseRecord } from '../cache/case-records.ts';
import type { Handlers } from '../engine.ts';
import type { OpenWorkspace } from '../workspace/open-workspace.ts';
import { queueItem } from '../workspace/queue-view.ts';
import { findCase } from './case-view.ts';
import { takeEdits } from './typed-texts.ts';

/**
 * Checks that a case takes work. If the status is not documented, the server decides.
 * @param status as the user sees it, including unsent work
 * @throws {DeskError} case_state, server_case_gone
 */
export function assertTakesWork(record: CaseRecord, status: string): void {
  const refusal = workRefusal({ goneReason: record.goneReason, status });
  if (refusal) throw refusal;
}

/** The reason why a case takes no work; null if it does, or if the work can wait until it does. */
export function workRefusal(seen: CaseStanding): DeskError | null {
  return takesWork(seen) ? null : refusalOf(seen);
}

/** @throws {DeskError} case_state, server_case_gone */
export function assertReopenable(record: CaseRecord, status: string): void {
  const seen = { goneReason: record.goneReason, status };
  if (!takesReopening(seen)) throw refusalOf(seen);
}

function refusalOf({ goneReason, status }: CaseStanding): DeskError {
  if (goneReason === null) return new DeskError('case_state', { status });
  return new DeskError('server_case_gone', { status: goneReason === 'forbidden' ? 403 : 404 });
}

/**
 * An act of the queue with the user's changes. An absent value stays.
 * @throws {DeskError} invalid_input if the act has no such value, and the errors of its values
 */
export function editedAct(act: Act, input: QueueEdit): Exclude<Act, { kind: 'report' }> {
  const { costEstimateRappen, approvedRappen, text, reason } = input;
  const given = { costEstimateRappen, approvedRappen, text, reason };
  const fitting: readonly string[] = editable[act.kind];
  const changed = Object.entries(given).filter(([, value]) => value !== undefined);
  const misfit = changed.find(([field]) => !fitting.includes(field));
  if (act.kind === 'report' || misfit || changed.length === 0) {
    const field = misfit?.[0] ?? fitting[0] ?? 'id';
    throw new DeskError('invalid_input', { field, rule: misfit ? 'unknown' : 'required' });
  }
  if (act.kind === 'reopen') return { ...act, reason: parseReason(reason ?? act.reason) };
  if (act.kind === 'comment') {
    assertCommentLength(text ?? act.text);
    return { ...act, text: text ?? act.text };
  }
  return { ...act, ...amountsOver(act, { costEstimateRappen, approvedRappen }) };
}

/** The earlier amounts, replaced by those that the user set. */
export function amountsOver(
  before: Amounts,
  {
    costEstimateRappen = before.costEstimateRappen,
    approvedRappen = before.approvedRappen,
  }: Pick<QueueEdit, keyof Amounts>,
): Amounts {
  return { costEstimateRappen, approvedRappen };
}

const editable = {
  amounts: amountNames,
  comment: ['text'],
  reopen: ['reason'],
  report: [],
} as const;

/** @throws {DeskError} reason_missing, reason_too_long */
export function parseReason(text: string): string {
  const reason = text.trim();
  if (reason === '') throw new DeskError('reason_missing', { field: 'reason' });
  if (reason.length > reasonMaxLength) {
    const params = { field: 'reason', max: reasonMaxLength, length: reason.length };
    throw new DeskError('reason_too_long', params);
  }
  return reason;
}

/** Reports the rows to the windows and starts the delivery. @returns the last row */
export function afterAct(workspace: OpenWorkspace, rowIds: readonly number[]): QueueItem {
  const { emit, sync } = workspace;
  const items = rowIds.map((id) => queueItem(workspace, workspace.work.outbox.rows.get(id)));
  for (const item of items) emit({ type: 'queue.changed', item });
  const last = items.at(-1);
  if (!last) throw new Error('an act made no row');
  emit({ type: 'cases.changed', caseIds: [last.caseId] });
  sync.state.changed();
  sync.delivery.deliverSoon();
  return last;
}

/**
 * Queues amounts. @returns the rows of the outbox that are new or no longer sent; see `afterAct`
 */
export function queueAmounts(
  workspace: OpenWorkspace,
  { id, costEstimateRappen, approvedRappen }: Parameters<Handlers['cases']['setAmounts']>[0],
): number[] {
  if (costEstimateRappen === undefined && approvedRappen === undefined) {
    throw new DeskError('invalid_input', { field: 'costEstimateRappen', rule: 'required' });
  }
  const { record, seen } = findCase(workspace, id);
  assertTakesWork(record, seen.status);
  return enqueue(workspace, record, {
    kind: 'amounts',
    ...amountsOver(seen.amounts, { costEstimateRappen, approvedRappen }),
    seen: amountsOf(seen.amounts),
  });
}

export function queueComment(
  workspace: OpenWorkspace,
  { id, text }: Parameters<Handlers['cases']['setComment']>[0],
): number[] {
  const { record, seen } = findCase(workspace, id);
  assertTakesWork(record, seen.status);
  assertCommentLength(text);
  return enqueue(workspace, record, { kind: 'comment', text, seen: seen.comment });
}

export function queueReopening(
  workspace: OpenWorkspace,
  { id, reason }: Parameters<Handlers['cases']['reopen']>[0],
): number[] {
  const { record, seen } = findCase(workspace, id);
  assertReopenable(record, seen.status);
  return enqueue(workspace, record, { kind: 'reopen', reason: parseReason(reason) });
}

function enqueue(
  workspace: OpenWorkspace,
  record: CaseRecord,
  act: Exclude<Act, { kind: 'report' }>,
): number[] {
  const target = { caseId: record.id, externalKey: record.externalKey };
  const { work, sync, emit } = workspace;
  return work.together(() => {
    const taken = takeEdits(workspace, record.id, act);
    const isSent = (rowId: number) => sync.delivery.isDelivering(rowId);
    const { id, superseded } = work.outbox.enqueue(target, taken.act, [{ kind: act.kind }], isSent);
    work.onceStored(() => {
      for (const place of taken.parts)
        emit({ type: 'typed.changed', place, id: record.id, text: null, window: null });
    });
    return [...superseded, id];
  });
}
