import { shallowRef } from 'vue';
import type { Attachment } from '#shared/desk/reports.ts';

/** How far the photos of a draft are. */
interface PhotoProgress {
  readonly draftId: string;
  readonly done: number;
  readonly total: number;
}

/** What became of the photos of a draft that were worked on. */
interface PhotoResult {
  readonly draftId: string;
  readonly done: number;
  /** Names of those that could not be drawn; they stay as they are. */
  readonly failed: readonly string[];
  /** The user stopped it before its end. */
  readonly stopped: boolean;
}

/** Work on many photos of a draft, one after the other, with its progress and its result. */
export function usePhotoWork() {
  /** How far the present work is; null when there is no work. */
  const progress = shallowRef<PhotoProgress | null>(null);
  /** Of the work that was done last. */
  const result = shallowRef<PhotoResult | null>(null);
  let stopping = false;

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

  function stop(): void {
    stopping = true;
  }
  return { progress, result, stop, each };
}
