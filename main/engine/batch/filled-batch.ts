import type { BatchSheetCase } from '#shared/desk/batch.ts';
import { DeskError } from '#shared/desk/errors.ts';
import {
  makeDocument,
  type ReportContent,
  type ReportDocument,
  type TemplateTools,
} from '../templates/fill-report.ts';
import type { OpenWorkspace } from '../workspace/open-workspace.ts';
import {
  contentsOf,
  type FilledBatch,
  isBlocked,
  judgedFiles,
  type MadeReport,
  reportBatch,
} from './open-batch.ts';
import type { NamedCases } from './read-sheet.ts';
import { judgeNamed, reportNamed, withoutFiles } from './sheet-cases.ts';

/** A template that a batch fills for its cases. */
export interface BatchTemplate {
  readonly templateId: string;
  /** Its PDF is sent. */
  readonly asPdf: boolean;
}

/**
 * A template that cannot be filled stops a batch before anything of it is taken.
 * @throws {DeskError} template_not_found, template_faulty, template_refused, pdf_program_missing
 */
export async function assertFillable(
  workspace: OpenWorkspace,
  { library, makesPdf }: TemplateTools,
  { templateId, asPdf }: BatchTemplate,
): Promise<void> {
  await library.read(workspace, templateId);
  if (asPdf && !makesPdf()) throw new DeskError('pdf_program_missing');
}

/**
 * Makes the reports of a batch with what was filled for it: for the cases of its files, and for
 * those that only the sheet names.
 * @param lines of the sheet that was applied, by case
 */
export function reportFilled(
  workspace: OpenWorkspace,
  batchId: string,
  given: { templateId: string; submit: boolean; lines: NamedCases; filled: FilledBatch },
): {
  made: MadeReport[];
  failures: ReadonlyMap<string, DeskError>;
  sheetCases: BatchSheetCase[];
} {
  const { templateId, submit, lines, filled } = given;
  const cases = judgedFiles(workspace, batchId).map(({ item }) => item.caseId);
  const alone = withoutFiles(lines, cases);
  const { made, failures } = reportBatch(workspace, batchId, { submit, filled });
  const comment = workspace.work.batches.get(batchId).comment.trim();
  const named = reportNamed(workspace, alone, { templateId, submit, comment, ...filled });
  return { made: [...made, ...named.made], failures, sheetCases: named.items };
}

/**
 * Fills a template for each case that will have a report of new files, and for those that only the
 * sheet names; a report that has a filled document already is left with that.
 * @param lines of the sheet, by case
 * @throws {DeskError} template_not_found, template_faulty, template_refused, pdf_program_missing,
 * disk_full: those are not the fault of one case
 */
export async function fillBatch(
  workspace: OpenWorkspace,
  tools: TemplateTools,
  batchId: string,
  { templateId, asPdf, lines }: BatchTemplate & { lines: NamedCases },
): Promise<FilledBatch> {
  const documents = new Map<string, ReportDocument>();
  const failures = new Map<string, DeskError>();
  const fill = async (report: ReportContent) => {
    const { caseId } = report;
    const order = { templateId, asPdf, report, line: lines.get(caseId) };
    try {
      documents.set(caseId, await makeDocument(workspace, tools, order));
    } catch (error) {
      if (!(error instanceof DeskError) || !isOfCase(error)) throw error;
      failures.set(caseId, error);
    }
  };
  const byCase = Map.groupBy(judgedFiles(workspace, batchId), ({ item }) => item.caseId);
  for (const [caseId, ofCase] of byCase) {
    if (caseId === null || ofCase.some(({ item }) => isBlocked(item))) continue;
    const { begun, ready } = contentsOf(ofCase);
    const before = begun === null ? [] : workspace.work.drafts.get(begun).attachments;
    if (ready.length === 0 || before.some(({ details }) => details.filled !== null)) continue;
    const attachments = [...before, ...ready.flatMap(({ file }) => file.attachments)];
    await fill({ caseId, attachments });
  }
  const alone = withoutFiles(lines, byCase.keys());
  for (const { caseId, outcome } of judgeNamed(workspace, alone, templateId))
    if (outcome === 'ready') await fill({ caseId, attachments: [] });
  return { documents, failures, cases: new Set(byCase.keys()) };
}

const isOfCase = ({ code }: DeskError) => code === 'file_too_large' || code === 'pdf_not_made';
