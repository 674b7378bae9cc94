import { defineStore } from 'pinia';
import { until } from '@vueuse/core';
import { shallowReactive } from 'vue';
import type { Attachment, ReportDraft } from '#shared/desk/reports/reports.ts';
import { extensionOf } from '#shared/lib/file-type.ts';
import { noEdit, type PhotoEdit } from '#shared/photos/edit.ts';
import { readWhole } from '../lib/desk-bytes.ts';
import { isPictureType, type PhotoRule } from '#shared/photos/picture-kinds.ts';
import { usePhotoStudio } from '../lib/photos/photo-studio.ts';
import { readyPhoto, storePhoto } from '../lib/photos/ready-photo.ts';
import { createTaskQueue } from '../lib/tasks.ts';
import { useTransport } from '../transport/transport.ts';
import { useAppearanceStore } from './appearance-store.ts';
import { useDraftFilesStore } from './draft-files-store.ts';
import { usePhotoSheets } from './photo-sheets.ts';
import { usePhotoTurns } from './photo-turns.ts';
import { usePhotoWork } from './photo-work.ts';

/** The longer side, in pixels, of a photo that the user marks and looks at closely. */
const editedEdge = 4000;

/** Whether what is sent of a photo was never made, or does not show the photo's last change. */
const isBehind = ({ contentType, details }: Attachment): boolean =>
  isPictureType(contentType) &&
  (details.renderedVersion === null || details.renderedVersion < details.editVersion);

/** Returns the name that the user gave a photo, with the extension of the original. */
function originalName({ fileName, details: { original } }: Attachment): string {
  if (!original || extensionOf(original.fileName) === extensionOf(fileName)) return fileName;
  const stem = fileName.replace(/\.[^.]+$/, '');
  const extension = extensionOf(original.fileName);
  return extension === '' ? stem : `${stem}.${extension}`;
}

/**
 * Works on the photos of a draft. The original of each photo stays, and what is sent is made from
 * it.
 */
export const usePhotosStore = defineStore('photos', () => {
  const { client, files } = useTransport();
  const studio = usePhotoStudio();
  const appearance = useAppearanceStore();
  const draftFiles = useDraftFilesStore();
  const work = usePhotoWork();
  const { result, each } = work;
  /**
   * The versions of photos that were made ready, could not be made ready, or were left unchanged
   * because of a stop.
   */
  const settled = shallowReactive(new Set<string>());
  const keyOf = ({ id, details }: Attachment): string => `${id}@${details.editVersion}`;

  /** The photos for which what is sent is still to be made. The draft is not queued before that. */
  const awaited = ({ attachments }: ReportDraft): readonly Attachment[] =>
    attachments.filter((photo) => isBehind(photo) && !settled.has(keyOf(photo)));

  /** Reads the original of a photo. */
  const originalOf = (draftId: string, { id, contentType, details }: Attachment) =>
    readWhole(files.originalUrl(draftId, id), {
      type: details.original?.contentType ?? contentType,
    });

  /** Makes what is sent of a photo again, from the original. */
  async function render(
    draftId: string,
    photo: Attachment,
    how: { readonly rule: PhotoRule; readonly signal: AbortSignal },
  ): Promise<void> {
    const { edit, editVersion, original, renderedVersion } = photo.details;
    const content = await originalOf(draftId, photo);
    const page = original?.page ?? 0;
    const source = { content, fileName: originalName(photo) };
    // All pages are made of a HEIC or TIFF that was not added by this window, or whose pages are
    // missing because of a crash.
    const isNew = renderedVersion === null;
    const making = { ...how, studio, edit: edit ?? noEdit, ...(!isNew && { page }) };
    const ready = await readyPhoto(source, making);
    const put = () => Promise.resolve({ draftId, id: photo.id });
    if (ready) await storePhoto(files, { put, editVersion, page }, ready);
  }

  /** Only one run works at a time. A later request begins with the result of this run. */
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
          each(draftId, photos, (photo, signal) =>
            render(draftId, photo, { rule: appearance.photos, signal }),
          ),
        );
        result.value = { draftId, ...outcome };
      } finally {
        await draftFiles.openDraft(draftId);
        for (const photo of photos) settled.add(keyOf(photo));
      }
    });

  /**
   * Makes what is missing of photos that were added in another way, or whose change was
   * interrupted.
   */
  const catchUp = (draftId: string): Promise<void> =>
    renderAll(draftId, ({ queueId, attachments }) =>
      queueId === null ? attachments.filter(isBehind) : [],
    );

  /** Sets how photos are sent from now on. The photos of the draft are made again. */
  function setRule(draftId: string, rule: PhotoRule): Promise<void> {
    appearance.choose({ photos: rule });
    return renderAll(draftId, ({ attachments }) =>
      attachments.filter(({ contentType }) => isPictureType(contentType)),
    );
  }

  /** Opens the original, upright and large enough to be marked. */
  async function openOriginal(draftId: string, photo: Attachment): Promise<ImageBitmap> {
    const content = await originalOf(draftId, photo);
    const page = photo.details.original?.page ?? 0;
    const { jpeg } = await studio.run({ kind: 'picture', content, page, longEdge: editedEdge });
    return await createImageBitmap(jpeg);
  }

  /**
   * Stores a change that goes on from a version of the photo's edit. What is sent shows the change
   * after `catchUp`, and is not queued before.
   * @returns the new version
   * @throws {DeskError} photo_changed if another window has edited the photo since
   */
  async function saveEdit(
    draftId: string,
    id: string,
    { edit, editVersion }: { readonly edit: PhotoEdit; readonly editVersion: number },
  ): Promise<number> {
    try {
      await draftFiles.update(draftId, id, { details: { edit, editVersion } });
    } catch (error) {
      await draftFiles.openDraft(draftId);
      throw error;
    }
    return editVersion + 1;
  }

  const turn = usePhotoTurns({ openOriginal, saveEdit, catchUp });
  const { progress, stop } = work;
  return {
    progress,
    result,
    stop,
    awaited,
    catchUp,
    openOriginal,
    setRule,
    saveEdit,
    turn,
    ...usePhotoSheets(work),
  };
});
