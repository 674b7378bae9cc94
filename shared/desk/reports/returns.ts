import { z } from 'zod';
import { typedBy } from '../cases/typed-text.ts';

/** The reasons of a return that the desk offers. Any other reason is the user's own words. */
export const returnReasons = [
  'photographs',
  'amounts',
  'documents',
  'particulars',
  'explanation',
] as const;

export const ownReasonMaxLength = 60;
export const returnTextMaxLength = 2000;

/** One of `returnReasons`, or the user's own words. */
const returnReasonSchema = z.string().trim().min(1).max(ownReasonMaxLength);

/** Why the insurer returned a report, as the user noted it after asking. It is never sent. */
export const returnNoteSchema = z.object({
  /** Null if only a text was noted. */
  reason: returnReasonSchema.nullable(),
  text: z.string(),
});
export type ReturnNote = z.infer<typeof returnNoteSchema>;

/** Sets the given parts of a note. A note without a reason and a text is removed. */
export const returnNoteInputSchema = z.object({
  id: z.string().min(1).max(200),
  submissionId: z.string().min(1).max(200),
  reason: returnReasonSchema.nullable().optional(),
  text: z.string().max(returnTextMaxLength).optional(),
  ...typedBy,
});
export type ReturnNoteInput = z.infer<typeof returnNoteInputSchema>;

const reasonCount = z.object({ reason: z.string(), count: z.int() });

/** The returns by one insurer, over the reports that this device knows. */
export const insurerReturnsSchema = z.object({
  /** The submitted reports to the insurer. */
  reports: z.int(),
  /** How many of them came back for each noted reason, most frequent first. */
  reasons: z.array(reasonCount),
  /** The user's own reasons, for any insurer, most frequent first. */
  ownReasons: z.array(z.string()),
});
export type InsurerReturns = z.infer<typeof insurerReturnsSchema>;

/** The submitted and the returned reports of a group of cases, with the noted reasons. */
export const returnsRowSchema = z.object({
  /** The name of the insurer, or the category. */
  key: z.string(),
  reports: z.int(),
  returned: z.int(),
  reasons: z.array(reasonCount),
});
export type ReturnsRow = z.infer<typeof returnsRowSchema>;
