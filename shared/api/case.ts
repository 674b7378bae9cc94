import { z } from 'zod';
import { caseStatuses, categories } from './case-words.ts';
import { dateTimeSchema } from './conventions.ts';

export const organizationContactSchema = z.object({
  Name: z.string(),
  Responsible: z.object({ Name: z.string(), Email: z.string(), Phone: z.string() }),
});
export type OrganizationContact = z.infer<typeof organizationContactSchema>;

const recordFields = {
  Id: z.uuid(),
  ExternalKey: z.string(),
  Category: z.enum(categories),
  Status: z.enum(caseStatuses),
  CreatedAt: dateTimeSchema,
  UpdatedAt: dateTimeSchema,
  ExpertComment: z.string(),
  /** The claim payload as JSON text, byte for byte as the insurer sent it. */
  PayloadJson: z.string(),
  ArchiveState: z.boolean(),
  HailDriveInAccepted: z.boolean(),
  LastChangedAt: dateTimeSchema,
  /** The amount is in CHF; null means that it is not entered. */
  CostEstimateAmount: z.number().nullable(),
  ApprovedAmount: z.number().nullable(),
  /**
   * The difference CostEstimateAmount minus ApprovedAmount, if both are set and the estimate is
   * higher.
   */
  SavingsAmount: z.number().nullable(),
};

/** The expert's view of a record. */
export const caseSchema = z.object({ ...recordFields, Insurer: organizationContactSchema });

/** The insurer's view of the same record. */
export const claimSchema = z.object({
  ...recordFields,
  Expert: organizationContactSchema.nullable(),
  LastReportApprovedAt: dateTimeSchema.nullable(),
});

export const claimCreationResultSchema = z.object({
  Id: z.uuid(),
  ExternalKey: z.string(),
  Category: z.enum(categories),
  Status: z.enum(caseStatuses),
  PayloadJson: z.string(),
});

export const validationResultSchema = z.object({
  Valid: z.boolean(),
  Errors: z.record(z.string(), z.array(z.string())).optional(),
});
