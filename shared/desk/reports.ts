import { z } from 'zod';
import { opaqueIdSchema } from '../api/conventions.ts';
import { attachmentDetailsSchema, detailsChangeSchema } from '../photos/details.ts';
import { deskProblemSchema } from './errors.ts';
import { typedBy } from './typed-text.ts';

/** A file of a report that is being put together. Its bytes are already safe in the work store. */
export const attachmentSchema = z.object({
  id: z.uuid(),
  fileName: z.string(),
  contentType: z.string(),
  sizeBytes: z.int(),
  sha256: z.string(),
  isSalvageSale: z.boolean(),
  details: attachmentDetailsSchema,
});
export type Attachment = z.infer<typeof attachmentSchema>;

export const reportDraftSchema = z.object({
  id: z.uuid(),
  caseId: opaqueIdSchema,
  comment: z.string(),
  /** In the order in which they will be uploaded. */
  attachments: z.array(attachmentSchema),
  createdAt: z.string(),
  updatedAt: z.string(),
  /** The outbox row once it is queued; a queued draft no longer changes. */
  queueId: z.int().nullable(),
  /** Least time the upload takes now if nothing else waits: by the limits and the rate seen. */
  estimatedUploadMs: z.int(),
});
export type ReportDraft = z.infer<typeof reportDraftSchema>;

/** Of a draft's files those that go to the insurer. */
export const sentFiles = <File extends { readonly details: { readonly isWithheld: boolean } }>(
  files: readonly File[],
): File[] => files.filter(({ details }) => !details.isWithheld);

/** A submission that the server knows. */
const reportSchema = z.object({
  id: opaqueIdSchema,
  caseId: opaqueIdSchema,
  sequenceNo: z.int(),
  revisionNo: z.int(),
  status: z.string(),
  comment: z.string(),
  submittedAt: z.string().nullable(),
  createdAt: z.string(),
  updatedAt: z.string(),
});

/** A submission in a case's list, with what this laptop knows of it. */
const listedReportSchema = reportSchema.extend({
  /** Everything that was sent is on this laptop. */
  isHere: z.boolean(),
  /** What the insurer gave as a reason for its verdict; null if the partner gives no reason. */
  reason: z.string().nullable(),
});
export type ListedReport = z.infer<typeof listedReportSchema>;

/** What was sent in a submission. */
export const sentReportSchema = z.object({
  /** Its files are opened as those of a draft; it cannot be changed. */
  copy: reportDraftSchema,
  /** Names of documents that the partner has and gives no content of. */
  missing: z.array(z.string()),
});
export type SentReport = z.infer<typeof sentReportSchema>;

export const submissionRefSchema = z.object({
  id: z.string().min(1).max(200),
  submissionId: z.string().min(1).max(200),
});

/** A draft that begins with what was sent, and the documents that are not in it. */
export const revisionSchema = z.object({
  draft: reportDraftSchema,
  missing: z.array(z.string()),
});

export const reportListSchema = z.object({
  items: z.array(listedReportSchema),
  drafts: z.array(reportDraftSchema),
  total: z.int(),
  /** When the server listed them; null if it never did, so that none may be unknown ones. */
  listedAt: z.string().nullable(),
  /** Why a list that was never read could not be read now; absent for every other. */
  problem: deskProblemSchema.optional(),
});

export const draftRefSchema = z.object({ draftId: z.uuid() });
export const draftUpdateSchema = z.object({
  draftId: z.uuid(),
  comment: z.string().optional(),
  /** Every attachment's id in the new order. */
  order: z.array(z.uuid()).optional(),
  ...typedBy,
});
export const attachmentUpdateSchema = z.object({
  draftId: z.uuid(),
  attachmentId: z.uuid(),
  fileName: z.string().optional(),
  isSalvageSale: z.boolean().optional(),
  details: detailsChangeSchema.optional(),
  ...typedBy,
});
export const attachmentRefSchema = z.object({ draftId: z.uuid(), attachmentId: z.uuid() });
