import { defineStore } from 'pinia';
import type { Attachment } from '#shared/desk/reports/reports.ts';
import { useTransport } from '../transport/transport.ts';
import { useAutosave } from './autosave.ts';
import { useDraftFilesStore } from './draft-files-store.ts';

/** Captions of the files of drafts, stored as they are typed. */
export const useCaptionsStore = defineStore('captions', () => {
  const { client } = useTransport();
  const draftFiles = useDraftFilesStore();
  const keyOf = (draftId: string, fileId: string) => `${draftId} ${fileId}`;
  const idsOf = (key: string): [draftId: string, fileId: string] => {
    const [draftId = '', fileId = ''] = key.split(' ');
    return [draftId, fileId];
  };
  const captionIn = (files: readonly Attachment[], fileId: string): string | undefined =>
    files.find(({ id }) => id === fileId)?.details.caption;

  const { unstored, change, flush, problem } = useAutosave({
    async save(key, text, by) {
      const [draftId, attachmentId] = idsOf(key);
      const caption = text ?? '';
      const input = { draftId, attachmentId, details: { caption }, by };
      const { attachments } = draftFiles.keep(await client.reports.updateAttachment(input));
      return { isLate: captionIn(attachments, attachmentId) !== caption };
    },
    show(key, text) {
      const [draftId, fileId] = idsOf(key);
      draftFiles.changeDraft(draftId, (draft) => ({
        ...draft,
        attachments: draft.attachments.map((file) =>
          file.id === fileId
            ? { ...file, details: { ...file.details, caption: text ?? '' } }
            : file,
        ),
      }));
    },
    readAgain: (key) => draftFiles.openDraft(idsOf(key)[0]),
    keyOf: ({ place, id, fileId }) =>
      place === 'caption' && fileId !== undefined ? keyOf(id, fileId) : null,
  });

  const captionOf = (draftId: string, fileId: string): string =>
    unstored.get(keyOf(draftId, fileId)) ?? captionIn(draftFiles.filesOf(draftId), fileId) ?? '';

  function setCaption(draftId: string, fileIds: readonly string[], text: string): void {
    for (const id of fileIds) if (captionOf(draftId, id) !== text) change(keyOf(draftId, id), text);
  }

  /** Stores the captions of a draft now. @returns whether the engine has them */
  async function store(draftId: string): Promise<boolean> {
    const keys = [...unstored.keys()].filter((key) => idsOf(key)[0] === draftId);
    const stored = await Promise.all(keys.map(flush));
    return stored.every(Boolean);
  }

  return { captionOf, setCaption, store, problem };
});
