import { defineStore } from 'pinia';
import type { ReportDraft } from '#shared/desk/reports.ts';
import {
  type AddedTemplate,
  type Appraiser,
  type FieldValue,
  type FillInput,
  type FillPreview,
  type Template,
  templateSources,
} from '#shared/desk/templates.ts';
import { type Language, languageNames } from '#shared/i18n/language.ts';
import { useTransport } from '../transport/transport.ts';
import { useDraftFilesStore } from './draft-files-store.ts';
import { useLiveData, useLiveMap } from './live-data.ts';
import { useUndoStore } from './undo-store.ts';

type Choices = Pick<Template, 'name' | 'language' | 'category'>;

/**
 * The user's own first, and of each kind those in their language; one with faults cannot be chosen.
 */
export function offeredTemplates(
  templates: readonly Template[],
  language: Language,
): readonly Template[] {
  const rankOf = ({ source, language: of }: Template) =>
    templateSources.indexOf(source) * 2 + Number(of !== language);
  return templates
    .filter(({ findings, problem }) => findings.length === 0 && problem === null)
    .toSorted((one, other) => rankOf(one) - rankOf(other));
}

/** As a choice of a list. */
export const templateItem = ({ id, name, language }: Template) => ({
  value: id,
  title: `${name} (${languageNames[language]})`,
});

/** Templates of reports, and what the desk makes of them. */
export const useTemplatesStore = defineStore('templates', () => {
  const { client, files } = useTransport();
  const draftFiles = useDraftFilesStore();
  const undos = useUndoStore();
  const {
    data: list,
    load,
    problem,
  } = useLiveData(() => client.templates.list(), {
    changedBy: ({ type }) => type === 'templates.changed' || type === 'desk.changed',
  });

  const add = (file: File): Promise<AddedTemplate> => files.addTemplate(file);
  const change = (templateId: string, choices: Choices): Promise<Template> =>
    client.templates.change({ templateId, ...choices });
  async function remove({ id: templateId, name }: Template): Promise<void> {
    await client.templates.remove({ templateId });
    const undo = () => client.templates.restore({ templateId });
    undos.offer({ key: 'undo.template', params: { name }, undo });
  }

  const appraiser = (): Promise<Appraiser> => client.templates.appraiser();
  const setAppraiser = (given: Appraiser): Promise<Appraiser> =>
    client.templates.setAppraiser(given);

  /** Every field; with the values of a case, if one is given. */
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
  /** Documents of drafts that were given to a program, by draft. */
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

  return {
    ...{ list, load, problem },
    ...{ add, change, remove, appraiser, setAppraiser },
    ...{ fields, preview, fill, makePdf },
    ...{ opened, loadOpened, open },
  };
});
