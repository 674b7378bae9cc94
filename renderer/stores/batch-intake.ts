import { computed, shallowReactive, shallowRef } from 'vue';
import type { Batch } from '#shared/desk/reports/batch.ts';
import { DeskError } from '#shared/desk/contract/desk-error.ts';
import { readWhole } from '../lib/desk-bytes.ts';
import type { PlacedFile } from '../lib/files.ts';
import { createPhotoIntake } from '../lib/photos/photo-intake.ts';
import { usePhotoStudio } from '../lib/photos/photo-studio.ts';
import { readyPhoto, storePhoto } from '../lib/photos/ready-photo.ts';
import { toProblem } from '../lib/problem.ts';
import { useTransport } from '../transport/transport.ts';
import { useAppearanceStore } from './appearance-store.ts';
import { useUnsavedStore } from './unsaved-store.ts';

/**
 * The delay before another attempt. The transport itself waits for a connection, with growing
 * pauses.
 */
const retryDelayMs = 300;
const lockOf = (batchId: string) => `batch ${batchId}`;
const isUnreachable = (error: unknown) => toProblem(error).code === 'desk_unreachable';

/** Sends the files of a batch to the engine. Photos are made ready on the way. */
export function useBatchIntake(take: (answer: { batch: Batch | null }) => void) {
  const { client, files } = useTransport();
  const studio = usePhotoStudio();
  const appearance = useAppearanceStore();
  const rule = () => appearance.photos;
  const photos = createPhotoIntake({ studio, files, rule });
  /** The paths of files that this window is adding, and of photos that are being made ready. */
  const adding = shallowReactive(new Set<string>());
  const isTaking = computed(() => adding.size > 0);
  useUnsavedStore().addIntake(isTaking);
  /**
   * The added paths that the engine has received. They are removed from `adding` once the window
   * has read the batch.
   */
  const arrived = new Set<string>();
  function noteRead(batch: Batch | null): void {
    if (batch) void lookElsewhere(batch.id);
    for (const { path, attachment, problem } of batch?.rows ?? []) {
      if (attachment === null && problem === null) continue;
      if (arrived.delete(path)) adding.delete(path);
    }
  }
  let isAlone = false;
  /**
   * Only one window works at a time, so that no other window makes ready what this one is about to.
   */
  const alone = <T>(batchId: string, task: () => Promise<T>): Promise<T> =>
    navigator.locks.request(lockOf(batchId), async () => {
      isAlone = true;
      try {
        return await task();
      } finally {
        isAlone = false;
      }
    });
  /** Whether another window is adding files of the batch, so that these files are not missing. */
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

  /**
   * Adds one file. If the engine refuses it, the reason is stored with the file. Any other error
   * stops the adding.
   */
  async function takeOne(batchId: string, { path, file }: PlacedFile): Promise<void> {
    try {
      await photos.take(file, async (original, isSeen) => {
        const added = await files.addBatchFile(batchId, path, original, isSeen);
        // The same bytes were already made ready, or are already in a report.
        return added?.isRaw && added.draftId === batchId ? added : null;
      });
    } catch (error) {
      if (!(error instanceof DeskError) || error.code === 'disk_full') throw error;
      take(await client.batch.refuse({ path, problem: error.problem }));
    }
  }

  /**
   * Adds one file, and repeats this if the engine has stopped in the meantime. Sending the same
   * bytes twice changes nothing.
   */
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
        // A call over a connection that is closing fails immediately.
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

  /**
   * Makes ready the photos that the engine has received, but whose window ended before it made what
   * is sent of them.
   */
  async function finishPhotos({ id, rows }: Batch): Promise<void> {
    const unfinished = (read: Batch['rows']) =>
      read.flatMap(({ path, attachment }) =>
        attachment?.isRaw && attachment.draftId === id ? [{ path, attachment }] : [],
      );
    if (unfinished(rows).length === 0) return;
    await alone(id, async () => {
      // Another window may have made some of them ready in the meantime.
      const { batch } = await client.batch.get();
      for (const { path, attachment } of unfinished(batch?.rows ?? [])) {
        if (adding.has(path)) continue;
        adding.add(path);
        try {
          const { draftId, fileName, contentType } = attachment;
          const address = files.originalUrl(draftId, attachment.id);
          const content = await readWhole(address, { type: contentType });
          const photo = await readyPhoto({ content, fileName }, { studio, rule: rule() });
          if (photo) await storePhoto(files, { put: () => Promise.resolve(attachment) }, photo);
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
