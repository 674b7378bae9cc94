import { computed, shallowReactive, shallowRef } from 'vue';
import type { Batch, BatchAttachment } from '#shared/desk/batch.ts';
import { DeskError } from '#shared/desk/errors.ts';
import { noEdit } from '#shared/photos/edit.ts';
import { readWhole } from '../composables/desk-bytes.ts';
import type { PlacedFile } from '../composables/files.ts';
import {
  assertTakeable,
  createPhotoIntake,
  failAsUnusable,
  madePhoto,
  type PreparedPages,
  preparePages,
  storePages,
} from '../composables/photos/photo-intake.ts';
import { usePhotoStudio } from '../composables/photos/photo-studio.ts';
import { toProblem } from '../composables/problem.ts';
import { useTransport } from '../transport/transport.ts';
import { useAppearanceStore } from './appearance-store.ts';
import { useUnsavedStore } from './unsaved-store.ts';

/** The transport itself waits for a connection, with growing pauses. */
const retryDelayMs = 300;
const lockOf = (batchId: string) => `batch ${batchId}`;
const isUnreachable = (error: unknown) => toProblem(error).code === 'desk_unreachable';

/** Takes the files of a batch into the engine; photos are made ready on their way. */
export function useBatchIntake(take: (answer: { batch: Batch | null }) => void) {
  const { client, files } = useTransport();
  const studio = usePhotoStudio();
  const appearance = useAppearanceStore();
  const rule = () => appearance.photos;
  const photos = createPhotoIntake({ studio, files, rule });
  /** Paths of files that are taken in by this window, and of photos that are made ready. */
  const adding = shallowReactive(new Set<string>());
  const isTaking = computed(() => adding.size > 0);
  useUnsavedStore().addIntake(isTaking);
  /** Of them, those that are in the engine: they stop being added once the window has read it. */
  const arrived = new Set<string>();
  function noteRead(batch: Batch | null): void {
    if (batch) void lookElsewhere(batch.id);
    for (const { path, attachment, problem } of batch?.rows ?? []) {
      if (attachment === null && problem === null) continue;
      if (arrived.delete(path)) adding.delete(path);
    }
  }
  let isAlone = false;
  /** One window at a time: another one does not make ready what this one is about to. */
  const alone = <T>(batchId: string, task: () => Promise<T>): Promise<T> =>
    navigator.locks.request(lockOf(batchId), async () => {
      isAlone = true;
      try {
        return await task();
      } finally {
        isAlone = false;
      }
    });
  /** Another window takes in files of the batch: they are not missing. */
  const isTakenElsewhere = shallowRef(false);
  async function lookElsewhere(batchId: string): Promise<void> {
    if (isTakenElsewhere.value) return;
    const { held = [] } = await navigator.locks.query();
    const isHeld = held.some(({ name, mode }) => name === lockOf(batchId) && mode === 'exclusive');
    if (isAlone || !isHeld) return;
    isTakenElsewhere.value = true;
    await navigator.locks.request(lockOf(batchId), { mode: 'shared' }, () => undefined);
    isTakenElsewhere.value = false;
  }

  const prepareFrom = (content: Blob, fileName: string) =>
    preparePages((page) =>
      studio
        .run({ kind: 'prepare', content, page, edit: noEdit, rule: rule() })
        .catch(failAsUnusable(fileName)),
    );

  /** Stores what is sent of a photo, and of the further pages of its file. */
  async function store(
    { draftId, id, fileName }: BatchAttachment,
    content: Blob,
    { jpeg, further, takenAt }: PreparedPages,
  ): Promise<void> {
    const rendition = { editVersion: 0, takenAt, page: 0 };
    const made = jpeg
      ? madePhoto(fileName, jpeg, rendition)
      : { file: new File([content], fileName, { type: content.type }), rendition };
    await storePages(files, { draftId, id }, made, further);
  }

  /** A refusal is stored with the file; anything else ends the taking in. */
  async function takeOne(batchId: string, { path, file }: PlacedFile): Promise<void> {
    try {
      await assertTakeable(file);
      const photo = await photos.prepared(file);
      const isSeen = photo !== null && photo.jpeg === null;
      const added = await files.addBatchFile(batchId, path, file, isSeen);
      // The same bytes again are made ready already, or in a report.
      if (photo && added?.isRaw && added.draftId === batchId) await store(added, file, photo);
    } catch (error) {
      if (!(error instanceof DeskError) || error.code === 'disk_full') throw error;
      take(await client.batch.refuse({ path, problem: error.problem }));
    }
  }

  /** The same file again after an engine that died; the same bytes again change nothing. */
  async function takeUntilAnswered(batchId: string, one: PlacedFile): Promise<void> {
    try {
      await takeOne(batchId, one);
    } catch (error) {
      if (!isUnreachable(error)) throw error;
      await answered();
      await takeOne(batchId, one);
    }
  }

  /** Resolves once the engine answers. */
  async function answered(): Promise<void> {
    for (;;) {
      try {
        await client.batch.get();
        return;
      } catch (error) {
        if (!isUnreachable(error)) throw error;
        // A call over a connection that is just closing fails at once.
        await new Promise((resolve) => setTimeout(resolve, retryDelayMs));
      }
    }
  }

  async function takeAll(batchId: string, placed: readonly PlacedFile[]): Promise<void> {
    for (const { path } of placed) adding.add(path);
    try {
      await alone(batchId, async () => {
        for (const [index, one] of placed.entries()) {
          // The next photo is made ready while this one is stored.
          for (const { file } of placed.slice(index, index + 2)) photos.prepare(file);
          await takeUntilAnswered(batchId, one);
          arrived.add(one.path);
        }
      });
    } finally {
      try {
        take(await client.batch.get());
      } finally {
        for (const { path } of placed) if (adding.delete(path)) arrived.delete(path);
      }
    }
  }

  /** Photos that came in, but of which what is sent was not made before their window ended. */
  async function finishPhotos({ id }: Batch): Promise<void> {
    await alone(id, async () => {
      const { batch } = await client.batch.get();
      for (const { path, attachment } of batch?.rows ?? []) {
        if (!attachment?.isRaw || attachment.draftId !== id || adding.has(path)) continue;
        adding.add(path);
        try {
          const address = files.originalUrl(id, attachment.id);
          const content = await readWhole(address, { type: attachment.contentType });
          await store(attachment, content, await prepareFrom(content, attachment.fileName));
        } catch (error) {
          if (!(error instanceof DeskError)) throw error;
          take(await client.batch.refuse({ path, problem: error.problem }));
        } finally {
          adding.delete(path);
        }
      }
    });
  }

  return { adding, isTaking, isTakenElsewhere, noteRead, takeAll, finishPhotos };
}
