import { z } from 'zod';

/** Photos of the watched folder that are offered at once: the newest. */
export const cameraPhotosMax = 500;

export const cameraFolderSchema = z.object({
  /** Full path; null if none is watched. */
  folder: z.string().nullable(),
});
export type CameraFolder = z.infer<typeof cameraFolderSchema>;

/** A photo in the watched folder that was neither taken nor left. */
export const cameraPhotoSchema = z.object({
  /** Of its place, size and time of change: what changed is another photo. */
  id: z.string().regex(/^[0-9a-f]{64}$/),
  fileName: z.string(),
  sizeBytes: z.int(),
  /** The camera's own time of capture, else the file's in Zurich: `2026-05-01T14:02:00`. */
  takenAt: z.string(),
  /** On the day of the case's inspection. */
  isOfVisit: z.boolean(),
});
export type CameraPhoto = z.infer<typeof cameraPhotoSchema>;

export const cameraOfferSchema = cameraFolderSchema.extend({
  /** False of a card that was pulled out. */
  isThere: z.boolean(),
  /** By time of capture. */
  items: z.array(cameraPhotoSchema).max(cameraPhotosMax),
  total: z.int(),
});
export type CameraOffer = z.infer<typeof cameraOfferSchema>;

export const photoIds = z.array(cameraPhotoSchema.shape.id).max(cameraPhotosMax);
