import { inject } from 'vitest';
import { parseObjectLocation } from '#main/front/contents/object-location.ts';
import type { ObjectStore } from '#main/front/contents/object-store.ts';
import { openS3Store } from '#main/front/contents/s3-store.ts';
import { s3Keys } from '../../../support/s3-server.ts';

/** The bucket of a project whose documents are in one, for `openContext`. */
export function objectsForTest(url = inject('documentsUrl')): ObjectStore | undefined {
  if (url === undefined) return undefined;
  return openS3Store({ location: parseObjectLocation(url), credentials: s3Keys });
}
