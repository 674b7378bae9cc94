import type { BatchSheetCase, BatchTemplate } from '#shared/desk/reports/batch.ts';
import { DeskError } from '#shared/desk/contract/errors.ts';
import { isPictureType } from '#shared/photos/picture-kinds.ts';
import {
  makeDocument,
  type ReportDocument,
  type TemplateTools,
  usesPhotos,
} from '../templates/fill-report.ts';
import { isAnnex } from '../templates/make-one-pdf.ts';
import type { StoredAttachment } from '../work/attachment-rows.ts';
import type { StoredBatch } from '../work/batches.ts';
import type { OpenWorkspace } from '../workspace/open-workspace.ts';
import {
  contentsOf,
  filesByCase,
  hasReport,
  type JudgedBatchFile,
  judgedFiles,
  reportCase,
} from './open-batch.ts';
import type { MadeReport } from './put-report.ts';
import type { NamedCases } from './read-sheet.ts';
import { judgeNamed, type NamedCase, putNamed, withoutFiles } from './sheet-cases.ts';

export interface FillOrder extends BatchTemplate {
  readonly submit: boolean;
  /** The lines of the sheet that was applied, by case. */
  readonly lines: NamedCases;
}

export interface FilledReports {
  readonly made: MadeReport[];
  /** The reasons why cases with files have no report, by case. */
  readonly failures: ReadonlyMap<string, DeskError>;
  readonly sheetCases: BatchSheetCase[];
}

/**
 * Checks the template, because an unusable template must stop the batch before any of its work is
 * queued.
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

export const isSameTemplate = (one: BatchTemplate | null, other: BatchTemplate | null): boolean =>
  one?.templateId === other?.templateId &&
  one?.asPdf === other?.asPdf &&
  (one?.withAnnexes ?? false) === (other?.withAnnexes ?? false);

/** Whether a batch is still the same one, with the same template. */
export const isSameBatch = (before: StoredBatch, now: StoredBatch | null): boolean =>
  now?.id === before.id && isSameTemplate(now.template, before.template);

/**
 * Fills a template for each case of a batch that has a report, and for those that only the sheet
 * names, case after case. A finished document stays if a later one fails. If the user discards the
 * batch or chooses another template in the meantime, the filling stops.
 * @throws {DeskError} disk_full, which does not concern one case
 */
export async function reportFilled(
  workspace: OpenWorkspace,
  tools: TemplateTools,
  batchId: string,
  order: FillOrder,
): Promise<FilledReports> {
  const { batches } = workspace.work;
  const before = batches.get(batchId);
  const isOpen = () => isSameBatch(before, batches.current(before.folder));
  const given = { ...order, batchId, isOpen };
  const made: MadeReport[] = [];
  const failures = new Map<string, DeskError>();
  for (const caseId of filesByCase(workspace, batchId).keys()) {
    if (!isOpen()) break;
    try {
      const report = await reportWithFiles(workspace, tools, { ...given, caseId });
      if (report) made.push(report);
    } catch (error) {
      failures.set(caseId, ofCase(error));
    }
  }
  const sheetCases: BatchSheetCase[] = [];
  const alone = withoutFiles(order.lines, filesByCase(workspace, batchId).keys());
  for (const line of alone) {
    if (!isOpen()) break;
    const item = await reportAlone(workspace, tools, { ...given, line });
    if (!item) continue;
    sheetCases.push(item.sheetCase);
    if (item.report) made.push(item.report);
  }
  return { made, failures, sheetCases };
}

/** The error if it concerns only one case. @throws any other error */
function ofCase(error: unknown): DeskError {
  if (error instanceof DeskError && error.code !== 'disk_full') return error;
  throw error;
}

/** The order of one batch. */
interface GivenOrder extends FillOrder {
  readonly batchId: string;
  /** Whether the batch still exists with this template. */
  readonly isOpen: () => boolean;
}

/**
 * Makes the report of a case with files; null if the case has none, the report was already sent, or
 * the batch ended.
 */
async function reportWithFiles(
  workspace: OpenWorkspace,
  tools: TemplateTools,
  order: GivenOrder & { caseId: string },
): Promise<MadeReport | null> {
  const { batchId, caseId, submit, isOpen } = order;
  const files = () => judgedFiles(workspace, batchId, caseId);
  for (let ofCase = files(); hasReport(ofCase, submit);) {
    const attachments = attachmentsOf(workspace, ofCase);
    const document = await documentFor(workspace, tools, { ...order, attachments });
    if (!isOpen()) return null;
    // During the filling, the user may have changed what is sent with the document.
    const now = files();
    if (namesOf(attachmentsOf(workspace, now)) === namesOf(attachments) && hasReport(now, submit))
      return reportCase(workspace, batchId, { caseId, ofCase: now, submit, document });
    ofCase = now;
  }
  return null;
}

/** The attachments of these files as the template sees them before it is filled. */
function attachmentsOf(
  { work: { drafts } }: OpenWorkspace,
  ofCase: readonly JudgedBatchFile[],
): StoredAttachment[] {
  const { begun, ready } = contentsOf(ofCase);
  const before = begun === null ? [] : drafts.get(begun).attachments;
  return [...before, ...ready.flatMap(({ file }) => file.attachments)];
}

const namesOf = (attachments: readonly StoredAttachment[]) =>
  attachments.map(({ id, sha256, fileName }) => [id, sha256, fileName].join('\n')).join('\n');

/**
 * The document of a report; null if the report already has one.
 * @throws {DeskError} draft_filled_otherwise if the document of the draft has other values than the
 *   sheet, and the errors of `makeDocument`
 */
async function documentFor(
  workspace: OpenWorkspace,
  tools: TemplateTools,
  order: FillOrder & { caseId: string; attachments: readonly StoredAttachment[] },
): Promise<ReportDocument | null> {
  const { templateId, asPdf, withAnnexes, caseId, attachments, lines } = order;
  const line = lines.get(caseId);
  const filled = attachments.flatMap(({ details }) => details.filled ?? []);
  if (filled.length > 0) {
    if (line === undefined || filled.some((one) => one.line === line)) return null;
    throw new DeskError('draft_filled_otherwise');
  }
  const report = { caseId, attachments };
  const annexes = withAnnexes === true ? await annexesOf(workspace, tools, order) : [];
  const pdf = asPdf ? { annexes } : null;
  return await makeDocument(workspace, tools, { templateId, pdf, report, line });
}

/** The PDFs of a case, and its pictures if the template does not place them. */
async function annexesOf(
  workspace: OpenWorkspace,
  { library }: TemplateTools,
  { templateId, attachments }: FillOrder & { attachments: readonly StoredAttachment[] },
): Promise<StoredAttachment[]> {
  const { content } = await library.read(workspace, templateId);
  const isPlaced = (file: StoredAttachment) =>
    usesPhotos(content) && isPictureType(file.contentType);
  return attachments.filter((file) => isAnnex(file) && !isPlaced(file));
}

/**
 * Makes the report of a case that only the sheet names; null if a file of the case was added in the
 * meantime, or the batch ended.
 */
async function reportAlone(
  workspace: OpenWorkspace,
  tools: TemplateTools,
  order: GivenOrder & { line: NamedCase },
): Promise<{ sheetCase: BatchSheetCase; report: MadeReport | null } | null> {
  const { batchId, line, templateId, asPdf, submit, isOpen } = order;
  const [caseId, lineHash] = line;
  const judge = () => judgeNamed(workspace, line, templateId);
  const before = judge();
  if (!before) return null;
  try {
    const report = { caseId, attachments: [] };
    const pdf = asPdf ? { annexes: [] } : null;
    const document =
      before.outcome === 'ready'
        ? await makeDocument(workspace, tools, { templateId, pdf, report, line: lineHash })
        : null;
    // The window may have filled a document, or a file may have been added, during the filling.
    const now = judge();
    const hasFiles = judgedFiles(workspace, batchId, caseId).length > 0;
    if (!isOpen() || !now || hasFiles) return null;
    const comment = workspace.work.batches.get(batchId).comment.trim();
    return putNamed(workspace, now, { submit, comment, document });
  } catch (error) {
    const { problem } = ofCase(error);
    return { sheetCase: { ...before, outcome: 'refused', problem }, report: null };
  }
}
