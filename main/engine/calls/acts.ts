import { amountNames, type Amounts } from '#shared/desk/amounts.ts';
import type { BatchCase } from '#shared/desk/batch.ts';
import type { CaseSummary } from '#shared/desk/cases.ts';
import { reasonMaxLength } from '#shared/api/limits.ts';
import { awaitsWork, canReopen, takesDrafts } from '#shared/api/states.ts';
import { DeskError } from '#shared/desk/errors.ts';
import type { QueueEdit, QueueItem } from '#shared/desk/queue.ts';
import { assertCommentLength } from '../work/drafts.ts';
import type { Act } from '../work/outbox-records.ts';
import type { CaseRecord } from '../cache/case-records.ts';
import type { OpenWorkspace } from '../workspace/open-workspace.ts';
import { queueItem } from '../workspace/queue-view.ts';

/**
 * An undocumented status is left to the server.
 * @param status as the user sees it, unsent work included
 * @throws {DeskError} case_state, server_case_gone
 */
export function assertTakesWork(record: CaseRecord, status: string): void {
  const refusal = workRefusal({ goneReason: record.goneReason, status });
  if (refusal) throw refusal;
}

/** Why a case takes no work; null if it does, or if the work waits until it does. */
export function workRefusal(seen: Pick<CaseSummary, 'goneReason' | 'status'>): DeskError | null {
  const { goneReason, status } = seen;
  if (goneReason !== null) return gone(goneReason);
  return takesDrafts(status) ? null : new DeskError('case_state', { status });
}

/** A case as the table of a batch names it. */
export function batchCase(item: CaseSummary): BatchCase {
  const { id, externalKey, partyName, subject, licensePlate } = item;
  const problem = workRefusal(item)?.problem ?? null;
  const awaits = awaitsWork(item.status);
  return { id, externalKey, partyName, subject, licensePlate, problem, awaits };
}

/** @throws {DeskError} case_state, server_case_gone */
export function assertReopenable(record: CaseRecord, status: string): void {
  if (record.goneReason !== null) throw gone(record.goneReason);
  if (!canReopen(status)) throw new DeskError('case_state', { status });
}

function gone(reason: NonNullable<CaseRecord['goneReason']>): DeskError {
  return new DeskError('server_case_gone', { status: reason === 'forbidden' ? 403 : 404 });
}

/**
 * An act of the queue with the user's changes; absent values stay.
 * @throws {DeskError} invalid_input if the act has no such value, and what its values may throw
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

/** The amounts with what the user set over the earlier ones. */
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

/** Reports the rows to the windows and sends what waits; returns the last row. */
export function afterAct(workspace: OpenWorkspace, rowIds: readonly number[]): QueueItem {
  const { emit, sync } = workspace;
  const items = rowIds.map((id) => queueItem(workspace, workspace.work.outbox.get(id)));
  for (const item of items) emit({ type: 'queue.changed', item });
  const last = items.at(-1);
  if (!last) throw new Error('an act made no row');
  emit({ type: 'cases.changed', caseIds: [last.caseId] });
  emit({ type: 'sync.changed', status: sync.status() });
  sync.delivery.deliverSoon();
  return last;
}
