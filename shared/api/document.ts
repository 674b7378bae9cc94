import { z } from 'zod';
import { dateTimeSchema } from './conventions.ts';

/** A case's document in the list and in the answer to an upload. */
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

/** Media types that a document may have (decisions, "Documents"). */
export const documentContentTypes = [
  'application/pdf',
  'image/jpeg',
  'image/png',
  'image/webp',
  'image/heic',
  'image/tiff',
  'text/plain',
  'text/csv',
  'message/rfc822',
  'application/zip',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
] as const;
export type DocumentContentType = (typeof documentContentTypes)[number];
