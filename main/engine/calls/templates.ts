import { join } from 'node:path';
import { DeskError } from '#shared/desk/contract/errors.ts';
import type { ReportDraft } from '#shared/desk/reports/reports.ts';
import type {
  AddedTemplate,
  FillInput,
  OnePdfInput,
  Signature,
} from '#shared/desk/reports/templates.ts';
import type { Language } from '#shared/i18n/language.ts';
import { extensionOf } from '#shared/lib/file-type.ts';
import type { Handlers } from '../engine.ts';
import { PictureReducer } from '../photos/picture-reducer.ts';
import {
  fieldValues,
  fillTemplate,
  makeReportPdf,
  pdfOf,
  previewFill,
  type TemplateTools,
} from '../templates/fill-report.ts';
import { makeOnePdf } from '../templates/make-one-pdf.ts';
import { OnePdfThread } from '../templates/one-pdf/one-pdf-thread.ts';
import { findOffice } from '../templates/make-pdf.ts';
import { bytesOf, TemplateLibrary, viewOf } from '../templates/template-library.ts';
import { OpenedReports } from '../templates/opened-reports.ts';
import { readSignature, signatureView } from '../templates/signature.ts';
import { TemplateThread } from '../templates/template-thread.ts';
import { TemplateWorkshop } from '../templates/template-workshop.ts';
import type { StoredAttachment } from '../work/attachment-rows.ts';
import { type IncomingFile, takeFile } from '../work/take-file.ts';
import type { OpenWorkspace } from '../workspace/open-workspace.ts';
import { caseDetail } from '../cases/case-view.ts';
import type { DeskParts } from '../workspace/current-workspace.ts';
import { wholeList } from '#shared/lib/whole-list.ts';
import { announceDraft } from '../cases/report-drafts.ts';

/** The tools, with the documents that are open in other programs. */
export interface OpenTemplates extends TemplateTools {
  readonly opened: OpenedReports;
  readonly workshop: TemplateWorkshop;
}

export function openTemplates({
  settings,
  options,
  current,
}: Pick<DeskParts, 'settings' | 'options' | 'current'>): OpenTemplates {
  const thread = new TemplateThread(options.log);
  const language = () => settings.language;
  const folder = () => settings.templateFolder;
  const office = options.findOffice ?? findOffice;
  const dir = join(options.home, 'opened');
  const library = new TemplateLibrary({ thread, folder, language, clock: options.clock });
  const makePdf: TemplateTools['makePdf'] = (workspace, document) =>
    pdfOf(workspace, document, { dir, office: office() });
  const makesPdf = () => office() !== null;
  return {
    thread,
    library,
    makePdf,
    makesPdf,
    workshop: new TemplateWorkshop(
      { thread, library, makePdf, makesPdf },
      { language, newId: () => options.random.uuid() },
    ),
    reducer: new PictureReducer(options.log),
    binder: new OnePdfThread(options.log),
    opened: new OpenedReports({
      dir: join(options.home, 'opened-reports'),
      current: () => current.open?.workspace ?? null,
      clock: options.clock,
      log: options.log,
      handOver: options.handOver,
    }),
  };
}

export function templateCalls(
  opened: () => OpenWorkspace,
  tools: OpenTemplates,
): Handlers['templates'] {
  const change = <Result>(act: (workspace: OpenWorkspace) => Result): Result => {
    const workspace = opened();
    const result = act(workspace);
    workspace.backUpSoon();
    workspace.emit({ type: 'templates.changed' });
    return result;
  };
  return {
    async list() {
      const items = await tools.library.list(opened());
      const makesPdf = tools.makesPdf();
      return {
        ...wholeList(items),
        ...(await tools.library.folder()),
        makesPdf,
        canOpen: tools.opened.canOpen,
      };
    },
    folder: () => tools.library.folder(),
    look: async ({ templateId }) => await tools.workshop.lookAt(opened(), templateId),
    page: async ({ lookId }) => await tools.workshop.page(opened(), lookId),
    removeUnseen: async ({ templateId }) =>
      await stored(opened(), (workspace) => tools.workshop.removeUnseen(workspace, templateId)),
    versions: ({ templateId }) => wholeList(tools.workshop.versions(opened(), templateId)),
    takeVersion: async ({ templateId, version }) =>
      await stored(opened(), (workspace) =>
        tools.workshop.takeVersion(workspace, templateId, version),
      ),
    change: ({ templateId, ...choices }) =>
      change(({ work }) => viewOf(work.templates.change(templateId, choices))),
    remove: ({ templateId }) =>
      change(({ work }) => {
        work.templates.remove(templateId);
        return {};
      }),
    restore: ({ templateId }) =>
      change(({ work }) => {
        work.templates.restore(templateId);
        return {};
      }),
    appraiser: () => opened().work.templates.appraiser(),
    setAppraiser: (appraiser) =>
      change(({ work }) => {
        work.templates.setAppraiser(appraiser);
        return work.templates.appraiser();
      }),
    signature: () => signatureView(opened().work.templates.signature()),
    removeSignature: () =>
      change(({ work }) => {
        work.templates.setSignature(null);
        return signatureView(null);
      }),
    async fields({ id, language }) {
      const workspace = opened();
      const detail = id === undefined ? null : caseDetail(workspace, id);
      return wholeList(await fieldValues(workspace, detail, language));
    },
    preview: async ({ draftId, templateId }) => {
      const workspace = opened();
      const draft = workspace.work.drafts.get(draftId);
      return await previewFill(workspace, tools, templateId, draft);
    },
    fill: async (input) => await fillDraft(opened(), tools, input),
    async open({ draftId, attachmentId }) {
      await tools.opened.open(opened(), draftId, attachmentId);
      return {};
    },
    opened: ({ draftId }) => wholeList(tools.opened.list(draftId)),
    makePdf: async (input) => await makeDraftPdf(opened(), tools, input),
    makeOnePdf: async (input) => await bindDraft(opened(), tools, input),
  };
}

/** Of the values in a document: that of its template. */
const languageOf = (
  workspace: OpenWorkspace,
  { library }: TemplateTools,
  { details }: StoredAttachment,
): Language => library.languageOf(workspace, details.filled?.templateId ?? '');

/**
 * The PDF of a document of a draft.
 * @throws {DeskError} document_not_found, draft_busy, pdf_program_missing, pdf_incomplete
 */
async function makeDraftPdf(
  workspace: OpenWorkspace,
  tools: OpenTemplates,
  { draftId, attachmentId }: { draftId: string; attachmentId: string },
): Promise<ReportDraft> {
  const { drafts } = workspace.work;
  await tools.opened.look();
  const { caseId } = drafts.editable(draftId);
  const document = drafts.attachment(draftId, attachmentId);
  const language = languageOf(workspace, tools, document);
  const pdf = await makeReportPdf(workspace, tools, { caseId, language, document });
  // The PDF was made of these bytes, so it is added only if the document still has them.
  if (drafts.attachment(draftId, attachmentId).sha256 !== document.sha256)
    throw new DeskError('draft_busy');
  workspace.work.documents.putPdf(draftId, attachmentId, pdf);
  return announceDraft(workspace, drafts.get(draftId));
}

/**
 * One PDF of a report and files of its draft. If one of them changes in the meantime, nothing is
 * stored.
 * @throws {DeskError} document_not_found, draft_busy, pdf_program_missing, annex_not_bound,
 *   pdf_incomplete, file_too_large
 */
async function bindDraft(
  workspace: OpenWorkspace,
  tools: OpenTemplates,
  { draftId, reportId, annexIds, maxBytes }: OnePdfInput,
): Promise<ReportDraft> {
  const { drafts, documents } = workspace.work;
  await tools.opened.look();
  const { caseId } = drafts.editable(draftId);
  const partIds = [reportId, ...annexIds.filter((id) => id !== reportId)];
  const partsNow = () => partIds.map((id) => drafts.attachment(draftId, id));
  const parts = partsNow();
  const [document, ...annexes] = parts;
  if (!document) throw new DeskError('document_not_found');
  const language = languageOf(workspace, tools, document);
  const report =
    document.contentType === 'application/pdf'
      ? document
      : await makeReportPdf(workspace, tools, { caseId, language, document });
  const bound = await makeOnePdf(workspace, tools, {
    caseId,
    language,
    report,
    annexes,
    maxBytes,
  });
  const hashes = (files: readonly StoredAttachment[]) => files.map(({ sha256 }) => sha256).join();
  if (hashes(partsNow()) !== hashes(parts)) throw new DeskError('draft_busy');
  documents.putBound(draftId, bound, partIds);
  return announceDraft(workspace, drafts.get(draftId));
}

/** Stores the appraiser's signature. @throws {DeskError} the errors of `readSignature` */
export async function setSignature(
  workspace: OpenWorkspace,
  { reducer }: TemplateTools,
  file: IncomingFile,
): Promise<Signature> {
  const signature = await readSignature(workspace, reducer, file);
  workspace.work.templates.setSignature(signature);
  workspace.backUpSoon();
  workspace.emit({ type: 'templates.changed' });
  return signatureView(signature);
}

/**
 * Stores a template unless a part of it could not be filled. One with the file name of another is
 * its next version.
 * @throws {DeskError} template_refused, and the errors of `takeFile`
 */
export async function addTemplate(
  workspace: OpenWorkspace,
  { library, workshop }: Pick<OpenTemplates, 'library' | 'workshop'>,
  file: IncomingFile,
): Promise<AddedTemplate> {
  const { fileName } = file;
  const { work, workFiles } = workspace;
  const extension = extensionOf(fileName);
  if (extension !== 'docx') {
    const rule = /^do[ct]m$/.test(extension) ? 'template_macros' : 'template_other_format';
    throw new DeskError('template_refused', { fileName, rule, thing: '' });
  }
  const taken = await takeFile(workspace, file).catch((error: unknown) => {
    if (!(error instanceof DeskError) || error.code !== 'file_type_mismatch') throw error;
    throw new DeskError(
      'template_refused',
      { fileName, rule: 'template_damaged', thing: '' },
      { cause: error },
    );
  });
  const { findings } = await library.check(fileName, await bytesOf(workFiles, taken.blobId));
  if (findings.length > 0) return await workshop.look(workspace, { ...taken, fileName }, null);
  return await stored(workspace, async () => {
    const template =
      work.templates.addVersion({ ...taken, fileName }) ??
      work.templates.add(taken, library.nameOf(fileName));
    return await workshop.look(workspace, { ...taken, fileName }, viewOf(template));
  });
}

/** After a template was stored, a backup is made and the windows hear of it. */
async function stored<Result>(
  workspace: OpenWorkspace,
  act: (workspace: OpenWorkspace) => Promise<Result>,
): Promise<Result> {
  const result = await act(workspace);
  workspace.backUpSoon();
  workspace.emit({ type: 'templates.changed' });
  return result;
}

/**
 * Fills a template and puts the document into the draft. If that fails, the draft stays unchanged.
 */
async function fillDraft(
  workspace: OpenWorkspace,
  tools: OpenTemplates,
  { draftId, templateId, replaces, isConfirmed }: FillInput,
): Promise<ReportDraft> {
  const { drafts } = workspace.work;
  await tools.opened.look();
  const draft = drafts.editable(draftId);
  const before = replaces === undefined ? null : drafts.attachment(draftId, replaces);
  if (before && isConfirmed !== true && tools.opened.isInProgram(before))
    throw new DeskError('document_open', { fileName: before.fileName });
  const { taken, filled } = await fillTemplate(workspace, tools, templateId, draft);
  // If the document was saved in another program since, it must not be replaced without notice.
  if (before && drafts.attachment(draftId, before.id).sha256 !== before.sha256)
    throw new DeskError('draft_busy');
  workspace.work.documents.put(draftId, taken, { filled, replaces });
  return announceDraft(workspace, drafts.get(draftId));
}
