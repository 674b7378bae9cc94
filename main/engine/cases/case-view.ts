import { watched } from '#main/log/long-work.ts';
import { nextCaseStatus } from '#shared/api/states.ts';
import type { Amounts } from '#shared/desk/cases/amounts.ts';
import type { CaseDetail, CaseSummary, CaseHistory } from '#shared/desk/cases/cases.ts';
import { DeskError, type DeskProblem } from '#shared/desk/contract/errors.ts';
import { savingOf } from '#shared/lib/money.ts';
import { wholeList } from '#shared/lib/whole-list.ts';
import type { RecordChange } from '../cache/case-changes.ts';
import type { CaseRecord } from '../cache/case-records.ts';
import { parsePayload } from '#shared/payload/parse-payload.ts';
import type { CaseOverlay } from '../work/overlay.ts';
import { goneReason } from '../sync/failures.ts';
import type { OpenWorkspace } from '../workspace/open-workspace.ts';
import { visibleText } from '#shared/lib/visible-text.ts';

function withSaving({ costEstimateRappen, approvedRappen }: Amounts) {
  const savingsRappen = savingOf(costEstimateRappen, approvedRappen);
  return { costEstimateRappen, approvedRappen, savingsRappen };
}

/**
 * The reason why a list of a case is unknown; null if it is known, or was not requested. Some
 * servers answer 404 if the list is empty, although they return the case itself.
 */
export function whyUnknown(
  { cache }: Pick<OpenWorkspace, 'cache'>,
  caseId: string,
  { listedAt, failure }: { listedAt: string | null; failure: DeskError | null },
): DeskProblem | null {
  if (listedAt !== null || failure === null) return null;
  const isThere = cache.cases.find(caseId)?.goneReason === null;
  return goneReason(failure) !== null && isThere ? null : failure.problem;
}

/**
 * The status, amounts and comment as the user sees them: the server's values, overlaid by the
 * unsent work.
 */
function seenValues(record: CaseRecord, overlay: CaseOverlay | undefined) {
  return {
    status:
      (overlay?.reopened ? nextCaseStatus(record.status, 'reopen') : undefined) ?? record.status,
    amounts: overlay?.amounts ?? record,
    comment: overlay?.comment ?? record.expertComment,
  };
}

/**
 * A case by its id or external key, with its unsent work and its values as the user sees them.
 * @throws {DeskError} case_not_found, case_ambiguous
 */
export function findCase({ cache, work }: OpenWorkspace, ref: string) {
  const record = cache.cases.find(ref);
  if (!record) {
    const count = cache.cases.countOfKey(ref);
    // Work that is meant for one case must not reach another.
    if (count > 1) throw new DeskError('case_ambiguous', { id: ref, count });
    throw new DeskError('case_not_found', { id: ref });
  }
  const overlay = work.overlays.of([record.id]).get(record.id);
  return { record, overlay, seen: seenValues(record, overlay) };
}

/** The rows of the case list. */
export function caseSummaries(
  { work }: OpenWorkspace,
  records: readonly CaseRecord[],
): CaseSummary[] {
  const ids = records.map(({ id }) => id);
  const overlays = work.overlays.of(ids);
  const handlers = work.local.handlersOf(ids);
  return records.map((record) => caseSummary(record, overlays.get(record.id), handlers));
}

function caseSummary(
  record: CaseRecord,
  overlay: CaseOverlay | undefined,
  handlers: ReadonlyMap<string, string>,
): CaseSummary {
  const seen = seenValues(record, overlay);
  return {
    ...record,
    status: seen.status,
    expertComment: seen.comment,
    ...withSaving(seen.amounts),
    pendingCount: overlay?.pendingCount ?? 0,
    needsAttention: overlay?.needsAttention ?? false,
    unsentEdits: overlay?.unsentEdits ?? [],
    handledBy: handlers.get(record.id) ?? '',
  };
}

const handedIn: ReadonlySet<string> = new Set(['Submitted', 'Approved', 'Returned']);

/** The data of a case's page. */
export function caseDetail(workspace: OpenWorkspace, ref: string): CaseDetail {
  const { record, overlay } = findCase(workspace, ref);
  const payloadJson = workspace.cache.cases.payloadJson(record.id);
  return {
    ...caseSummary(record, overlay, workspace.work.local.handlersOf([record.id])),
    payloadJson: visibleText(payloadJson),
    payload: watched('show a case', payloadJson.length, () => parsePayload(payloadJson)),
    reportSent:
      overlay?.reportQueued === true ||
      workspace.work.outbox.rows.hasDeliveredReport(record.id) ||
      hasSentReport(workspace, record.id),
    server: { expertComment: record.expertComment, ...withSaving(record) },
  };
}

/**
 * Whether a report was handed in: it is with the insurer, approved, or came back. Null if no list was
 * ever read.
 */
export function hasSentReport(
  { cache }: Pick<OpenWorkspace, 'cache'>,
  caseId: string,
): boolean | null {
  if (cache.reports.listedAt(caseId) === null) return null;
  return cache.reports.list(caseId).some(({ status }) => handedIn.has(status));
}

/** The history of a case. */
export function historyView(
  readings: readonly { at: string; changes: readonly RecordChange[] }[],
): CaseHistory {
  return wholeList(readings.map(({ at, changes }) => ({ at, changes: [...changes] })));
}
