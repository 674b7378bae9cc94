import { z } from 'zod';

/** The most photos of the watched folder that are offered at the same time: the newest ones. */
export const cameraPhotosMax = 500;

export const cameraFolderSchema = z.object({
  /** The full path of the watched folder; null if none is watched. */
  folder: z.string().nullable(),
});
export type CameraFolder = z.infer<typeof cameraFolderSchema>;

/** A photo in the watched folder that the user has neither taken nor dismissed. */
export const cameraPhotoSchema = z.object({
  /**
   * A hash of the photo's path, size and time of change. A changed file counts as another photo.
   */
  id: z.string().regex(/^[0-9a-f]{64}$/),
  fileName: z.string(),
  sizeBytes: z.int(),
  /**
   * The camera's time of capture; if it is missing, the file's time in Zurich:
   * `2026-05-01T14:02:00`.
   */
  takenAt: z.string(),
  /** Whether the photo was taken on the day of the case's inspection. */
  isOfVisit: z.boolean(),
});
export type CameraPhoto = z.infer<typeof cameraPhotoSchema>;

export const cameraOfferSchema = cameraFolderSchema.extend({
  /** Whether the folder exists now; false if the memory card was pulled out. */
  isThere: z.boolean(),
  /** The photos in the order of their capture. */
  items: z.array(cameraPhotoSchema).max(cameraPhotosMax),
  total: z.int(),
});
export type CameraOffer = z.infer<typeof cameraOfferSchema>;

export const photoIds = z.array(cameraPhotoSchema.shape.id).max(cameraPhotosMax);
