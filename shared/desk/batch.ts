import { z } from 'zod';
import { opaqueIdSchema } from '../api/conventions.ts';
import { amountsSchema, caseSummarySchema } from './cases.ts';
import { sheetBase64MaxLength } from './message-limit.ts';
import { deskProblemSchema } from './errors.ts';
import { queueStates } from './queue.ts';

export const identifierKinds = ['externalKey', 'policyNumber', 'licensePlate'] as const;
export type IdentifierKind = (typeof identifierKinds)[number];

/** An identifier that was recognized in a name. */
export const identifierFoundSchema = z.object({
  kind: z.enum(identifierKinds),
  /** As the case has it. */
  identifier: z.string(),
  in: z.enum(['file', 'folder']),
});
export type IdentifierFound = z.infer<typeof identifierFoundSchema>;

/** Why a file belongs to no case. */
export const matchRefusals = ['nothing_recognized', 'several_cases', 'names_disagree'] as const;

/** A case that files can belong to, as the user distinguishes it from others. */
export const batchCaseSchema = caseSummarySchema
  .pick({ id: true, externalKey: true, partyName: true, subject: true, licensePlate: true })
  .extend({
    /** Why the case takes no work; null if it does. */
    problem: deskProblemSchema.nullable(),
  });
export type BatchCase = z.infer<typeof batchCaseSchema>;

export const batchMatchSchema = z.object({
  /** Relative to the folder, with slashes. */
  path: z.string(),
  caseId: opaqueIdSchema.nullable(),
  externalKey: z.string().nullable(),
  /** The matched case, also if it is closed or was removed. */
  case: batchCaseSchema.nullable(),
  /** `certain`: by its key, or by two identifiers that agree; `likely`: by one that may change. */
  confidence: z.enum(['certain', 'likely']).nullable(),
  matchedBy: z.array(identifierFoundSchema),
  isSalvageSale: z.boolean(),
  refusal: z.enum(matchRefusals).nullable(),
  /** External keys of the possible cases if there are several; at most ten. */
  candidates: z.array(z.string()),
  /** The same cases. */
  choices: z.array(batchCaseSchema),
});
export type BatchMatch = z.infer<typeof batchMatchSchema>;

export const batchItemSchema = batchMatchSchema.extend({
  /**
   * `ready`: it would be taken (dry run); `added`: it is in the case's draft or report now;
   * `known`: this case has it already, see `queueState`; `duplicate`: the same content is in this
   * batch twice for the case; `unmatched`: see `refusal`; `refused`: see `problem`.
   */
  outcome: z.enum(['ready', 'added', 'known', 'duplicate', 'unmatched', 'refused']),
  problem: deskProblemSchema.nullable(),
  sizeBytes: z.int().nullable(),
  sha256: z.string().nullable(),
  /** Of a known file: the draft or entry that contains it; the state is null for a draft. */
  draftId: z.uuid().nullable(),
  queueId: z.int().nullable(),
  queueState: z.enum(queueStates).nullable(),
});
export type BatchItem = z.infer<typeof batchItemSchema>;

/** Words that a case has anywhere; an external key finds that case alone. */
export const batchSearchSchema = z.object({ q: z.string().min(1).max(500) });
export const batchCaseListSchema = z.object({ items: z.array(batchCaseSchema) });

/** A line of a sheet with amounts and comments; what is null stays as it is. */
export const sheetLineSchema = z.object({
  /** As a spreadsheet counts: the heading is 1. */
  line: z.int(),
  case: batchCaseSchema,
  ...amountsSchema.shape,
  comment: z.string().nullable(),
});
export type SheetLine = z.infer<typeof sheetLineSchema>;

export const batchSheetInputSchema = z.object({
  fileName: z.string().min(1).max(500),
  contentBase64: z.base64().max(sheetBase64MaxLength),
  /** Queues what the lines set. */
  apply: z.boolean().default(false),
});

/** Nothing of a sheet with a problem is taken. */
export const batchSheetSchema = z.object({
  /** Lines that set something else than the case shows. */
  items: z.array(sheetLineSchema),
  /** Lines that set what the case shows already, or nothing. */
  unchanged: z.int(),
  problems: z.array(z.object({ line: z.int(), problem: deskProblemSchema })),
});
export type BatchSheet = z.infer<typeof batchSheetSchema>;

export const batchInputSchema = z.object({
  /** Absolute path of a folder on this laptop. */
  folder: z.string().min(1).max(4096),
  submit: z.boolean().default(false),
  dryRun: z.boolean().default(false),
  /** Absolute path of a sheet with amounts and comments, taken before the files. */
  sheet: z.string().min(1).max(4096).optional(),
});
export type BatchInput = z.infer<typeof batchInputSchema>;

export const batchReportSchema = z.object({
  caseId: opaqueIdSchema,
  externalKey: z.string(),
  draftId: z.uuid(),
  /** The entry of the queue; null for a draft. */
  queueId: z.int().nullable(),
  files: z.int(),
});

export const batchResultSchema = z.object({
  items: z.array(batchItemSchema),
  total: z.int(),
  /** One per case that took files. */
  reports: z.array(batchReportSchema),
  /** Null without a sheet. Nothing at all is taken if it has a problem. */
  sheet: batchSheetSchema.nullable(),
});
export type BatchResult = z.infer<typeof batchResultSchema>;

/** Names of files in a window, relative to what was dropped, with slashes. */
export const batchNamesSchema = z.object({ paths: z.array(z.string().max(4096)).max(10_000) });
