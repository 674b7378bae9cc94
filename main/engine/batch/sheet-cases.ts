import type { BatchSheetCase } from '#shared/desk/reports/batch.ts';
import { DeskError } from '#shared/desk/contract/errors.ts';
import type { ReportDocument } from '../templates/fill-report.ts';
import type { OpenWorkspace } from '../workspace/open-workspace.ts';
import { announceReport, type MadeReport, putReport } from './put-report.ts';
import type { NamedCases } from './read-sheet.ts';
import { batchCase } from './batch-case.ts';
import { casesOf } from '../cases/list-cases.ts';

/** A case of a sheet, and the hash of its lines. */
export type NamedCase = readonly [caseId: string, lineHash: string];

/** The cases of a sheet to which no file of the batch belongs. */
export function withoutFiles(named: NamedCases, ofFiles: Iterable<string | null>): NamedCases {
  const withFiles = new Set(ofFiles);
  return new Map([...named].filter(([caseId]) => !withFiles.has(caseId)));
}

/**
 * The outcome of a case that only the sheet names; null if the case is not on this laptop any more.
 * A document that was filled for the same line is recognized. A draft stays unchanged if its
 * document has other values, or if the user filled it.
 */
export function judgeNamed(
  workspace: OpenWorkspace,
  [caseId, lineHash]: NamedCase,
  templateId: string,
): BatchSheetCase | null {
  const [summary] = casesOf(workspace, [caseId]);
  if (!summary) return null;
  const { externalKey, problem } = batchCase(summary);
  const places = workspace.work.documents.placesOf(caseId, templateId);
  const same = places.find(({ line }) => line === lineHash);
  const other = places.find(({ queueId }) => queueId === null);
  const { draftId = null, queueId = null } = same ?? other ?? {};
  const item = { caseId, externalKey, problem: null, draftId, queueId };
  if (same && queueId !== null) return { ...item, outcome: 'known' };
  if (problem) return { ...item, problem, outcome: 'refused' };
  if (same) return { ...item, outcome: 'known' };
  if (!other) return { ...item, outcome: 'ready' };
  const { problem: stays } = new DeskError('draft_filled_otherwise');
  return { ...item, problem: stays, outcome: 'kept_back' };
}

interface NamedOrder {
  readonly submit: boolean;
  readonly comment: string;
  /** The document of a case that is ready. */
  readonly document: ReportDocument | null;
}

/**
 * Makes the report of a filled document in one step. If an earlier run left a draft, the draft is
 * continued.
 * @throws {DeskError} the errors of `queueDraft`
 */
export function putNamed(
  workspace: OpenWorkspace,
  sheetCase: BatchSheetCase,
  order: NamedOrder,
): { sheetCase: BatchSheetCase; report: MadeReport | null } {
  const { caseId, outcome } = sheetCase;
  const { submit } = order;
  const isNew = outcome === 'ready' && order.document !== null;
  const isContinued = outcome === 'known' && submit && sheetCase.queueId === null;
  if (!isNew && !isContinued) return { sheetCase, report: null };
  // A draft that is continued already has its document and its comment.
  const put = isNew
    ? { ...order, draftId: null }
    : { submit, document: null, comment: '', draftId: sheetCase.draftId };
  const report = workspace.work.together(() => putReport(workspace, { ...put, caseId, files: [] }));
  announceReport(workspace, report);
  const { draftId, queueId } = report;
  return { sheetCase: { ...sheetCase, draftId, queueId, outcome: 'added' }, report };
}
