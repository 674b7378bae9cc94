import { z } from 'zod';
import { opaqueIdSchema } from '../api/conventions.ts';
import { editParts } from './case-choices.ts';

/**
 * Which window a text was typed in, and how long ago its last key was. The later key wins over a
 * text of another window. Texts that no window types have neither.
 */
export const typedBySchema = z.object({ window: z.uuid(), agoMs: z.int().nonnegative() });
export type TypedBy = z.infer<typeof typedBySchema>;

/** What each call that stores a typed text takes in addition to the text. */
export const typedBy = { by: typedBySchema.optional() };

/** Whether another window has a later key, so that its text stays and this one is not stored. */
export const storedTextSchema = z.object({ isLate: z.boolean() });
export type StoredText = z.infer<typeof storedTextSchema>;

/** Texts that are stored as they are typed. */
export const typedPlaces = [...editParts, 'note', 'report', 'caption'] as const;

/** A text as the engine has it now, in the order in which texts were stored. */
export const typedTextSchema = z.object({
  place: z.enum(typedPlaces),
  /** Of the case; of the draft for a report's comment and for a caption. */
  id: opaqueIdSchema,
  /** The file that the caption is of. */
  fileId: z.uuid().optional(),
  /** Null if nothing is typed: it was queued or taken back. */
  text: z.string().nullable(),
  /** The window that typed it; null if none did. */
  window: z.uuid().nullable(),
});
export type TypedText = z.infer<typeof typedTextSchema>;
