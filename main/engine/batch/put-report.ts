import type { BatchResult } from '#shared/desk/batch.ts';
import { afterAct } from '../calls/acts.ts';
import { findCase } from '../calls/case-view.ts';
import { queueDraft } from '../calls/reports.ts';
import { putDocument, type ReportDocument } from '../templates/fill-report.ts';
import type { BatchFile } from '../work/batches.ts';
import type { OpenWorkspace } from '../workspace/open-workspace.ts';

export type MadeReport = BatchResult['reports'][number];

interface ReportOrder {
  readonly caseId: string;
  /** That is continued; null: a new one. */
  readonly draftId: string | null;
  /** Of the batch, for the end of the draft. */
  readonly files: readonly BatchFile[];
  /** The filled template; null: it gets none. */
  readonly document: ReportDocument | null;
  /** Empty: that of the draft stays. */
  readonly comment: string;
  readonly submit: boolean;
}

/**
 * Makes or continues the draft of a report, and queues it on request. For `work.together`, so that a
 * kill leaves it whole or untouched.
 * @throws {DeskError} as `queueDraft`
 */
export function putReport(
  workspace: OpenWorkspace,
  { caseId, draftId: before, files, document, comment, submit }: ReportOrder,
): MadeReport {
  const { drafts } = workspace.work;
  const draftId = before ?? drafts.create(caseId).id;
  drafts.takeOver(
    draftId,
    files.flatMap(({ attachments, isSalvageSale }) =>
      attachments.map(({ id }) => ({ id, isSalvageSale })),
    ),
  );
  if (document) putDocument(workspace.work, draftId, document);
  if (comment !== '') drafts.update({ draftId, comment });
  const { externalKey } = findCase(workspace, caseId).record;
  const queueId = submit ? queueDraft(workspace, drafts.get(draftId)) : null;
  return { caseId, externalKey, draftId, queueId, files: drafts.get(draftId).attachments.length };
}

/** Notifies of a report that was made, once it is stored. */
export function announceReport(workspace: OpenWorkspace, { caseId, queueId }: MadeReport): void {
  workspace.emit({ type: 'reports.changed', caseId });
  if (queueId !== null) afterAct(workspace, [queueId]);
}
