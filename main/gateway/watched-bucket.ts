import { Problem } from '../front/problem.ts';
import type { ObjectStore } from '../front/contents/s3-store.ts';

/** A bucket whose failures are problems, and known to /health. */
export interface WatchedBucket {
  readonly objects: ObjectStore;
  /** Whether the latest request to the bucket failed. */
  isFailing(): boolean;
}

export function watchBucket(bucket: ObjectStore): WatchedBucket {
  let isFailing = false;
  const watched = async <T>(work: Promise<T>): Promise<T> => {
    try {
      const result = await work;
      isFailing = false;
      return result;
    } catch (error) {
      isFailing = true;
      throw new Problem('upstream_error', 'the storage for documents cannot be reached', {
        cause: error,
      });
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
