import { z } from 'zod';
import { dateTimeSchema } from './conventions.ts';
import { documentSchema, documentUploadSchema } from './document.ts';

export const submissionStatuses = [
  'Draft',
  'Submitted',
  'Approved',
  'Returned',
  'Cancelled',
] as const;
export type SubmissionStatus = (typeof submissionStatuses)[number];

export const submissionSchema = z.object({
  Id: z.uuid(),
  ClaimId: z.uuid(),
  SequenceNo: z.int32(),
  Status: z.enum(submissionStatuses),
  Comment: z.string(),
  SubmittedAt: dateTimeSchema.nullable(),
  CreatedAt: dateTimeSchema,
  UpdatedAt: dateTimeSchema,
});
export type Submission = z.infer<typeof submissionSchema>;

export const reportSchema = submissionSchema.extend({ RevisionNo: z.int32() });
export type Report = z.infer<typeof reportSchema>;

export const submissionDocumentKinds = ['Report', 'Photo', 'SalvageSale'] as const;
export type SubmissionDocumentKind = (typeof submissionDocumentKinds)[number];

export const submissionDocumentSchema = documentSchema.extend({
  SubmissionId: z.uuid(),
  ClaimId: z.uuid(),
  Kind: z.string(),
  IsSalvageSale: z.boolean(),
});
export type SubmissionDocument = z.infer<typeof submissionDocumentSchema>;

export const submissionDocumentContentSchema = submissionDocumentSchema.extend({
  ContentBase64: z.string(),
});

/** The body of X13. */
export const submissionDocumentUploadSchema = documentUploadSchema.extend({
  /** Null and an absent value mean false. */
  IsSalvageSale: z.boolean().nullish(),
});
