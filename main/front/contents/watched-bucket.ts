import type { ObjectStore } from './s3-store.ts';

/** A bucket whose failures are shown by /health. */
export interface WatchedBucket {
  readonly objects: ObjectStore;
  /** Whether the latest request to the bucket failed. */
  isFailing(): boolean;
}

/** @param toProblem what a failed request of the bucket throws; its own error by default */
export function watchBucket(
  bucket: ObjectStore,
  toProblem: (error: unknown) => unknown = (error) => error,
): WatchedBucket {
  let isFailing = false;
  const watched = async <T>(work: Promise<T>): Promise<T> => {
    try {
      const result = await work;
      isFailing = false;
      return result;
    } catch (error) {
      isFailing = true;
      throw toProblem(error);
    }
  };
  return {
    objects: {
      ...bucket,
      put: (id, content) => watched(bucket.put(id, content)),
      open: (id) => watched(bucket.open(id)),
      remove: (id) => watched(bucket.remove(id)),
    },
    isFailing: () => isFailing,
  };
}
