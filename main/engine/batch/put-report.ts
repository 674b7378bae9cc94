import type { BatchResult } from '#shared/desk/reports/batch.ts';
import { afterAct } from '../cases/acts.ts';
import { findCase } from '../cases/case-view.ts';
import { putDocument, type ReportDocument } from '../templates/fill-report.ts';
import type { BatchFile } from '../work/batches.ts';
import type { OpenWorkspace } from '../workspace/open-workspace.ts';
import { queueDraft } from '../cases/report-drafts.ts';

export type MadeReport = BatchResult['reports'][number];

interface ReportOrder {
  readonly caseId: string;
  /** The draft that is continued; null for a new one. */
  readonly draftId: string | null;
  /** The files of the batch, which are added at the end of the draft. */
  readonly files: readonly BatchFile[];
  /** The filled template; null if the report gets none. */
  readonly document: ReportDocument | null;
  /** The comment; if it is empty, the draft's comment stays. */
  readonly comment: string;
  readonly submit: boolean;
}

/**
 * Makes or continues the draft of a report, and queues it if requested. It is called within
 * `work.together`, so that a crash leaves all or none of it.
 * @throws {DeskError} the errors of `queueDraft`
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

/** Notifies the windows of a report after it is stored. */
export function announceReport(workspace: OpenWorkspace, { caseId, queueId }: MadeReport): void {
  workspace.emit({ type: 'reports.changed', caseId });
  if (queueId !== null) afterAct(workspace, [queueId]);
}
