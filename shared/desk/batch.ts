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
  /** As the case has it; as the name has it if no case has it. */
  identifier: z.string(),
  in: z.enum(['file', 'folder']),
});
export type IdentifierFound = z.infer<typeof identifierFoundSchema>;

/** Why a file belongs to no case. */
export const matchRefusals = [
  'nothing_recognized',
  /** Its name has a claim number that no case on this device has: see `matchedBy`. */
  'unknown_case',
  'several_cases',
  'names_disagree',
] as const;

/** A case that files can belong to, as the user distinguishes it from others. */
export const batchCaseSchema = caseSummarySchema
  .pick({ id: true, externalKey: true, partyName: true, subject: true, licensePlate: true })
  .extend({
    /** Why the case takes no work; null if it does. */
    problem: deskProblemSchema.nullable(),
    /** What is queued for it waits until the insurer has accepted it. */
    awaits: z.boolean(),
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

/** What becomes of a file of a batch. */
const batchOutcomes = [
  /** It goes, or would go (dry run), with the report of its case. */
  'ready',
  /** Nothing is wrong with it; another file of its case is refused or missing. */
  'kept_back',
  /** It is in the case's draft or report now. */
  'added',
  /** The case has this content already: see `queueState`. */
  'known',
  /** The same content is in this batch before it, for the same case. */
  'duplicate',
  /** It belongs to no case: see `refusal`. */
  'unmatched',
  /** See `problem`. */
  'refused',
  /** The desk ended, or the window was closed, before its bytes were here. */
  'missing',
] as const;

export const batchItemSchema = batchMatchSchema.extend({
  outcome: z.enum(batchOutcomes),
  problem: deskProblemSchema.nullable(),
  /** All that is wrong with it; the first is `problem`. */
  problems: z.array(deskProblemSchema),
  sizeBytes: z.int().nullable(),
  sha256: z.string().nullable(),
  /** A PDF that opens with a password only. */
  isProtected: z.boolean(),
  /** Of a known file: the draft or entry that contains it; the state is null for a draft. */
  draftId: z.uuid().nullable(),
  queueId: z.int().nullable(),
  queueState: z.enum(queueStates).nullable(),
});
export type BatchItem = z.infer<typeof batchItemSchema>;

/** What the window needs to know of the bytes of a file. */
export const batchAttachmentSchema = z.object({
  id: z.uuid(),
  /** Of the batch, or of the report that contains it. */
  draftId: z.uuid(),
  fileName: z.string(),
  contentType: z.string(),
  sizeBytes: z.int(),
  /** A photo of which what is sent was not made yet. */
  isRaw: z.boolean(),
});
export type BatchAttachment = z.infer<typeof batchAttachmentSchema>;

/** A file of the batch in the window; its case is the one that the user sees, also if corrected. */
export const batchRowSchema = batchItemSchema.extend({
  sizeBytes: z.int(),
  /** The case's key, or the words that the user looks for it by. */
  typed: z.string(),
  /** The user has typed or chosen; the match no longer counts. */
  isCorrected: z.boolean(),
  /** On the case of the file, instead of the comment for all. */
  comment: z.string(),
  /** It goes although the case has it already. */
  sendsAgain: z.boolean(),
  /** The first of what is sent; null until the bytes are here. */
  attachment: batchAttachmentSchema.nullable(),
});
export type BatchRow = z.infer<typeof batchRowSchema>;

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
});

/** What the user decides about a sheet's lines. */
export const sheetChoiceSchema = z.object({
  /** Lines that are left out. */
  without: z.array(z.int()).max(10_000),
  /** Whether rows and columns that the sheet does not show are applied too. */
  withHidden: z.boolean(),
});
export type SheetChoice = z.infer<typeof sheetChoiceSchema>;

/** Nothing of a sheet with a problem is taken. */
export const batchSheetSchema = z.object({
  /** Lines that set something else than the case shows. */
  items: z.array(sheetLineSchema),
  /** Lines that set what the case shows already, or nothing. */
  unchanged: z.int(),
  problems: z.array(z.object({ line: z.int(), problem: deskProblemSchema })),
  /** What the sheet does not show and is not applied. */
  hidden: z.object({ lines: z.array(z.int()), columns: z.array(z.string()) }),
  /** Headings of columns that set nothing. */
  unused: z.array(z.string()),
  choice: sheetChoiceSchema,
});
export type BatchSheet = z.infer<typeof batchSheetSchema>;

export const batchInputSchema = z.object({
  /** Absolute path of a folder on this laptop. */
  folder: z.string().min(1).max(4096),
  submit: z.boolean().default(false),
  dryRun: z.boolean().default(false),
  /** Absolute path of a sheet with amounts and comments, taken before the files. */
  sheet: z.string().min(1).max(4096).optional(),
  /** Filled for each case that has a report, once the sheet is applied; by its id or name. */
  template: z.object({ name: z.string().min(1).max(300), asPdf: z.boolean() }).optional(),
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

/** A case that only the sheet names, with a template. */
export const batchSheetCaseSchema = z.object({
  caseId: opaqueIdSchema,
  externalKey: z.string(),
  /**
   * `ready`: would be filled; `added`: in a report now; `known`: was filled for the same line;
   * `kept_back`: a draft of the case has a document that was filled otherwise, and stays.
   */
  outcome: z.enum(['ready', 'added', 'known', 'kept_back', 'refused']),
  problem: deskProblemSchema.nullable(),
  /** The draft or entry that has the document. */
  draftId: z.uuid().nullable(),
  queueId: z.int().nullable(),
});
export type BatchSheetCase = z.infer<typeof batchSheetCaseSchema>;

export const batchResultSchema = z.object({
  items: z.array(batchItemSchema),
  total: z.int(),
  /** One per case that took files, or was filled for a line of the sheet. */
  reports: z.array(batchReportSchema),
  /** Pictures in them of which place, device and other hidden data are not sent. */
  strippedPictures: z.int(),
  /** Null without a sheet. Nothing at all is taken if it has a problem. */
  sheet: batchSheetSchema.nullable(),
  /** Empty without a template. */
  sheetCases: z.array(batchSheetCaseSchema),
});
export type BatchResult = z.infer<typeof batchResultSchema>;

/** A template that is filled for each case of the batch. */
export const batchTemplateSchema = z.object({
  templateId: z.string().min(1).max(300),
  /** Its PDF is sent. */
  asPdf: z.boolean(),
});
export type BatchTemplate = z.infer<typeof batchTemplateSchema>;

/** A batch of the windows: work from the drop on, until all is queued or the user discards it. */
export const batchSchema = z.object({
  id: z.uuid(),
  startedAt: z.string(),
  /** On every report whose files have no comment. */
  comment: z.string(),
  /** System files that were dropped with the others. */
  leftOut: z.int(),
  rows: z.array(batchRowSchema),
  sheet: z.object({ fileName: z.string(), read: batchSheetSchema }).nullable(),
  /** Null: none is filled. */
  template: batchTemplateSchema.nullable(),
});
export type Batch = z.infer<typeof batchSchema>;
/** Null without a batch. */
export const openBatchSchema = z.object({ batch: batchSchema.nullable() });

/** A case that has no report of the template. */
const unfilledSchema = z.object({ externalKey: z.string(), problem: deskProblemSchema });
export type Unfilled = z.infer<typeof unfilledSchema>;
export const queuedBatchSchema = openBatchSchema.extend({ unfilled: z.array(unfilledSchema) });

const path = z.string().min(1).max(4096);
const paths = z.array(path).max(10_000);
/** Relative to what was dropped, with slashes; before any byte of them is taken in. */
export const batchAnnouncementSchema = z.object({
  files: z.array(z.object({ path, sizeBytes: z.int().nonnegative() })).max(10_000),
  leftOut: z.int().nonnegative().default(0),
});
export const batchPathsSchema = z.object({ paths });
/** What is left out stays. */
export const batchChangeSchema = z.object({
  paths,
  caseId: z.uuid().nullable().optional(),
  typed: z.string().max(500).optional(),
  isSalvageSale: z.boolean().optional(),
  comment: z.string().max(100_000).optional(),
  sendsAgain: z.boolean().optional(),
});
export const batchRefusalSchema = z.object({ path, problem: deskProblemSchema });
export const batchCommentSchema = z.object({ comment: z.string().max(100_000) });
export const batchTemplateChoiceSchema = z.object({ template: batchTemplateSchema.nullable() });
