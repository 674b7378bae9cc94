import { Readable } from 'node:stream';
import { documentMaxBytes } from '#shared/api/limits.ts';
import type { CaseDetail } from '#shared/desk/cases/cases.ts';
import { DeskError } from '#shared/desk/contract/errors.ts';
import { hasEntries, templateFields } from '#shared/desk/reports/template-fields.ts';
import type { FieldValue, FillPreview, MissingField } from '#shared/desk/reports/templates.ts';
import { loadWindowTexts } from '#shared/i18n/catalogue.ts';
import type { Language } from '#shared/i18n/language.ts';
import { safeFileName } from '#shared/lib/safe-file-name.ts';
import type { FilledDetails } from '#shared/photos/details.ts';
import { caseDetail, findCase } from '../cases/case-view.ts';
import { positionsOf } from '../cases/positions.ts';
import type { StoredAttachment, TakenFile } from '../work/attachment-rows.ts';
import { freeName } from '../work/filled-documents.ts';
import { type Intake, takeFile } from '../work/take-file.ts';
import type { OpenWorkspace } from '../workspace/open-workspace.ts';
import { caseValues } from './case-values.ts';
import {
  type FillData,
  type FilledPicture,
  type FilledValue,
  printedText,
} from './docx/fill-data.ts';
import { type BindingTools, makeOnePdf } from './make-one-pdf.ts';
import { makePdf } from './make-pdf.ts';
import { missingWord } from './one-pdf/printed-words.ts';
import {
  isPlaceable,
  partySignatureOf,
  photoBox,
  photoRows,
  photosOf,
  pictureOf,
  type ReadPhoto,
} from './photo-rows.ts';
import { signaturePicture } from './signature.ts';
import { bytesOf, type ReadTemplate, type TemplateLibrary } from './template-library.ts';
import type { TemplateThread } from './template-thread.ts';

/** What reads and fills templates, for every workspace. */
export interface TemplateTools extends BindingTools {
  readonly thread: TemplateThread;
  readonly library: TemplateLibrary;
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
    positions: positionsOf(workspace, detail.id),
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
    return {
      name,
      kind,
      list,
      section,
      label,
      value: kind === 'list' ? String(rows?.length ?? '') : printedText(shown),
    };
  });
}

/** What a template gets of a draft and its case. */
async function dataOf(
  workspace: OpenWorkspace,
  { template, content }: Pick<ReadTemplate, 'template' | 'content'>,
  { caseId, attachments }: ReportContent,
  read: (photo: StoredAttachment) => Promise<Uint8Array<ArrayBuffer> | null>,
): Promise<FillData> {
  const { values, lists } = await valuesOf(
    workspace,
    caseDetail(workspace, caseId),
    template.language,
  );
  const photos: ReadPhoto[] = [];
  const placesPhotos = usesPhotos(content);
  for (const photo of photosOf(attachments)) {
    const isPlaced = placesPhotos && isPlaceable(photo);
    photos.push({ photo, bytes: isPlaced ? await read(photo) : null });
  }
  const rows = photoRows(photos, await loadWindowTexts[template.language]());
  const all = { ...lists, ...rows.lists };
  const pictures = [...rows.pictures];
  const place = (picture: FilledPicture | null): FilledValue =>
    picture ? { picture: pictures.push(picture) - 1, altText: '' } : '';
  const signed = partySignatureOf(attachments);
  const signedBytes = signed && isPlaceable(signed) ? await read(signed) : null;
  const signatures = {
    'appraiser.signature': place(signaturePicture(workspace.work.templates.signature())),
    'party.signature': place(signed && signedBytes ? pictureOf(signed, signedBytes) : null),
  };
  const flags = Object.entries(all).map(([list, entries]): [string, boolean] => {
    return [hasEntries(list), entries.length > 0];
  });
  return {
    language: template.language,
    values: { ...values, ...Object.fromEntries(flags), ...signatures },
    lists: all,
    pictures,
  };
}

/** Whether a template places the photos of a report. */
export const usesPhotos = ({ used }: Pick<ReadTemplate['content'], 'used'>): boolean =>
  used.some(({ name }) => name === 'photos' || name === 'photoPairs');

/** What a template uses and the case does not have. */
export async function previewFill(
  workspace: OpenWorkspace,
  { library }: TemplateTools,
  templateId: string,
  report: ReportContent,
): Promise<FillPreview> {
  const { template, content } = await library.read(workspace, templateId);
  const data = await dataOf(workspace, { template, content }, report, () => Promise.resolve(null));
  const photos = photosOf(report.attachments);
  const used = templateFields.filter(({ name, list, kind }) => {
    const isUsed = content.used.some((one) => one.name === name && one.list === list);
    const isPicture = kind === 'picture' && list === null;
    return isUsed && (kind === 'text' || kind === 'list' || isPicture);
  });
  const signed = partySignatureOf(report.attachments);
  const pictures: Readonly<Record<string, boolean>> = {
    'appraiser.signature': workspace.work.templates.signature() !== null,
    'party.signature': signed !== undefined && isPlaceable(signed),
  };
  return {
    missing: used.flatMap((field): MissingField[] => {
      const { name, list, section, label } = field;
      const entries = pictures[name] === true ? 0 : missingIn(data, field);
      return entries === 0 ? [] : [{ name, list, section, label, entries }];
    }),
    unplaceable: usesPhotos(content)
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
  if (list === null) return printedText(values[name]) === '' ? 1 : 0;
  const rows = lists[list] ?? [];
  const isOdd = (row: (typeof rows)[number]) =>
    name.startsWith('right.') && row['right.number'] === '';
  return rows.filter((row) => printedText(row[name]) === '' && !isOdd(row)).length;
}

/**
 * Fills a template with a case and the photos of its report, and stores the document.
 * @throws {DeskError} template_not_found, template_faulty, template_refused, template_wrong_category,
 *   file_too_large, disk_full
 */
export async function fillTemplate(
  workspace: OpenWorkspace,
  tools: TemplateTools,
  templateId: string,
  report: ReportContent,
): Promise<{ taken: TakenFile; filled: FilledDetails }> {
  const { clock } = workspace;
  const { template, bytes, content } = await tools.library.read(workspace, templateId);
  const { fileName, category } = template;
  if (category !== null && category !== findCase(workspace, report.caseId).record.category)
    throw new DeskError('template_wrong_category', { fileName });
  const read = photoReader(workspace, tools, { template, content });
  const data = await dataOf(workspace, { template, content }, report, read);
  const filledBytes = await tools.thread.fill(template.fileName, bytes, data);
  const { externalKey } = findCase(workspace, report.caseId).record;
  const documentName = freeName(
    safeFileName(`${template.name} ${externalKey}.docx`),
    report.attachments,
  );
  const taken = await takeFile(workspace, {
    fileName: documentName,
    content: Readable.from([filledBytes]),
  });
  const at = new Date(clock.now()).toISOString();
  const marks = {
    templateId,
    templateName: template.name,
    templateVersion: template.version,
    at,
    savedAt: null,
    line: null,
  };
  return { taken, filled: marks };
}

/** A document that was filled for a report and is in no draft yet. */
export interface ReportDocument {
  readonly taken: TakenFile;
  readonly filled: FilledDetails;
  readonly pdf: TakenFile | null;
  /** One PDF of the document and its annexes; null without annexes. */
  readonly bound: { readonly taken: TakenFile; readonly annexIds: readonly string[] } | null;
}

/** The PDF of a report: alone, or as one PDF with its annexes. */
export interface PdfChoice {
  readonly annexes: readonly StoredAttachment[];
  readonly maxBytes?: number | undefined;
}

/**
 * The filled template of a report, and its PDF.
 * @throws {DeskError} as `fillTemplate`, `makeReportPdf` and `makeOnePdf`
 */
export async function makeDocument(
  workspace: OpenWorkspace,
  tools: TemplateTools,
  order: {
    readonly templateId: string;
    /** Null: the document itself is sent. */
    readonly pdf: PdfChoice | null;
    readonly report: ReportContent;
    /** Of the sheet that it is filled for. */
    readonly line?: string | undefined;
  },
): Promise<ReportDocument> {
  const { templateId, pdf: choice, report, line = null } = order;
  const { taken, filled } = await fillTemplate(workspace, tools, templateId, report);
  const made = { taken, filled: { ...filled, line }, bound: null };
  if (!choice) return { ...made, pdf: null };
  const language = tools.library.languageOf(workspace, templateId);
  const { caseId } = report;
  const pdf = await makeReportPdf(workspace, tools, { caseId, language, document: taken });
  const { annexes, maxBytes } = choice;
  if (annexes.length === 0) return { ...made, pdf };
  const bound = await makeOnePdf(workspace, tools, {
    caseId,
    language,
    report: pdf,
    annexes,
    maxBytes,
  });
  return { ...made, pdf: null, bound: { taken: bound, annexIds: annexes.map(({ id }) => id) } };
}

/**
 * The PDF of a document, with every value of the case that the document has.
 * @throws {DeskError} pdf_program_missing, pdf_not_made, pdf_incomplete, disk_full
 */
export async function makeReportPdf(
  workspace: OpenWorkspace,
  tools: TemplateTools,
  order: {
    readonly caseId: string;
    readonly language: Language;
    readonly document: Pick<TakenFile, 'fileName' | 'blobId'>;
  },
): Promise<TakenFile> {
  const { caseId, language, document } = order;
  const { workFiles } = workspace;
  const pdf = await tools.makePdf(workspace, document);
  const { binder } = tools;
  const written = await binder.ask({
    kind: 'words',
    bytes: await bytesOf(workFiles, document.blobId),
  });
  const looked = await binder.ask({ kind: 'look', bytes: await bytesOf(workFiles, pdf.blobId) });
  const { fileName } = pdf;
  if (!looked || !('seen' in looked)) throw new DeskError('pdf_not_made', { fileName });
  // Of a document that another program saved in a form of its own, the pages alone are looked at.
  const text = written && 'words' in written ? written.words : '';
  const { values, lists } = await valuesOf(workspace, caseDetail(workspace, caseId), language);
  const printed = [values, ...Object.values(lists).flat()].flatMap((row) =>
    Object.values(row).map(printedText),
  );
  const missing = missingWord(printed, text, looked.seen.pages.join(' '));
  if (missing !== null) throw new DeskError('pdf_incomplete', { fileName, thing: missing });
  return pdf;
}

/**
 * As the first file of a draft; a PDF is sent in its place.
 * @param idOf the id in the draft of an annex
 */
export function putDocument(
  { documents }: OpenWorkspace['work'],
  draftId: string,
  { taken, filled, pdf, bound }: ReportDocument,
  idOf: (annexId: string) => string = (annexId) => annexId,
): void {
  const { id } = documents.put(draftId, taken, { filled });
  if (pdf) documents.putPdf(draftId, id, pdf);
  if (bound) documents.putBound(draftId, bound.taken, [id, ...bound.annexIds.map(idOf)]);
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
