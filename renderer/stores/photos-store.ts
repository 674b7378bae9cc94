import { defineStore } from 'pinia';
import { until } from '@vueuse/core';
import { shallowReactive, shallowRef } from 'vue';
import type { Attachment, ReportDraft } from '#shared/desk/reports.ts';
import type { FileKind } from '#shared/photos/details.ts';
import { noEdit, type PhotoEdit } from '#shared/photos/edit.ts';
import { readWhole } from '../composables/desk-bytes.ts';
import { base64Of, photoTypes } from '../composables/files.ts';
import { failAsUnusable, madePhoto, storePages } from '../composables/photos/photo-intake.ts';
import { usePhotoStudio } from '../composables/photos/photo-studio.ts';
import type { PhotoRule } from '../composables/photos/photo-tasks.ts';
import type { PhotoSheet, SheetPhoto } from '../composables/photo-sheet.ts';
import { createTaskQueue } from '../composables/tasks.ts';
import { useTransport } from '../transport/transport.ts';
import { useAppearanceStore } from './appearance-store.ts';
import { useReportsStore } from './reports-store.ts';
import { useUndoStore } from './undo-store.ts';

/** Longer side of a photo on a sheet, in pixels: sharp on a whole A4 page at 150 dpi. */
const sheetEdge = 1600;
/** Of a logo, for a printer. */
const logoEdge = 480;

/** Longer side of a photo that is marked, in pixels of the screen. */
const editedEdge = 2000;

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
  /** Names of those that could not be drawn; they stay as they are. */
  readonly failed: readonly string[];
  /** The user stopped it before its end. */
  readonly stopped: boolean;
}

export interface ChosenPhoto {
  readonly photo: Attachment;
  readonly caption: string;
  readonly group: string;
}

type SheetWords = Pick<PhotoSheet, 'title' | 'about' | 'footer' | 'perPage'> & {
  readonly fileName: string;
};

/** Whether what is sent of a photo was never made, or does not show its last change. */
const isBehind = ({ contentType, details }: Attachment): boolean =>
  photoTypes.includes(contentType) &&
  (details.renderedVersion === null || details.renderedVersion < details.editVersion);

/** Work on the photos of a draft: the original of each stays, and what is sent is made of it. */
export const usePhotosStore = defineStore('photos', () => {
  const { client, files } = useTransport();
  const studio = usePhotoStudio();
  const appearance = useAppearanceStore();
  const reports = useReportsStore();
  const undos = useUndoStore();
  /** How far the present work is; null when there is no work. */
  const progress = shallowRef<PhotoProgress | null>(null);
  /** Of the work that was done last. */
  const result = shallowRef<PhotoResult | null>(null);
  let stopping = false;
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

  /** @returns the photos whose task failed; those that were left out by a stop are not in it */
  async function each(
    draftId: string,
    photos: readonly Attachment[],
    task: (photo: Attachment) => Promise<void>,
  ): Promise<Omit<PhotoResult, 'draftId'>> {
    const failed: string[] = [];
    let done = 0;
    let next = 0;
    stopping = false;
    const work = async (): Promise<void> => {
      for (let photo = photos[next++]; photo && !stopping; photo = photos[next++]) {
        const { fileName } = photo;
        await task(photo).catch(() => failed.push(fileName));
        done += 1;
        progress.value = { draftId, done, total: photos.length };
      }
    };
    progress.value = { draftId, done, total: photos.length };
    try {
      // Two at once: one is decoded while the other is read or stored.
      await Promise.all([work(), work()]);
    } finally {
      progress.value = null;
    }
    return { done: done - failed.length, failed, stopped: done < photos.length };
  }

  /** Makes what is sent of a photo again, from its original. */
  async function render(draftId: string, photo: Attachment, rule: PhotoRule): Promise<void> {
    const { edit, editVersion, original } = photo.details;
    const content = await originalOf(draftId, photo);
    const page = original?.page ?? 0;
    const prepare = (ofPage: number, ofEdit: PhotoEdit) =>
      studio.run({ kind: 'prepare', content, page: ofPage, edit: ofEdit, rule });
    const prepared = await prepare(page, edit ?? noEdit);
    const rendition = { editVersion, takenAt: prepared.takenAt, page };
    const made = prepared.jpeg
      ? madePhoto(photo.fileName, prepared.jpeg, rendition)
      : {
          file: new File([content], original?.fileName ?? photo.fileName, { type: content.type }),
          rendition,
        };
    await storePages(files, { draftId, id: photo.id }, made, {
      // Of a HEIC or TIFF that came in by another way than this window, or whose pages a crash cut
      // off.
      pages: original === null ? prepared.pages : 1,
      prepare: (further) => prepare(further, noEdit),
    });
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
      await until(() => reports.working.has(draftId)).toBe(false);
      try {
        const outcome = await reports.during(draftId, 'photos', () =>
          each(draftId, photos, (photo) => render(draftId, photo, appearance.photos)),
        );
        result.value = { draftId, ...outcome };
      } finally {
        await reports.openDraft(draftId);
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
    reports.updateAttachment(draftId, attachmentId, { details: { edit } });

  function stop(): void {
    stopping = true;
  }

  /** Stores the office's logo for this and later sheets. */
  async function setLogo(file: File | null): Promise<void> {
    if (file === null) {
      appearance.choose({ sheetLogo: null });
      return;
    }
    const task = { kind: 'picture', content: file, page: 0, longEdge: logoEdge } as const;
    const { jpeg } = await studio.run(task).catch(failAsUnusable(file.name));
    appearance.choose({ sheetLogo: `data:image/jpeg;base64,${await base64Of(jpeg)}` });
  }

  /** Adds a PDF with the photos and their captions to the draft. */
  async function addSheet(draftId: string, chosen: readonly ChosenPhoto[], sheet: SheetWords) {
    result.value = null;
    const outcome = await reports.during(draftId, 'photos', async () => {
      const pages = new Map<string, SheetPhoto>();
      const words = new Map(chosen.map(({ photo, ...text }) => [photo.id, text]));
      const photos = chosen.map(({ photo }) => photo);
      const worked = await each(draftId, photos, async ({ id, contentType }) => {
        const content = await readWhole(files.attachmentUrl(draftId, id), { type: contentType });
        const shown = await studio.run({
          kind: 'picture',
          content,
          page: 0,
          longEdge: sheetEdge,
        });
        pages.set(id, {
          jpeg: new Uint8Array(await shown.jpeg.arrayBuffer()),
          width: shown.width,
          height: shown.height,
          ...(words.get(id) ?? { caption: '', group: '' }),
        });
      });
      const inOrder = photos.flatMap(({ id }) => pages.get(id) ?? []);
      if (inOrder.length > 0 && !worked.stopped) {
        const { fileName, ...layout } = sheet;
        const { pdf } = await studio.run({
          kind: 'sheet',
          sheet: { ...layout, photos: inOrder, logo: appearance.sheetLogo },
        });
        await reports.addFiles(draftId, [new File([pdf], fileName, { type: pdf.type })]);
      }
      return worked;
    });
    result.value = { draftId, ...outcome };
  }

  type Act = 'rename' | 'remove' | 'move' | 'turn';
  const remember = (step: { act: Act; n: number; undo: () => Promise<void> }): void =>
    undos.offer({ key: `photos.undone.${step.act}`, params: { n: step.n }, undo: step.undo });

  /** Gives files new names and kinds; can be taken back. */
  async function rename(
    draftId: string,
    changes: readonly { id: string; fileName: string; kind: FileKind | null }[],
  ): Promise<void> {
    const before = (reports.drafts.get(draftId)?.attachments ?? [])
      .filter(({ id }) => changes.some((change) => change.id === id))
      .map(({ id, fileName, details }) => ({ id, fileName, kind: details.kind }));
    const write = (names: typeof changes) =>
      reports.during(draftId, 'names', async () => {
        for (const { id, fileName, kind } of names)
          await reports.updateAttachment(draftId, id, { fileName, details: { kind } });
      });
    remember({ act: 'rename', n: changes.length, undo: () => write(before) });
    await write(changes);
  }

  /** Takes files out of the report; can be taken back. */
  async function remove(draftId: string, ids: readonly string[]): Promise<void> {
    // The last one comes back first, so that each finds the place that it had.
    const taken: string[] = [];
    const undo = async () => {
      for (const id of taken.toReversed()) await reports.restoreAttachment(draftId, id);
    };
    remember({ act: 'remove', n: ids.length, undo });
    for (const id of ids) {
      await reports.removeAttachment(draftId, id);
      taken.push(id);
    }
  }

  /** Puts files into a new order; can be taken back. */
  async function arrange(draftId: string, order: readonly string[], n: number): Promise<void> {
    const before = (reports.drafts.get(draftId)?.attachments ?? []).map(({ id }) => id);
    remember({ act: 'move', n, undo: () => reports.arrange(draftId, before) });
    await reports.arrange(draftId, order);
  }

  /** Changes photos and makes again what is sent of them; can be taken back. */
  async function turn(draftId: string, edits: ReadonlyMap<string, PhotoEdit>): Promise<void> {
    const attachments = reports.drafts.get(draftId)?.attachments ?? [];
    const before = new Map(
      attachments
        .filter(({ id }) => edits.has(id))
        .map(({ id, details }) => [id, details.edit ?? noEdit]),
    );
    const write = async (wanted: ReadonlyMap<string, PhotoEdit>) => {
      for (const [id, edit] of wanted) await saveEdit(draftId, id, edit);
      await catchUp(draftId);
    };
    remember({ act: 'turn', n: edits.size, undo: () => write(before) });
    await write(edits);
  }

  return {
    rename,
    remove,
    arrange,
    turn,
    progress,
    result,
    awaited,
    catchUp,
    openOriginal,
    setRule,
    saveEdit,
    stop,
    setLogo,
    addSheet,
  };
});
