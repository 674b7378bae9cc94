import { defineStore } from 'pinia';
import type { ReportDraft } from '#shared/desk/reports/reports.ts';
import {
  type AddedTemplate,
  type Appraiser,
  type FieldValue,
  type FillInput,
  type FillPreview,
  type OnePdfInput,
  type Signature,
  type Template,
  templateSources,
} from '#shared/desk/reports/templates.ts';
import type { TemplatePage, TemplateVersion } from '#shared/desk/reports/template-workshop.ts';
import { type Language, languageNames } from '#shared/i18n/language.ts';
import { jpegName } from '#shared/photos/picture-kinds.ts';
import { usePhotoStudio } from '../lib/photos/photo-studio.ts';
import { unusable } from '../lib/photos/ready-photo.ts';
import { useTransport } from '../transport/transport.ts';
import { useDraftFilesStore } from './draft-files-store.ts';
import { useLiveData, useLiveMap } from './live-data.ts';
import { useUndoStore } from './undo-store.ts';

type Choices = Pick<Template, 'name' | 'language' | 'category'>;

/**
 * Sorts the user's own templates first, and within each kind those in the user's language. A
 * template with faults cannot be chosen.
 */
export function offeredTemplates(
  templates: readonly Template[],
  language: Language,
): readonly Template[] {
  const rankOf = ({ source, language: of }: Template) =>
    templateSources.indexOf(source) * 2 + Number(of !== language);
  // Examples for the authors of templates are not meant for reports.
  const isForReports = ({ source, category }: Template) => source !== 'desk' || category !== null;
  return templates
    .filter((one) => one.findings.length === 0 && one.problem === null && isForReports(one))
    .toSorted((one, other) => rankOf(one) - rankOf(other));
}

/** A template as an item of a choice. */
export const templateItem = ({ id, name, language }: Template) => ({
  value: id,
  title: `${name} (${languageNames[language]})`,
});

/** The longer side of a signature in pixels. */
const signatureEdge = 1600;

/** The templates of reports, and the documents that the desk makes from them. */
export const useTemplatesStore = defineStore('templates', () => {
  const { client, files } = useTransport();
  const draftFiles = useDraftFilesStore();
  const undos = useUndoStore();
  const studio = usePhotoStudio();
  const {
    data: list,
    load,
    problem,
  } = useLiveData(() => client.templates.list(), {
    changedBy: ({ type }) => type === 'templates.changed' || type === 'desk.changed',
  });

  const add = (file: File): Promise<AddedTemplate> => files.addTemplate(file);
  const look = (templateId: string): Promise<AddedTemplate> =>
    client.templates.look({ templateId });
  const page = (lookId: string): Promise<TemplatePage> => client.templates.page({ lookId });
  const removeUnseen = (templateId: string): Promise<AddedTemplate> =>
    client.templates.removeUnseen({ templateId });
  const versions = async (templateId: string): Promise<TemplateVersion[]> =>
    (await client.templates.versions({ templateId })).items;
  const takeVersion = (templateId: string, version: number): Promise<Template> =>
    client.templates.takeVersion({ templateId, version });
  const change = (templateId: string, choices: Choices): Promise<Template> =>
    client.templates.change({ templateId, ...choices });
  const remove = ({ id: templateId, name }: Template): Promise<void> =>
    undos.acting(async () => {
      await client.templates.remove({ templateId });
      const undo = () => client.templates.restore({ templateId });
      undos.offer({ key: 'undo.template', params: { name }, undo });
    });

  const appraiser = (): Promise<Appraiser> => client.templates.appraiser();
  const setAppraiser = (given: Appraiser): Promise<Appraiser> =>
    client.templates.setAppraiser(given);

  const signature = (): Promise<Signature> => client.templates.signature();
  /** Stores the signature. A picture that a document cannot contain is first made a JPEG. */
  async function setSignature(file: File): Promise<Signature> {
    if (['image/png', 'image/jpeg'].includes(file.type)) return await files.setSignature(file);
    const task = { kind: 'picture', content: file, page: 0, longEdge: signatureEdge } as const;
    const { jpeg } = await studio.run(task).catch((cause: unknown) => {
      throw unusable(file.name, cause);
    });
    return await files.setSignature(new File([jpeg], jpegName(file.name), { type: jpeg.type }));
  }
  const removeSignature = (): Promise<Signature> => client.templates.removeSignature();

  /** Returns every field, with the values of a case if one is given. */
  async function fields(language: Language, caseId?: string): Promise<FieldValue[]> {
    const input = { language, ...(caseId !== undefined && { id: caseId }) };
    return (await client.templates.fields(input)).items;
  }
  const preview = (input: FillInput): Promise<FillPreview> => client.templates.preview(input);
  /** @returns the draft with the filled document */
  const fill = (input: FillInput): Promise<ReportDraft> =>
    draftFiles.inTurn(input.draftId, async () =>
      draftFiles.keep(await client.templates.fill(input)),
    );
  /** The documents of drafts that were opened in another program, by the id of the draft. */
  const { data: opened, load: loadOpened } = useLiveMap(
    async (draftId) => (await client.templates.opened({ draftId })).items,
    { changedBy: ({ type }) => (type === 'reports.changed' ? null : []) },
  );
  const open = (draftId: string, attachmentId: string): Promise<unknown> =>
    client.templates.open({ draftId, attachmentId });
  const makePdf = (draftId: string, attachmentId: string): Promise<ReportDraft> =>
    draftFiles.inTurn(draftId, async () =>
      draftFiles.keep(await client.templates.makePdf({ draftId, attachmentId })),
    );
  const makeOnePdf = (input: OnePdfInput): Promise<ReportDraft> =>
    draftFiles.inTurn(input.draftId, async () =>
      draftFiles.keep(await client.templates.makeOnePdf(input)),
    );

  return {
    list,
    load,
    problem,
    add,
    look,
    page,
    fileUrl: files.templateFileUrl,
    pagesUrl: files.templatePagesUrl,
    markedUrl: files.markedTemplateUrl,
    removeUnseen,
    versions,
    takeVersion,
    change,
    remove,
    appraiser,
    setAppraiser,
    signature,
    setSignature,
    removeSignature,
    fields,
    preview,
    fill,
    makePdf,
    makeOnePdf,
    opened,
    loadOpened,
    open,
  };
});
