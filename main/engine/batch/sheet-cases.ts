import type { BatchResult, BatchSheetCase } from '#shared/desk/batch.ts';
import { DeskError } from '#shared/desk/errors.ts';
import { afterAct, batchCase } from '../calls/acts.ts';
import { findCase } from '../calls/case-view.ts';
import { casesOf } from '../calls/cases.ts';
import { queueDraft } from '../calls/reports.ts';
import { putDocument, type ReportDocument } from '../templates/fill-report.ts';
import type { OpenWorkspace } from '../workspace/open-workspace.ts';
import type { NamedCases } from './read-sheet.ts';

/** Cases of a sheet that no file of the batch belongs to. */
export function withoutFiles(named: NamedCases, ofFiles: Iterable<string | null>): NamedCases {
  const withFiles = new Set(ofFiles);
  return new Map([...named].filter(([caseId]) => !withFiles.has(caseId)));
}

/**
 * What becomes of each case that only the sheet names. What was filled for the same line is
 * recognized; a draft with a document of other values, or one that the user filled, stays as it is.
 */
export function judgeNamed(
  workspace: OpenWorkspace,
  named: NamedCases,
  templateId: string,
): BatchSheetCase[] {
  const summaries = new Map(casesOf(workspace, [...named.keys()]).map((one) => [one.id, one]));
  return [...named].flatMap(([caseId, line]): BatchSheetCase[] => {
    const summary = summaries.get(caseId);
    if (!summary) return [];
    const { externalKey, problem } = batchCase(summary);
    const places = workspace.work.documents.placesOf(caseId, templateId);
    const same = places.find((place) => place.line === line);
    const other = places.find(({ queueId }) => queueId === null);
    const { draftId = null, queueId = null } = same ?? other ?? {};
    const item = { caseId, externalKey, problem: null, draftId, queueId };
    if (same) return [{ ...item, outcome: 'known' }];
    if (problem) return [{ ...item, problem, outcome: 'refused' }];
    return [{ ...item, outcome: other ? 'kept_back' : 'ready' }];
  });
}

interface ReportHow {
  readonly submit: boolean;
  /** On every report that is made. */
  readonly comment: string;
}
interface NamedOrder extends ReportHow {
  readonly templateId: string;
  readonly documents: ReadonlyMap<string, ReportDocument>;
  readonly failures: ReadonlyMap<string, DeskError>;
}

/**
 * Makes a report of the filled document for each of these cases, and continues what an earlier run
 * left as a draft; each case is one step.
 * @returns the reports, and what became of each case; one case does not stop the others
 */
export function reportNamed(
  workspace: OpenWorkspace,
  named: NamedCases,
  { templateId, documents, failures, ...how }: NamedOrder,
): { made: BatchResult['reports']; items: BatchSheetCase[] } {
  const made: BatchResult['reports'] = [];
  // Judged again: the window may have filled one in the meantime.
  const items = judgeNamed(workspace, named, templateId).map((item): BatchSheetCase => {
    const { caseId } = item;
    const failure = failures.get(caseId);
    if (failure) return { ...item, outcome: 'refused', problem: failure.problem };
    try {
      const document = documents.get(caseId);
      const report = workspace.work.together(() =>
        reportOne(workspace, item, { ...how, document }),
      );
      if (!report) return item;
      made.push(report);
      const { draftId, queueId } = report;
      workspace.emit({ type: 'reports.changed', caseId });
      if (queueId !== null) afterAct(workspace, [queueId]);
      return { ...item, draftId, queueId, outcome: 'added' };
    } catch (error) {
      if (!(error instanceof DeskError)) throw error;
      return { ...item, outcome: 'refused', problem: error.problem };
    }
  });
  return { made, items };
}

function reportOne(
  workspace: OpenWorkspace,
  { caseId, outcome, draftId: before, queueId: sent }: BatchSheetCase,
  { submit, comment, document }: ReportHow & { document: ReportDocument | undefined },
): BatchResult['reports'][number] | null {
  const { drafts } = workspace.work;
  const isNew = outcome === 'ready' && document !== undefined;
  const isContinued = outcome === 'known' && submit && sent === null;
  if (!isNew && !isContinued) return null;
  const draftId = isNew || before === null ? drafts.create(caseId).id : before;
  if (isNew) {
    putDocument(workspace.work, draftId, document);
    drafts.update({ draftId, comment });
  }
  const { record } = findCase(workspace, caseId);
  const queueId = submit ? queueDraft(workspace, record, drafts.get(draftId)) : null;
  const files = drafts.get(draftId).attachments.length;
  return { caseId, externalKey: record.externalKey, draftId, queueId, files };
}
