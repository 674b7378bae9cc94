import { join } from 'node:path';
import { DeskError } from '#shared/desk/errors.ts';
import type { CaseDetail } from '#shared/desk/cases.ts';
import type { ReportDraft } from '#shared/desk/reports.ts';
import { templateFields } from '#shared/desk/template-fields.ts';
import type {
  AddedTemplate,
  FieldValue,
  FillInput,
  MissingField,
  Template,
} from '#shared/desk/templates.ts';
import { loadWindowTexts } from '#shared/i18n/catalogue.ts';
import type { Language } from '#shared/i18n/language.ts';
import { extensionOf } from '#shared/lib/file-type.ts';
import { safeFileName } from '#shared/lib/safe-file-name.ts';
import type { BlobStore } from '../blobs/file-blob-store.ts';
import type { Handlers } from '../engine.ts';
import { caseValues } from '../templates/case-values.ts';
import type { FillData } from '../templates/docx/fill-docx.ts';
import { isPlaceable, photoRows, photosOf, type ReadPhoto } from '../templates/photo-rows.ts';
import { readTemplateName, TemplateLibrary, viewOf } from '../templates/template-library.ts';
import { TemplateThread } from '../templates/template-thread.ts';
import type { StoredAttachment } from '../work/attachment-rows.ts';
import { type IncomingFile, takeFile } from '../work/take-file.ts';
import type { OpenWorkspace } from '../workspace/open-workspace.ts';
import { caseDetail, findCase, wholeList } from './case-view.ts';
import type { DeskParts } from './desk.ts';
import { changed, draftView } from './reports.ts';

/** What reads and fills templates, for every workspace. */
export interface TemplateTools {
  readonly thread: TemplateThread;
  readonly library: TemplateLibrary;
  readonly language: () => Language;
}

/** Those that come with the desk. */
const suppliedFolder = join(import.meta.dirname, 'templates');

export function openTemplates({ settings }: Pick<DeskParts, 'settings'>): TemplateTools {
  const thread = new TemplateThread();
  const language = () => settings.language;
  const folder = () => settings.templateFolder;
  return {
    thread,
    language,
    library: new TemplateLibrary({ thread, folder, suppliedFolder, language }),
  };
}

export function templateCalls(
  opened: () => OpenWorkspace,
  tools: TemplateTools,
  { settings }: Pick<DeskParts, 'settings'>,
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
      return { ...wholeList(items), folder: settings.templateFolder };
    },
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
    preview: async (input) => await preview(opened(), tools, input),
    fill: async (input) => await fillDraft(opened(), tools, input),
  };
}

/**
 * Stores a template unless something in it would not be filled.
 * @throws {DeskError} template_refused, and as `takeFile`
 */
export async function addTemplate(
  workspace: OpenWorkspace,
  { library, language }: TemplateTools,
  file: IncomingFile,
): Promise<AddedTemplate> {
  const { fileName } = file;
  const { work, workFiles } = workspace;
  const extension = extensionOf(fileName);
  if (extension !== 'docx') {
    const rule = /^do[ct]m$/.test(extension) ? 'template_macros' : 'template_damaged';
    throw new DeskError('template_refused', { fileName, rule });
  }
  const taken = await takeFile(workFiles, file).catch((error: unknown) => {
    if (!(error instanceof DeskError) || error.code !== 'file_type_mismatch') throw error;
    throw new DeskError(
      'template_refused',
      { fileName, rule: 'template_damaged' },
      { cause: error },
    );
  });
  const { findings } = await library.check(fileName, await bytesOf(workFiles, taken.blobId));
  if (findings.length > 0) return { template: null, findings };
  const stored = work.templates.add(taken, readTemplateName(fileName, language()));
  workspace.backUpSoon();
  workspace.emit({ type: 'templates.changed' });
  return { template: viewOf(stored), findings };
}

async function bytesOf(files: BlobStore, blobId: string): Promise<Uint8Array<ArrayBuffer>> {
  const pieces: Buffer[] = [];
  for await (const piece of files.open(blobId) as AsyncIterable<Buffer>) pieces.push(piece);
  return Uint8Array.from(Buffer.concat(pieces));
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

async function fieldValues(
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
  { caseId, attachments }: { caseId: string; attachments: readonly StoredAttachment[] },
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
  return { values, lists: { ...lists, ...rows.lists }, pictures: rows.pictures };
}

async function preview(
  workspace: OpenWorkspace,
  { library }: TemplateTools,
  { draftId, templateId }: FillInput,
) {
  const draft = workspace.work.drafts.get(draftId);
  const { template, content } = await library.read(workspace, templateId);
  const data = await dataOf(workspace, template, draft, () => Promise.resolve(null));
  const photos = photosOf(draft.attachments);
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
 * Fills a template with a draft's case and photos, and puts the document into the draft.
 * @throws {DeskError} template_not_found, template_faulty, template_refused, draft_not_found,
 * queue_row_state, file_too_large, disk_full; the draft is unchanged then
 */
export async function fillDraft(
  workspace: OpenWorkspace,
  { library, thread }: TemplateTools,
  { draftId, templateId, replaces }: FillInput,
): Promise<ReportDraft> {
  const { work, workFiles, clock } = workspace;
  const draft = work.drafts.editable(draftId);
  const { template, bytes } = await library.read(workspace, templateId);
  const data = await dataOf(workspace, template, draft, ({ blobId }) => bytesOf(workFiles, blobId));
  const filledBytes = await thread.fill(template.fileName, bytes, data);
  const { externalKey } = findCase(workspace, draft.caseId).record;
  const fileName = freeName(`${template.name} ${externalKey}`, draft.attachments);
  const content = asPieces(filledBytes);
  const taken = await takeFile(workFiles, { fileName, content });
  const filled = {
    templateId,
    templateName: template.name,
    at: new Date(clock.now()).toISOString(),
    savedAt: null,
  };
  work.drafts.putFilled(draftId, taken, { filled, replaces });
  changed(workspace, work.drafts.get(draftId));
  return draftView(workspace, work.drafts.get(draftId));
}

// oxlint-disable-next-line require-await -- a stream of one piece
async function* asPieces(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

/** A name that no other file of the draft has. */
function freeName(stem: string, attachments: readonly StoredAttachment[]): string {
  const taken = new Set(attachments.map(({ fileName }) => fileName.toLowerCase()));
  for (let count = 1; ; count += 1) {
    const name = safeFileName(`${stem}${count === 1 ? '' : ` ${String(count)}`}.docx`);
    if (!taken.has(name.toLowerCase())) return name;
  }
}
