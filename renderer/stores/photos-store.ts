import { defineStore } from 'pinia';
import { until } from '@vueuse/core';
import { shallowReactive } from 'vue';
import type { Attachment, ReportDraft } from '#shared/desk/reports.ts';
import { noEdit, type PhotoEdit } from '#shared/photos/edit.ts';
import { readWhole } from '../composables/desk-bytes.ts';
import { photoTypes } from '../composables/files.ts';
import { madePhoto, preparePages, storePages } from '../composables/photos/photo-intake.ts';
import { usePhotoStudio } from '../composables/photos/photo-studio.ts';
import type { PhotoRule } from '../composables/photos/photo-tasks.ts';
import { createTaskQueue } from '../composables/tasks.ts';
import { useTransport } from '../transport/transport.ts';
import { useAppearanceStore } from './appearance-store.ts';
import { useDraftFilesStore } from './draft-files-store.ts';
import { usePhotoSheets } from './photo-sheets.ts';
import { usePhotoWork } from './photo-work.ts';
import { useUndoStore } from './undo-store.ts';

/** Longer side of a photo that is marked, in pixels of the screen. */
const editedEdge = 2000;

/** Whether what is sent of a photo was never made, or does not show its last change. */
const isBehind = ({ contentType, details }: Attachment): boolean =>
  photoTypes.includes(contentType) &&
  (details.renderedVersion === null || details.renderedVersion < details.editVersion);

/** Work on the photos of a draft: the original of each stays, and what is sent is made of it. */
export const usePhotosStore = defineStore('photos', () => {
  const { client, files } = useTransport();
  const studio = usePhotoStudio();
  const appearance = useAppearanceStore();
  const draftFiles = useDraftFilesStore();
  const undos = useUndoStore();
  const work = usePhotoWork();
  const { result, each } = work;
  /** Photos at a change that were made ready, could not be, or were left as they are by a stop. */
  const settled = shallowReactive(new Set<string>());
  const keyOf = ({ id, details }: Attachment): string => `${id}@${details.editVersion}`;

  /** Photos of which what is sent has yet to be made; until then the draft is not queued. */
  const awaited = ({ attachments }: ReportDraft): readonly Attachment[] =>
    attachments.filter((photo) => isBehind(photo) && !settled.has(keyOf(photo)));

  /** The photo as it came in. */
  const originalOf = (draftId: string, { id, contentType, details }: Attachment) =>
    readWhole(files.originalUrl(draftId, id), {
      type: details.original?.contentType ?? contentType,
    });

  /** Makes what is sent of a photo again, from its original. */
  async function render(draftId: string, photo: Attachment, rule: PhotoRule): Promise<void> {
    const { edit, editVersion, original } = photo.details;
    const content = await originalOf(draftId, photo);
    const page = original?.page ?? 0;
    const prepare = (ofPage: number, ofEdit: PhotoEdit) =>
      studio.run({ kind: 'prepare', content, page: ofPage, edit: ofEdit, rule });
    // Of a HEIC or TIFF that came in by another way than this window, or whose pages a crash cut off.
    const isNew = photo.details.renderedVersion === null;
    const prepared = isNew
      ? await preparePages((one) => prepare(one, one === 0 ? (edit ?? noEdit) : noEdit))
      : { ...(await prepare(page, edit ?? noEdit)), further: [] };
    const rendition = { editVersion, takenAt: prepared.takenAt, page };
    const made = prepared.jpeg
      ? madePhoto(photo.fileName, prepared.jpeg, rendition)
      : {
          file: new File([content], original?.fileName ?? photo.fileName, { type: content.type }),
          rendition,
        };
    await storePages(files, { draftId, id: photo.id }, made, prepared.further);
  }

  /** One run at a time: what is asked for in the meantime begins with what this one left. */
  const inTurn = createTaskQueue();
  const renderAll = (
    draftId: string,
    chosen: (draft: ReportDraft) => readonly Attachment[],
  ): Promise<void> =>
    inTurn(async () => {
      const photos = chosen(await client.reports.getDraft({ draftId }));
      if (photos.length === 0) return;
      result.value = null;
      await until(() => draftFiles.working.has(draftId)).toBe(false);
      try {
        const outcome = await draftFiles.during(draftId, 'photos', () =>
          each(draftId, photos, (photo) => render(draftId, photo, appearance.photos)),
        );
        result.value = { draftId, ...outcome };
      } finally {
        await draftFiles.openDraft(draftId);
        for (const photo of photos) settled.add(keyOf(photo));
      }
    });

  /** Makes what is missing: of photos that came in another way, or whose change was cut off. */
  const catchUp = (draftId: string): Promise<void> =>
    renderAll(draftId, ({ queueId, attachments }) =>
      queueId === null ? attachments.filter(isBehind) : [],
    );

  /** From now on photos are sent like this; those of the draft are made again. */
  function setRule(draftId: string, rule: PhotoRule): Promise<void> {
    appearance.choose({ photos: rule });
    return renderAll(draftId, ({ attachments }) =>
      attachments.filter(({ contentType }) => photoTypes.includes(contentType)),
    );
  }

  /** The original, upright and large enough to be marked. */
  async function openOriginal(draftId: string, photo: Attachment): Promise<ImageBitmap> {
    const content = await originalOf(draftId, photo);
    const page = photo.details.original?.page ?? 0;
    const { jpeg } = await studio.run({ kind: 'picture', content, page, longEdge: editedEdge });
    return await createImageBitmap(jpeg);
  }

  /** Stores a change; what is sent shows it after `catchUp`, and is not queued before. */
  const saveEdit = (draftId: string, attachmentId: string, edit: PhotoEdit): Promise<void> =>
    draftFiles.update(draftId, attachmentId, { details: { edit } });

  /** Changes photos and makes again what is sent of them; can be taken back. */
  async function turn(draftId: string, edits: ReadonlyMap<string, PhotoEdit>): Promise<void> {
    const before = new Map(
      draftFiles
        .filesOf(draftId)
        .filter(({ id }) => edits.has(id))
        .map(({ id, details }) => [id, details.edit ?? noEdit]),
    );
    const write = async (wanted: ReadonlyMap<string, PhotoEdit>) => {
      for (const [id, edit] of wanted) await saveEdit(draftId, id, edit);
      await catchUp(draftId);
    };
    const undo = () => write(before);
    undos.offer({ key: 'photos.undone.turn', params: { n: edits.size }, undo });
    await write(edits);
  }

  const { progress, stop } = work;
  return {
    ...{ progress, result, stop, awaited, catchUp, openOriginal, setRule, saveEdit, turn },
    ...usePhotoSheets(work),
  };
});
