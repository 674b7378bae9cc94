import { z } from 'zod';
import { dateTimeSchema } from './date-time.ts';

/** A case's document as the list and the upload answer give it. */
export const documentSchema = z.object({
  Id: z.uuid(),
  FileName: z.string(),
  ContentType: z.string(),
  SizeBytes: z.int().nonnegative(),
  CreatedAt: dateTimeSchema,
});
export type Document = z.infer<typeof documentSchema>;

export const documentContentSchema = documentSchema.extend({ ContentBase64: z.string() });

/** Body of I6. */
export const documentUploadSchema = z.object({
  FileName: z.string(),
  ContentType: z.string(),
  ContentBase64: z.string(),
});
