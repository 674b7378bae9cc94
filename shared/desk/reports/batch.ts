import { z } from 'zod';
import { opaqueIdSchema } from '../../api/conventions.ts';
import { amountsSchema, caseSummarySchema } from '../cases/cases.ts';
import { sheetBase64MaxLength } from '../contract/message-limit.ts';
import { deskProblemSchema } from '../contract/errors.ts';
import { queueStates } from '../delivery/queue.ts';

export const identifierKinds = ['externalKey', 'policyNumber', 'licensePlate'] as const;
export type IdentifierKind = (typeof identifierKinds)[number];

/** An identifier that was recognized in a file's name, or in the subject of a mail. */
export const identifierFoundSchema = z.object({
  kind: z.enum(identifierKinds),
  /** The identifier as the case spells it; if no case has it, as the file's name spells it. */
  identifier: z.string(),
  in: z.enum(['file', 'folder', 'subject']),
});
export type IdentifierFound = z.infer<typeof identifierFoundSchema>;

/** The reasons why a file belongs to no case. */
export const matchRefusals = [
  'nothing_recognized',
  /** The name has a claim number that no case on this device has: see `matchedBy`. */
  'unknown_case',
  'several_cases',
  'names_disagree',
] as const;

/** A case to which files can belong, with what distinguishes it for the user. */
export const batchCaseSchema = caseSummarySchema
  .pick({ id: true, externalKey: true, partyName: true, subject: true, licensePlate: true })
  .extend({
    /** The reason why the case takes no work; null if it does. */
    problem: deskProblemSchema.nullable(),
    /** If true, work that is queued for the case waits until the insurer has accepted it. */
    awaits: z.boolean(),
  });
export type BatchCase = z.infer<typeof batchCaseSchema>;

export const batchMatchSchema = z.object({
  /** The path relative to the folder, with slashes. */
  path: z.string(),
  caseId: opaqueIdSchema.nullable(),
  externalKey: z.string().nullable(),
  /** The matched case. It may be closed or removed. */
  case: batchCaseSchema.nullable(),
  /**
   * `certain`: the case's key or two consistent identifiers matched. `likely`: one identifier
   * matched that may change.
   */
  confidence: z.enum(['certain', 'likely']).nullable(),
  matchedBy: z.array(identifierFoundSchema),
  isSalvageSale: z.boolean(),
  refusal: z.enum(matchRefusals).nullable(),
  /** The external keys of the possible cases if there are several; at most ten. */
  candidates: z.array(z.string()),
  /** The ids of the same cases. */
  choices: z.array(batchCaseSchema),
});
export type BatchMatch = z.infer<typeof batchMatchSchema>;

/** The results for a file of a batch. */
const batchOutcomes = [
  /** The file is sent, or would be sent (dry run), with the report of its case. */
  'ready',
  /** Nothing is wrong with the file, but another file of its case is refused or missing. */
  'kept_back',
  /** The file is in the case's draft or report now. */
  'added',
  /** The case already has this content: see `queueState`. */
  'known',
  /** An earlier file of this batch has the same content and the same case. */
  'duplicate',
  /** The file belongs to no case: see `refusal`. */
  'unmatched',
  /** The file is refused: see `problem`. */
  'refused',
  /** The desk was closed, or the window was, before the bytes of the file arrived. */
  'missing',
] as const;

export const batchItemSchema = batchMatchSchema.extend({
  outcome: z.enum(batchOutcomes),
  problem: deskProblemSchema.nullable(),
  /** All problems of the file; the first is `problem`. */
  problems: z.array(deskProblemSchema),
  sizeBytes: z.int().nullable(),
  sha256: z.string().nullable(),
  /** The file is a PDF that opens with a password only. */
  isProtected: z.boolean(),
  /** The file is a picture that is likely to show wrong pixels. */
  looksDamaged: z.boolean(),
  /** The file is a PDF whose form has answers that the viewer does not show for certain. */
  hidesAnswers: z.boolean(),
  /**
   * If the file is known, these name the draft or entry that contains it; the state is null for a
   * draft.
   */
  draftId: z.uuid().nullable(),
  queueId: z.int().nullable(),
  queueState: z.enum(queueStates).nullable(),
});
export type BatchItem = z.infer<typeof batchItemSchema>;

/** What the window needs to know about the bytes of a file. */
export const batchAttachmentSchema = z.object({
  id: z.uuid(),
  /** The id of the batch, or of the report that contains the file. */
  draftId: z.uuid(),
  fileName: z.string(),
  contentType: z.string(),
  sizeBytes: z.int(),
  /** The file is a photo whose version for the insurer is not made yet. */
  isRaw: z.boolean(),
  /** The number of files that a mail carries. */
  innerFiles: z.int(),
});
export type BatchAttachment = z.infer<typeof batchAttachmentSchema>;

/**
 * A file of the batch in the window. Its case is the one that the user sees, even after a
 * correction.
 */
export const batchRowSchema = batchItemSchema.extend({
  sizeBytes: z.int(),
  /** The case's key, or the words with which the user searches for the case. */
  typed: z.string(),
  /** The user has typed or chosen a case, so the match no longer counts. */
  isCorrected: z.boolean(),
  /** The comment for the case of the file; it replaces the comment for all cases. */
  comment: z.string(),
  /** The file is sent although the case already has it. */
  sendsAgain: z.boolean(),
  /** The first of the files that are sent; null until the bytes have arrived. */
  attachment: batchAttachmentSchema.nullable(),
});
export type BatchRow = z.infer<typeof batchRowSchema>;

/** Search words, which a case may have anywhere. An external key finds its case alone. */
export const batchSearchSchema = z.object({ q: z.string().min(1).max(500) });
export const batchCaseListSchema = z.object({ items: z.array(batchCaseSchema) });

/** A line of a sheet with amounts and comments. A null value leaves the case's value unchanged. */
export const sheetLineSchema = z.object({
  /** The number of the line, as a spreadsheet counts: the heading is 1. */
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
  /** The numbers of lines that are left out. */
  without: z.array(z.int()).max(10_000),
  /** Whether hidden rows and columns of the sheet are applied as well. */
  withHidden: z.boolean(),
  /**
   * The name of the sheet in the workbook; null means the visible sheet that was saved as the
   * active one.
   */
  sheetName: z.string().max(500).nullable().default(null),
});
export type SheetChoice = z.infer<typeof sheetChoiceSchema>;

/**
 * What was read of a sheet. If the sheet has a problem, nothing of it is applied. Each line that
 * was read is in `items` or `unchanged`, or is named as a problem, as hidden, or as left out.
 */
export const batchSheetSchema = z.object({
  /** The number of lines below the heading that are not empty. */
  lines: z.int().default(0),
  /** The name of the sheet; null if the file is not a workbook. */
  sheetName: z.string().nullable().default(null),
  /** The names of the other visible sheets of the workbook. Nothing of them is applied. */
  otherSheets: z.array(z.string()).default([]),
  /** The lines that set another value than the case has. */
  items: z.array(sheetLineSchema),
  /** The number of lines that set nothing, or the value that the case already has. */
  unchanged: z.int(),
  problems: z.array(z.object({ line: z.int(), problem: deskProblemSchema })),
  /** The rows and columns that the sheet hides and that are not applied. */
  hidden: z.object({ lines: z.array(z.int()), columns: z.array(z.string()) }),
  /** The headings of columns that set nothing. */
  unused: z.array(z.string()),
  choice: sheetChoiceSchema,
});
export type BatchSheet = z.infer<typeof batchSheetSchema>;

export const batchInputSchema = z.object({
  /** The absolute path of a folder on this laptop. */
  folder: z.string().min(1).max(4096),
  submit: z.boolean().default(false),
  dryRun: z.boolean().default(false),
  /** Whether the files that mails carry are taken, too. */
  attachments: z.boolean().default(false),
  /**
   * The absolute path of a sheet with amounts and comments. The sheet is applied before the files.
   */
  sheet: z.string().min(1).max(4096).optional(),
  /** The name of the sheet in the workbook; if absent, the active sheet. */
  sheetName: z.string().min(1).max(500).optional(),
  /**
   * The id or name of a template. It is filled for each case that has a report, after the sheet is
   * applied.
   */
  template: z
    .object({
      name: z.string().min(1).max(300),
      asPdf: z.boolean(),
      withAnnexes: z.boolean().optional(),
    })
    .optional(),
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

/** A case that only the sheet names, for which a template is filled. */
export const batchSheetCaseSchema = z.object({
  caseId: opaqueIdSchema,
  externalKey: z.string(),
  /**
   * `ready`: the template would be filled. `added`: the document is in a report now. `known`: it
   * was filled for the same line before. `kept_back`: a draft of the case has a document with other
   * values, which stays.
   */
  outcome: z.enum(['ready', 'added', 'known', 'kept_back', 'refused']),
  problem: deskProblemSchema.nullable(),
  /** The draft or entry that contains the document. */
  draftId: z.uuid().nullable(),
  queueId: z.int().nullable(),
});
export type BatchSheetCase = z.infer<typeof batchSheetCaseSchema>;

export const batchResultSchema = z.object({
  items: z.array(batchItemSchema),
  total: z.int(),
  /** The reports: one for each case that got files, or that was filled for a line of the sheet. */
  reports: z.array(batchReportSchema),
  /** The number of pictures whose hidden data, such as place and device, is not sent. */
  strippedPictures: z.int(),
  /** Of the pictures that are sent, those that were made JPEGs of. */
  convertedPictures: z.int(),
  /** The sheet; null without one. If it has a problem, nothing of the batch is taken. */
  sheet: batchSheetSchema.nullable(),
  /** The cases that only the sheet names; empty without a template. */
  sheetCases: z.array(batchSheetCaseSchema),
});
export type BatchResult = z.infer<typeof batchResultSchema>;

/** A template that is filled for each case of the batch. */
export const batchTemplateSchema = z.object({
  templateId: z.string().min(1).max(300),
  /** Whether the PDF of the document is sent. */
  asPdf: z.boolean(),
  /** Whether the PDFs and pictures of each case become one PDF with the document. */
  withAnnexes: z.boolean().optional(),
});
export type BatchTemplate = z.infer<typeof batchTemplateSchema>;

/**
 * The batch of the windows. It exists from the drop until everything is queued or the user discards
 * it.
 */
export const batchSchema = z.object({
  id: z.uuid(),
  startedAt: z.string(),
  /** The comment of every report whose files have no comment. */
  comment: z.string(),
  /** The number of system files that were dropped with the others and are ignored. */
  leftOut: z.int(),
  rows: z.array(batchRowSchema),
  sheet: z.object({ fileName: z.string(), read: batchSheetSchema }).nullable(),
  /** The template that is filled; null if none is. */
  template: batchTemplateSchema.nullable(),
});
export type Batch = z.infer<typeof batchSchema>;
/** The open batch; null if there is none. */
export const openBatchSchema = z.object({ batch: batchSchema.nullable() });

/** A case that the template could not be filled for. */
const unfilledSchema = z.object({ externalKey: z.string(), problem: deskProblemSchema });
export type Unfilled = z.infer<typeof unfilledSchema>;
export const queuedBatchSchema = openBatchSchema.extend({ unfilled: z.array(unfilledSchema) });

const path = z.string().min(1).max(4096);
const paths = z.array(path).max(10_000);
/**
 * The files of a drop before any of their bytes arrive. The paths are relative to what was dropped,
 * with slashes.
 */
export const batchAnnouncementSchema = z.object({
  files: z.array(z.object({ path, sizeBytes: z.int().nonnegative() })).max(10_000),
  /** Files of the system that were dropped, too. */
  leftOut: paths.default([]),
});
export const batchPathsSchema = z.object({ paths });
/** A change of files. An absent value stays unchanged. */
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
