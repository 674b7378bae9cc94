import { shallowRef } from 'vue';
import type { Attachment } from '#shared/desk/reports/reports.ts';

/** The progress of the work on the photos of a draft. */
interface PhotoProgress {
  readonly draftId: string;
  readonly done: number;
  readonly total: number;
}

/** The result of the work on the photos of a draft. */
interface PhotoResult {
  readonly draftId: string;
  readonly done: number;
  /** The names of the photos that could not be drawn. These photos stay unchanged. */
  readonly failed: readonly string[];
  /** Whether the user stopped the work before its end. */
  readonly stopped: boolean;
}

/** Works on many photos of a draft, and provides the progress and the result. */
export function usePhotoWork() {
  /** The progress of the present work; null if there is no work. */
  const progress = shallowRef<PhotoProgress | null>(null);
  /** The result of the last work. */
  const result = shallowRef<PhotoResult | null>(null);
  let stopping = new AbortController();

  /** @returns the photos whose task failed, without those that were left out because of a stop */
  async function each(
    draftId: string,
    photos: readonly Attachment[],
    task: (photo: Attachment, signal: AbortSignal) => Promise<void>,
  ): Promise<Omit<PhotoResult, 'draftId'>> {
    const failed: string[] = [];
    let done = 0;
    let next = 0;
    stopping = new AbortController();
    const { signal } = stopping;
    const wasStopped = () => signal.aborted;
    const work = async (): Promise<void> => {
      for (let photo = photos[next++]; photo && !wasStopped(); photo = photos[next++]) {
        const { fileName } = photo;
        const isDone = await task(photo, signal).then(
          () => true,
          () => false,
        );
        // The stop cancelled the task, so the photo stays unchanged.
        if (!isDone && wasStopped()) return;
        if (!isDone) failed.push(fileName);
        done += 1;
        progress.value = { draftId, done, total: photos.length };
      }
    };
    progress.value = { draftId, done, total: photos.length };
    try {
      // Two photos are processed at once: one is decoded while the other is read or stored.
      await Promise.all([work(), work()]);
    } finally {
      progress.value = null;
    }
    return { done: done - failed.length, failed, stopped: done < photos.length };
  }

  function stop(): void {
    stopping.abort();
  }
  return { progress, result, stop, each };
}
