import { z } from 'zod';
import {
  attachmentDetailsSchema,
  originalSchema,
  type AttachmentDetails,
} from '#shared/photos/details.ts';

const storedOriginalSchema = originalSchema.extend({ blobId: z.string(), sha256: z.string() });

/** Details with the place of the original, as the work store keeps them (JSON). */
export const storedDetailsSchema = attachmentDetailsSchema.extend({
  original: storedOriginalSchema.nullable().default(null),
});
export type StoredDetails = z.infer<typeof storedDetailsSchema>;

export const parseDetails = (text: string): StoredDetails =>
  storedDetailsSchema.parse(JSON.parse(text));

/** Without the name of the original's encrypted file. */
export function detailsView({ original, ...details }: StoredDetails): AttachmentDetails {
  if (original === null) return { ...details, original };
  const { fileName, contentType, sizeBytes, page } = original;
  return { ...details, original: { fileName, contentType, sizeBytes, page } };
}

/** The originals of packed attachments: contents that travel beside what is sent. */
export function originalOf(details: unknown): StoredDetails['original'] {
  return typeof details === 'string' ? parseDetails(details).original : null;
}

/** The same details, with the original under the name that another store gave it. */
export function withOriginalBlob(details: unknown, blobIdOf: (sha256: string) => string): string {
  if (typeof details !== 'string') return '{}';
  const stored = parseDetails(details);
  const { original } = stored;
  return JSON.stringify({
    ...stored,
    original: original && { ...original, blobId: blobIdOf(original.sha256) },
  });
}
