import { z } from 'zod';
import { opaqueIdSchema } from '../../api/conventions.ts';
import { attachmentDetailsSchema, detailsChangeSchema } from '../../photos/details.ts';
import { deskProblemSchema } from '../contract/errors.ts';
import { longTextSchema, typedBy } from '../cases/typed-text.ts';
import { returnNoteSchema } from './returns.ts';

/** A file of a report that is not queued yet. Its bytes are already safe in the work store. */
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
  /** The files in the order in which they will be uploaded. */
  attachments: z.array(attachmentSchema),
  createdAt: z.string(),
  updatedAt: z.string(),
  /** The outbox row of a queued draft. A queued draft no longer changes. */
  queueId: z.int().nullable(),
  /**
   * The least time that the upload takes if nothing else waits, by the limits and the measured
   * speed.
   */
  estimatedUploadMs: z.int(),
});
export type ReportDraft = z.infer<typeof reportDraftSchema>;

/** The files of a draft that are sent to the insurer. */
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

/** A submission in a case's list, with what this laptop knows about it. */
const listedReportSchema = reportSchema.extend({
  /** Whether everything that was sent is on this laptop. */
  isHere: z.boolean(),
  /** The practice insurer's reason for its verdict. A real partner gives none: null. */
  practiceReason: z.string().nullable(),
  /** Why it came back, as the user noted it; null if nothing is noted. */
  note: returnNoteSchema.nullable(),
});
export type ListedReport = z.infer<typeof listedReportSchema>;

/** The content of a submission that was sent. */
export const sentReportSchema = z.object({
  /** The id with which its files are opened, like those of a draft; it cannot be changed. */
  copy: reportDraftSchema,
  /** The names of documents that the partner lists but does not return the content of. */
  missing: z.array(z.string()),
});
export type SentReport = z.infer<typeof sentReportSchema>;

export const submissionRefSchema = z.object({
  id: z.string().min(1).max(200),
  submissionId: z.string().min(1).max(200),
});

/**
 * A draft that begins with the content of a submission, and the documents that are missing in it.
 */
export const revisionSchema = z.object({
  draft: reportDraftSchema,
  missing: z.array(z.string()),
});

export const reportListSchema = z.object({
  items: z.array(listedReportSchema),
  drafts: z.array(reportDraftSchema),
  total: z.int(),
  /**
   * When the server listed the submissions; null if it never did, so that unknown ones may exist.
   */
  listedAt: z.string().nullable(),
  /**
   * The reason why the list could not be read now. It is present only for a list that was never
   * read.
   */
  problem: deskProblemSchema.optional(),
});

export const draftRefSchema = z.object({ draftId: z.uuid() });
export const draftUpdateSchema = z.object({
  draftId: z.uuid(),
  comment: longTextSchema.optional(),
  /** The ids of all attachments in the new order. */
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
