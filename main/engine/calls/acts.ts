import type { BatchCase } from '#shared/desk/batch.ts';
import type { CaseSummary } from '#shared/desk/cases.ts';
import { amountMaxRappen, reasonMaxLength } from '#shared/api/limits.ts';
import { canReopen, takesDrafts } from '#shared/api/states.ts';
import { DeskError } from '#shared/desk/errors.ts';
import { chfFromRappen, rappenFromChf } from '#shared/lib/money.ts';
import type { QueueEdit, QueueItem } from '#shared/desk/queue.ts';
import { assertCommentLength } from '../work/drafts.ts';
import type { Act, Amounts } from '../work/outbox-records.ts';
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
  return { id, externalKey, partyName, subject, licensePlate, problem };
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
  const { costEstimateAmount, approvedAmount, text, reason } = input;
  const given = { costEstimateAmount, approvedAmount, text, reason };
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
  return { ...act, ...amountsOver(act, { costEstimateAmount, approvedAmount }) };
}

/** Amounts in Rappen, with what the user set over the earlier ones. @throws as `parseAmountOf` */
export function amountsOver(
  before: Amounts,
  { costEstimateAmount, approvedAmount }: Pick<QueueEdit, 'costEstimateAmount' | 'approvedAmount'>,
): Amounts {
  const over = (field: string, chf: number | null | undefined, shown: number | null) =>
    chf === undefined ? shown : parseAmountOf(field, chf);
  return {
    costEstimateRappen: over('costEstimateAmount', costEstimateAmount, before.costEstimateRappen),
    approvedRappen: over('approvedAmount', approvedAmount, before.approvedRappen),
  };
}

const editable = {
  amounts: ['costEstimateAmount', 'approvedAmount'],
  comment: ['text'],
  reopen: ['reason'],
  report: [],
} as const;

/**
 * Decimal CHF as the user set it, in whole Rappen.
 * @throws {DeskError} amount_negative, amount_too_many_decimals, amount_too_large
 */
export function parseAmountOf(field: string, chf: number | null): number | null {
  if (chf === null) return null;
  if (chf < 0) throw new DeskError('amount_negative', { field });
  if (chf > chfFromRappen(amountMaxRappen)) {
    throw new DeskError('amount_too_large', { field, max: chfFromRappen(amountMaxRappen) });
  }
  try {
    return rappenFromChf(chf);
  } catch (error) {
    throw new DeskError('amount_too_many_decimals', { field }, { cause: error });
  }
}

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
