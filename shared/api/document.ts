import { z } from 'zod';
import { dateTimeSchema } from './conventions.ts';
import { fileNameMaxLength } from './limits.ts';

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

/** The media types that a document may have (decisions, "Documents"). */
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
/** The body of I6. What the service refuses is written as metadata, because it streams the body. */
export const documentUploadSchema = z.object({
  FileName: z.string().meta({
    minLength: 1,
    maxLength: fileNameMaxLength,
    pattern: String.raw`^[^/\\\u0000-\u001f\u007f-\u009f]*$`,
  }),
  ContentType: z.string().meta({ enum: [...documentContentTypes] }),
  ContentBase64: z.string().meta({
    contentEncoding: 'base64',
    minLength: 1,
    pattern: '^[A-Za-z0-9+/]+={0,2}$',
  }),
});

export type DocumentContentType = (typeof documentContentTypes)[number];
