import { join } from 'node:path';
import { DeskError } from '#shared/desk/errors.ts';
import type { ReportDraft } from '#shared/desk/reports.ts';
import type { AddedTemplate, FillInput } from '#shared/desk/templates.ts';
import { extensionOf } from '#shared/lib/file-type.ts';
import type { Handlers } from '../engine.ts';
import { PictureReducer } from '../photos/picture-reducer.ts';
import {
  fieldValues,
  fillTemplate,
  pdfOf,
  previewFill,
  type TemplateTools,
} from '../templates/fill-report.ts';
import { findOffice } from '../templates/make-pdf.ts';
import { bytesOf, TemplateLibrary, viewOf } from '../templates/template-library.ts';
import { OpenedReports } from '../templates/opened-reports.ts';
import { TemplateThread } from '../templates/template-thread.ts';
import { type IncomingFile, takeFile } from '../work/take-file.ts';
import type { OpenWorkspace } from '../workspace/open-workspace.ts';
import { caseDetail, wholeList } from './case-view.ts';
import type { DeskParts } from '../workspace/current-workspace.ts';
import { changed } from './reports.ts';

/** With the documents that are open in other programs. */
export interface OpenTemplates extends TemplateTools {
  readonly opened: OpenedReports;
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
  return {
    thread,
    reducer: new PictureReducer(options.log),
    opened: new OpenedReports({
      dir: join(options.home, 'opened-reports'),
      current: () => current.open?.workspace ?? null,
      clock: options.clock,
      log: options.log,
      handOver: options.handOver,
    }),
    makePdf: (workspace, document) => pdfOf(workspace, document, { dir, office: office() }),
    makesPdf: () => office() !== null,
    library: new TemplateLibrary({ thread, folder, language }),
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
    async makePdf({ draftId, attachmentId }) {
      const workspace = opened();
      const { drafts } = workspace.work;
      await tools.opened.look();
      drafts.editable(draftId);
      const document = drafts.attachment(draftId, attachmentId);
      const pdf = await tools.makePdf(workspace, document);
      // Made of these bytes; it is put only as long as the document has them.
      if (drafts.attachment(draftId, attachmentId).sha256 !== document.sha256)
        throw new DeskError('draft_busy');
      workspace.work.documents.putPdf(draftId, attachmentId, pdf);
      return changed(workspace, drafts.get(draftId));
    },
  };
}

/**
 * Stores a template unless something in it would not be filled.
 * @throws {DeskError} template_refused, and as `takeFile`
 */
export async function addTemplate(
  workspace: OpenWorkspace,
  { library }: TemplateTools,
  file: IncomingFile,
): Promise<AddedTemplate> {
  const { fileName } = file;
  const { work, workFiles } = workspace;
  const extension = extensionOf(fileName);
  if (extension !== 'docx') {
    const rule = /^do[ct]m$/.test(extension) ? 'template_macros' : 'template_damaged';
    throw new DeskError('template_refused', { fileName, rule });
  }
  const taken = await takeFile(workspace, file).catch((error: unknown) => {
    if (!(error instanceof DeskError) || error.code !== 'file_type_mismatch') throw error;
    throw new DeskError(
      'template_refused',
      { fileName, rule: 'template_damaged' },
      { cause: error },
    );
  });
  const { findings } = await library.check(fileName, await bytesOf(workFiles, taken.blobId));
  if (findings.length > 0) return { template: null, findings };
  const stored = work.templates.add(taken, library.nameOf(fileName));
  workspace.backUpSoon();
  workspace.emit({ type: 'templates.changed' });
  return { template: viewOf(stored), findings };
}

/** Fills a template and puts the document into the draft, which is unchanged if that fails. */
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
  // What was saved in another program since then is not replaced unseen.
  if (before && drafts.attachment(draftId, before.id).sha256 !== before.sha256)
    throw new DeskError('draft_busy');
  workspace.work.documents.put(draftId, taken, { filled, replaces });
  return changed(workspace, drafts.get(draftId));
}
