import { defineStore } from 'pinia';
import { shallowRef } from 'vue';
import type { Attachment } from '#shared/desk/reports.ts';
import { fetchBytes } from '../composables/desk-bytes.ts';
import { makePhotoSheet, type PhotoSheet, type SheetPhoto } from '../composables/photo-sheet.ts';
import { createTextDrawing } from '../composables/sheet-text.ts';
import { reworkedName, reworkPhoto } from '../composables/photos.ts';
import { useReportsStore } from './reports-store.ts';

/** Longer side of a photo on a sheet, in pixels: sharp on a whole A4 page at 150 dpi. */
const sheetEdge = 1600;

/** How far the photos of a draft are. */
export interface PhotoProgress {
  readonly draftId: string;
  readonly done: number;
  readonly total: number;
}

/** What became of the photos of a draft that were worked on. */
export interface PhotoResult {
  readonly draftId: string;
  readonly done: number;
  /** Bytes that the new files are smaller by. */
  readonly savedBytes: number;
  /** Names of those that could not be drawn; they stay as they are. */
  readonly failed: readonly string[];
}

export interface ReworkOptions {
  /** Longer side in pixels at most; null keeps the size. */
  readonly longEdge: number | null;
  readonly removeOriginals: boolean;
}

export interface ChosenPhoto {
  readonly photo: Attachment;
  readonly caption: string;
}

type SheetWords = Pick<PhotoSheet, 'title' | 'footer' | 'perPage'> & { readonly fileName: string };

/** Work on the photos of a draft, done in this window one after the other. */
export const usePhotoWorkStore = defineStore('photoWork', () => {
  const reports = useReportsStore();
  /** How far the present work is; null when there is none. */
  const progress = shallowRef<PhotoProgress | null>(null);
  /** Of the work that was done last. */
  const result = shallowRef<PhotoResult | null>(null);

  async function contentOf(draftId: string, attachment: Attachment): Promise<Blob> {
    const response = await fetchBytes(reports.attachmentUrl(draftId, attachment.id));
    if (!response.ok) throw new Error('the photo was not given');
    return new Blob([await response.arrayBuffer()], { type: attachment.contentType });
  }

  /**
   * Works on a draft, which must not be queued in the meantime.
   * @throws {DeskError} draft_busy if its files are worked on already
   */
  async function work(draftId: string, task: () => Promise<Omit<PhotoResult, 'draftId'>>) {
    result.value = null;
    result.value = { draftId, ...(await reports.during(draftId, 'photos', task)) };
  }

  /** @returns the names of the photos whose task failed */
  async function each(
    draftId: string,
    photos: readonly Attachment[],
    task: (photo: Attachment) => Promise<void>,
  ): Promise<string[]> {
    const failed: string[] = [];
    try {
      for (const [done, photo] of photos.entries()) {
        progress.value = { draftId, done, total: photos.length };
        await task(photo).catch(() => failed.push(photo.fileName));
      }
    } finally {
      progress.value = null;
    }
    return failed;
  }

  /** Redraws photos upright and no larger than asked; each new file stands behind its original. */
  const rework = (draftId: string, photos: readonly Attachment[], options: ReworkOptions) =>
    work(draftId, () => reworkAll(draftId, photos, options));

  async function reworkAll(draftId: string, photos: readonly Attachment[], options: ReworkOptions) {
    let savedBytes = 0;
    const failed = await each(draftId, photos, async (photo) => {
      const { content } = await reworkPhoto(await contentOf(draftId, photo), {
        longEdge: options.longEdge,
        quality: 0.85,
      });
      const file = new File([content], reworkedName(photo.fileName), { type: 'image/jpeg' });
      await reports.addBehind(draftId, photo, file, options.removeOriginals);
      savedBytes += photo.sizeBytes - file.size;
    });
    return { done: photos.length - failed.length, savedBytes, failed };
  }

  /** Adds a PDF with the photos and their captions to the draft. */
  const addSheet = (draftId: string, chosen: readonly ChosenPhoto[], sheet: SheetWords) =>
    work(draftId, () => makeSheet(draftId, chosen, sheet));

  async function makeSheet(draftId: string, chosen: readonly ChosenPhoto[], sheet: SheetWords) {
    const photos: SheetPhoto[] = [];
    const captions = new Map(chosen.map(({ photo, caption }) => [photo.id, caption]));
    const failed = await each(
      draftId,
      chosen.map(({ photo }) => photo),
      async (photo) => {
        const drawn = await reworkPhoto(await contentOf(draftId, photo), {
          longEdge: sheetEdge,
          quality: 0.8,
        });
        photos.push({
          jpeg: new Uint8Array(await drawn.content.arrayBuffer()),
          width: drawn.width,
          height: drawn.height,
          caption: captions.get(photo.id) ?? '',
        });
      },
    );
    if (photos.length > 0) {
      const pdf = await makePhotoSheet({ ...sheet, photos, drawing: createTextDrawing() });
      await reports.addFiles(draftId, [
        new File([pdf], sheet.fileName, { type: 'application/pdf' }),
      ]);
    }
    return { done: photos.length, savedBytes: 0, failed };
  }

  return { progress, result, rework, addSheet };
});
