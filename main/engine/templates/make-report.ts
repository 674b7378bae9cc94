import { DeskError } from '#shared/desk/contract/errors.ts';
import type { ReportDraft } from '#shared/desk/reports/reports.ts';
import type { CaseRecord } from '../cache/case-records.ts';
import { afterAct, assertTakesWork } from '../cases/acts.ts';
import { findCase } from '../cases/case-view.ts';
import { announceDraft, queueDraft } from '../cases/report-drafts.ts';
import type { NewReport } from '../engine.ts';
import {
  assertSentUnseen,
  parseDetails,
  type StoredAttachment,
  type TakenFile,
} from '../work/attachment-rows.ts';
import { takeFile } from '../work/take-file.ts';
import type { OpenWorkspace } from '../workspace/open-workspace.ts';
import { makeDocument, type PdfChoice, putDocument, type TemplateTools } from './fill-report.ts';
import { makeOnePdf } from './make-one-pdf.ts';

/** A draft with all of its files, queued on request; all of it or nothing. */
export async function makeReport(
  workspace: OpenWorkspace,
  tools: TemplateTools,
  ref: string,
  report: NewReport,
): Promise<ReportDraft> {
  const { work } = workspace;
  const { record, seen } = findCase(workspace, ref);
  if (report.submit) {
    assertTakesWork(record, seen.status);
    if (report.files.length === 0 && !report.template)
      throw new DeskError('draft_without_documents');
  }
  const files: TakenFile[] = [];
  for (const file of [...report.files, ...(report.annexes?.files ?? [])])
    files.push(await takeFile(workspace, { ...file, isAlone: true }));
  const taken = files.map(asAttachment);
  if (report.submit) taken.forEach(assertSentUnseen);
  const { documents, drafts } = work;
  const document = await documentOf(workspace, tools, record, report, taken);
  const bound = document ? null : await boundOf(workspace, tools, record, report, taken);
  const { draftId, rowId } = work.together(() => {
    const draftId = drafts.create(record.id).id;
    drafts.update({ draftId, comment: report.comment });
    const ids = files.map((file) => drafts.addAttachment(draftId, file).id);
    const idOf = (at: string) => ids[Number(at)] ?? '';
    if (document) putDocument(work, draftId, document, idOf);
    if (bound) documents.putBound(draftId, bound.taken, bound.partIds.map(idOf));
    const rowId = report.submit ? queueDraft(workspace, drafts.get(draftId)) : null;
    return { draftId, rowId };
  });
  if (rowId !== null) afterAct(workspace, [rowId]);
  return announceDraft(workspace, drafts.get(draftId));
}

/** A file of the draft that is not made yet: its id is its place. */
const asAttachment = (file: TakenFile, at: number): StoredAttachment => ({
  ...file,
  id: String(at),
  details: parseDetails(file.found ?? {}),
});

/** The files of a report that are annexes; null if there are none. */
const annexesOf = (
  { files, annexes }: NewReport,
  taken: readonly StoredAttachment[],
): PdfChoice | null =>
  annexes ? { annexes: taken.slice(files.length), maxBytes: annexes.maxBytes } : null;

/** The filled template of a new report, and its PDF. */
async function documentOf(
  workspace: OpenWorkspace,
  tools: TemplateTools,
  { id: caseId, category }: CaseRecord,
  report: NewReport,
  taken: readonly StoredAttachment[],
) {
  const { template, files } = report;
  if (!template) return null;
  const templateId = await tools.library.idOf(workspace, template.name, category);
  const pdf = annexesOf(report, taken) ?? (template.asPdf ? { annexes: [] } : null);
  // What is an annex is not a photo of the document, too.
  const attachments = taken.slice(0, files.length);
  return await makeDocument(workspace, tools, { templateId, pdf, report: { caseId, attachments } });
}

/** One PDF of the first file and the annexes; null without annexes. */
async function boundOf(
  workspace: OpenWorkspace,
  tools: TemplateTools,
  { id: caseId }: CaseRecord,
  report: NewReport,
  taken: readonly StoredAttachment[],
): Promise<{ taken: TakenFile; partIds: string[] } | null> {
  const choice = annexesOf(report, taken);
  if (!choice) return null;
  const [first] = taken;
  if (!first || first.contentType !== 'application/pdf' || report.files.length === 0)
    throw new DeskError('annex_not_bound', { fileName: first?.fileName ?? '', rule: 'annex_kind' });
  const language = tools.library.languageOf(workspace, '');
  const bound = await makeOnePdf(workspace, tools, { caseId, language, report: first, ...choice });
  return { taken: bound, partIds: [first.id, ...choice.annexes.map(({ id }) => id)] };
}
