import { Readable } from 'node:stream';
import { documentMaxBytes } from '#shared/api/limits.ts';
import type { CaseDetail } from '#shared/desk/cases.ts';
import { DeskError } from '#shared/desk/errors.ts';
import { hasEntries, templateFields } from '#shared/desk/template-fields.ts';
import type { FieldValue, FillPreview, MissingField, Template } from '#shared/desk/templates.ts';
import { loadWindowTexts } from '#shared/i18n/catalogue.ts';
import type { Language } from '#shared/i18n/language.ts';
import { safeFileName } from '#shared/lib/safe-file-name.ts';
import type { FilledDetails } from '#shared/photos/details.ts';
import { caseDetail, findCase } from '../calls/case-view.ts';
import type { StoredAttachment, TakenFile } from '../work/attachment-rows.ts';
import { freeName } from '../work/filled-documents.ts';
import { type Intake, takeFile } from '../work/take-file.ts';
import type { OpenWorkspace } from '../workspace/open-workspace.ts';
import { caseValues } from './case-values.ts';
import type { FillData } from './docx/fill-docx.ts';
import { makePdf } from './make-pdf.ts';
import type { PictureReducer } from '../photos/picture-reducer.ts';
import { isPlaceable, photoBox, photoRows, photosOf, type ReadPhoto } from './photo-rows.ts';
import { bytesOf, type ReadTemplate, type TemplateLibrary } from './template-library.ts';
import type { TemplateThread } from './template-thread.ts';

/** What reads and fills templates, for every workspace. */
export interface TemplateTools {
  readonly thread: TemplateThread;
  readonly library: TemplateLibrary;
  readonly reducer: PictureReducer;
  /** The PDF of a stored document. @throws {DeskError} pdf_program_missing, pdf_not_made, disk_full */
  readonly makePdf: (
    workspace: Intake,
    document: Pick<TakenFile, 'fileName' | 'blobId'>,
  ) => Promise<TakenFile>;
  /** A program of this device makes the PDF of a document. */
  readonly makesPdf: () => boolean;
}

/** What a report is filled for. */
export interface ReportContent {
  readonly caseId: string;
  readonly attachments: readonly StoredAttachment[];
}

/** The values of a case in a language; photos are those of a draft. */
async function valuesOf(workspace: OpenWorkspace, detail: CaseDetail, language: Language) {
  const { work, cache, clock } = workspace;
  return caseValues({
    detail,
    language,
    appraiser: work.templates.appraiser(),
    documents: cache.documents.list(detail.id).items,
    reports: cache.reports.list(detail.id).filter(({ status }) => status !== 'Draft'),
    texts: work.texts.all(),
    ticks: new Set(work.texts.ticks(detail.id)),
    words: await loadWindowTexts[language](),
    nowMs: clock.now(),
  });
}

/** Every field with its value in a case. */
export async function fieldValues(
  workspace: OpenWorkspace,
  detail: CaseDetail | null,
  language: Language,
): Promise<FieldValue[]> {
  const found = detail && (await valuesOf(workspace, detail, language));
  return templateFields.map(({ name, kind, list, section, label }) => {
    const value = found?.values[name];
    const rows = found?.lists[name];
    const first = list === null ? undefined : found?.lists[list]?.[0]?.[name];
    const shown = list === null ? value : first;
    const text = typeof shown === 'string' ? shown : '';
    return {
      name,
      kind,
      list,
      section,
      label,
      value: kind === 'list' ? String(rows?.length ?? '') : text,
    };
  });
}

/** What a template gets of a draft and its case. */
async function dataOf(
  workspace: OpenWorkspace,
  template: Template,
  { caseId, attachments }: ReportContent,
  read: (photo: StoredAttachment) => Promise<Uint8Array<ArrayBuffer> | null>,
): Promise<FillData> {
  const { values, lists } = await valuesOf(
    workspace,
    caseDetail(workspace, caseId),
    template.language,
  );
  const photos: ReadPhoto[] = [];
  for (const photo of photosOf(attachments))
    photos.push({ photo, bytes: isPlaceable(photo) ? await read(photo) : null });
  const rows = photoRows(photos, await loadWindowTexts[template.language]());
  const all = { ...lists, ...rows.lists };
  const flags = Object.entries(all).map(([list, entries]): [string, boolean] => {
    return [hasEntries(list), entries.length > 0];
  });
  return {
    values: { ...values, ...Object.fromEntries(flags) },
    lists: all,
    pictures: rows.pictures,
  };
}

/** What a template uses and the case does not have. */
export async function previewFill(
  workspace: OpenWorkspace,
  { library }: TemplateTools,
  templateId: string,
  report: ReportContent,
): Promise<FillPreview> {
  const { template, content } = await library.read(workspace, templateId);
  const data = await dataOf(workspace, template, report, () => Promise.resolve(null));
  const photos = photosOf(report.attachments);
  const used = templateFields.filter(({ name, list, kind }) => {
    const isUsed = content.used.some((one) => one.name === name && one.list === list);
    return isUsed && (kind === 'text' || kind === 'list');
  });
  const usesPhotos = content.used.some(({ name }) => name === 'photos' || name === 'photoPairs');
  return {
    missing: used.flatMap((field): MissingField[] => {
      const { name, list, section, label } = field;
      const entries = missingIn(data, field);
      return entries === 0 ? [] : [{ name, list, section, label, entries }];
    }),
    unplaceable: usesPhotos
      ? photos.filter((photo) => !isPlaceable(photo)).map(({ fileName }) => fileName)
      : [],
    photos: photos.length,
  };
}

/** How often a field has no value. The second place of the last pair is no gap. */
function missingIn(
  { values, lists }: FillData,
  { name, list, kind }: (typeof templateFields)[number],
): number {
  if (kind === 'list') return (lists[name]?.length ?? 0) === 0 ? 1 : 0;
  if (list === null) return values[name] === '' || values[name] === undefined ? 1 : 0;
  const rows = lists[list] ?? [];
  const isOdd = (row: (typeof rows)[number]) =>
    name.startsWith('right.') && row['right.number'] === '';
  return rows.filter((row) => row[name] === '' && !isOdd(row)).length;
}

/**
 * Fills a template with a case and the photos of its report, and stores the document.
 * @throws {DeskError} template_not_found, template_faulty, template_refused, file_too_large, disk_full
 */
export async function fillTemplate(
  workspace: OpenWorkspace,
  tools: TemplateTools,
  templateId: string,
  report: ReportContent,
): Promise<{ taken: TakenFile; filled: FilledDetails }> {
  const { clock } = workspace;
  const { template, bytes, content } = await tools.library.read(workspace, templateId);
  const read = photoReader(workspace, tools, { template, content });
  const data = await dataOf(workspace, template, report, read);
  // Its memory, before the document takes as much.
  await tools.reducer.end();
  const filledBytes = await tools.thread.fill(template.fileName, bytes, data);
  const { externalKey } = findCase(workspace, report.caseId).record;
  const fileName = freeName(
    safeFileName(`${template.name} ${externalKey}.docx`),
    report.attachments,
  );
  const taken = await takeFile(workspace, { fileName, content: Readable.from([filledBytes]) });
  const at = new Date(clock.now()).toISOString();
  const marks = { templateId, templateName: template.name, at, savedAt: null, line: null };
  return { taken, filled: marks };
}

/** A document that was filled for a report and is in no draft yet. */
export interface ReportDocument {
  readonly taken: TakenFile;
  readonly filled: FilledDetails;
  readonly pdf: TakenFile | null;
}

/** The filled template of a report, and its PDF. @throws {DeskError} as `fillTemplate` and `makePdf` */
export async function makeDocument(
  workspace: OpenWorkspace,
  tools: TemplateTools,
  order: {
    readonly templateId: string;
    readonly asPdf: boolean;
    readonly report: ReportContent;
    /** Of the sheet that it is filled for. */
    readonly line?: string | undefined;
  },
): Promise<ReportDocument> {
  const { templateId, asPdf, report, line = null } = order;
  const { taken, filled } = await fillTemplate(workspace, tools, templateId, report);
  const pdf = asPdf ? await tools.makePdf(workspace, taken) : null;
  return { taken, filled: { ...filled, line }, pdf };
}

/** As the first file of a draft; a PDF is sent in its place. */
export function putDocument(
  { documents }: OpenWorkspace['work'],
  draftId: string,
  { taken, filled, pdf }: ReportDocument,
): void {
  const { id } = documents.put(draftId, taken, { filled });
  if (pdf) documents.putPdf(draftId, id, pdf);
}

/**
 * Reads one photo after the other, as large as the template places it: forty as they are sent would
 * take the memory of all of them.
 */
function photoReader(
  { workFiles }: OpenWorkspace,
  { reducer }: TemplateTools,
  { template: { fileName }, content }: Pick<ReadTemplate, 'template' | 'content'>,
) {
  const box = photoBox(content);
  let sizeBytes = 0;
  return async ({ blobId }: StoredAttachment): Promise<Uint8Array<ArrayBuffer> | null> => {
    if (!box) return null;
    const bytes = await bytesOf(workFiles, blobId);
    const placed = (await reducer.reduce({ bytes, box })) ?? (await bytesOf(workFiles, blobId));
    sizeBytes += placed.length;
    if (sizeBytes <= documentMaxBytes) return placed;
    // Before photos are read that no document can have.
    throw new DeskError('file_too_large', { fileName, sizeBytes, maxBytes: documentMaxBytes });
  };
}

/** The PDF of a stored document. @param tool the program, and a folder for its copies */
export async function pdfOf(
  intake: Intake,
  { fileName, blobId }: Pick<TakenFile, 'fileName' | 'blobId'>,
  tool: { readonly dir: string; readonly office: string | null },
): Promise<TakenFile> {
  const pdf = await makePdf(await bytesOf(intake.workFiles, blobId), { ...tool, fileName });
  const named = fileName.replace(/\.docx$/i, '.pdf');
  return await takeFile(intake, { fileName: named, content: Readable.from([pdf]) });
}
