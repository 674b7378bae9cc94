import { inject } from 'vitest';
import { parseObjectLocation } from '#main/service/documents/objects/object-location.ts';
import type { ObjectStore } from '#main/service/documents/objects/object-store.ts';
import { openS3Store } from '#main/service/documents/objects/s3-store.ts';
import { s3Keys } from '../../../support/s3-server.ts';

/** The bucket of a project whose documents are in one, for `openContext`. */
export function objectsForTest(url = inject('documentsUrl')): ObjectStore | undefined {
  if (url === undefined) return undefined;
  return openS3Store({ location: parseObjectLocation(url), credentials: s3Keys });
}
