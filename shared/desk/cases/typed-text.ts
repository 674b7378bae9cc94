import { z } from 'zod';
import { commentMaxLength } from '../../api/limits.ts';
import { opaqueIdSchema } from '../../api/conventions.ts';
import { editParts } from './case-choices.ts';

/**
 * A text as it is typed. The limit is higher than that of any field, so that a text that is too
 * long for its field is still stored.
 */
export const longTextSchema = z.string().max(20 * commentMaxLength);

/**
 * The window in which a text was typed, and the time since its last key. If two windows type the
 * same text, the later key wins. A text that no window typed has neither.
 */
export const typedBySchema = z.object({ window: z.uuid(), agoMs: z.int().nonnegative() });
export type TypedBy = z.infer<typeof typedBySchema>;

/** The members that each call that stores a typed text has in addition to the text. */
export const typedBy = { by: typedBySchema.optional() };

/** Whether another window has a later key. Then its text stays, and this text is not stored. */
export const storedTextSchema = z.object({ isLate: z.boolean() });
export type StoredText = z.infer<typeof storedTextSchema>;

/** The places whose texts are stored while the user types. */
export const typedPlaces = [...editParts, 'note', 'report', 'caption', 'return'] as const;

/** A typed text as the engine has it now. Lists of these texts are in the order of storing. */
export const typedTextSchema = z.object({
  place: z.enum(typedPlaces),
  /**
   * The id of the case; of the draft if the text is a report's comment or a caption; of the
   * submission if it is about a return.
   */
  id: opaqueIdSchema,
  /** The file that the caption belongs to. */
  fileId: z.uuid().optional(),
  /** The text; null if it was queued or the user took it back. */
  text: z.string().nullable(),
  /** The window that typed the text; null if no window did. */
  window: z.uuid().nullable(),
});
export type TypedText = z.infer<typeof typedTextSchema>;
