import { z } from 'zod';
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

export const batchMatchSchema = z.object({
  /** Relative to the folder, with slashes. */
  path: z.string(),
  caseId: z.uuid().nullable(),
  externalKey: z.string().nullable(),
  /** `certain`: by its key, or by two identifiers that agree; `likely`: by one that may change. */
  confidence: z.enum(['certain', 'likely']).nullable(),
  matchedBy: z.array(identifierFoundSchema),
  isSalvageSale: z.boolean(),
  refusal: z.enum(matchRefusals).nullable(),
  /** External keys of the possible cases if there are several; at most ten. */
  candidates: z.array(z.string()),
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
  /** Of a known file: the draft or entry that holds it; the state is null for a draft. */
  draftId: z.uuid().nullable(),
  queueId: z.int().nullable(),
  queueState: z.enum(queueStates).nullable(),
});
export type BatchItem = z.infer<typeof batchItemSchema>;

export const batchInputSchema = z.object({
  /** Absolute path of a folder on this laptop. */
  folder: z.string().min(1).max(4096),
  submit: z.boolean().default(false),
  dryRun: z.boolean().default(false),
});
export type BatchInput = z.infer<typeof batchInputSchema>;

export const batchReportSchema = z.object({
  caseId: z.uuid(),
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
});
export type BatchResult = z.infer<typeof batchResultSchema>;

/** Names of files that a window holds, relative to what was dropped, with slashes. */
export const batchNamesSchema = z.object({ paths: z.array(z.string().max(4096)).max(10_000) });
export const batchMatchListSchema = z.object({ items: z.array(batchMatchSchema), total: z.int() });
