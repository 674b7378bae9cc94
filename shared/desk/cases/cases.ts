import { z } from 'zod';
import { opaqueIdSchema } from '../../api/conventions.ts';
import { caseStatuses, categories } from '../../api/case-words.ts';
import { amountMaxRappen } from '../../api/limits.ts';
import type { FilterOf } from '../../api/list-filters.ts';
import { parseAmount } from '../../lib/money.ts';
import { byKind, digestFields, sentFields } from './case-fields.ts';
import { longTextSchema, typedBy } from './typed-text.ts';
import {
  caseSorts,
  type EditPart,
  editParts,
  handlerMaxLength,
  lateChoices,
  selectionMax,
} from './case-choices.ts';

const contact = z.object({
  name: z.string(),
  responsible: z.object({ name: z.string(), email: z.string(), phone: z.string() }),
});

const amount = z.int().nullable();
export const amountsSchema = z.object({ costEstimateRappen: amount, approvedRappen: amount });
const kinds = { text: z.string(), flag: z.boolean(), amount, day: z.string().nullable() };

/** A row of the case list: the server's values, overlaid by the unsent work of this laptop. */
export const caseSummarySchema = z.object({
  id: opaqueIdSchema,
  ...byKind(sentFields, kinds),
  ...byKind(digestFields, kinds),
  savingsRappen: amount,
  createdAt: z.string(),
  updatedAt: z.string(),
  lastChangedAt: z.string(),
  insurer: contact,
  /** The number of rows of the outbox that are not delivered. */
  pendingCount: z.int(),
  needsAttention: z.boolean(),
  /** The fields with typed text that is not queued (`edits.list`). */
  unsentEdits: z.array(z.enum(editParts)),
  /** Set when a direct read answered 403 or 404: the case is stored, with the reason. */
  goneReason: z.enum(['forbidden', 'not_found']).nullable(),
  /**
   * The person of the office who handles the case, as noted on this device; empty if nobody does.
   */
  handledBy: z.string(),
  /** The number of known documents; null until the list was first fetched. */
  documentCount: z.int().nullable(),
  /** The number of documents whose content is on this laptop. */
  documentsOnLaptop: z.int(),
});
export type CaseSummary = z.infer<typeof caseSummarySchema>;

/** The server's last values of the fields that the user can change. */
const serverValues = amountsSchema.extend({
  expertComment: z.string(),
  savingsRappen: amount,
});

export const caseDetailSchema = caseSummarySchema.extend({
  payloadJson: z.string(),
  /**
   * The parsed payload. If it is not a JSON object or is deeper than 64 levels, it is null, and its
   * text is shown.
   */
  payload: z.record(z.string(), z.unknown()).nullable(),
  server: serverValues,
  /**
   * Whether no report is due: one is queued or with the insurer, or the newest one is approved. It
   * is null while the insurer's list of reports was never read.
   */
  reportSent: z.boolean().nullable(),
});
export type CaseDetail = z.infer<typeof caseDetailSchema>;

const day = z.string().regex(/^\d{4}-\d{2}-\d{2}$/);

const filterSchemas = {
  q: z.string().max(500).default(''),
  status: z.enum(caseStatuses).optional(),
  category: z.enum(categories).optional(),
  inspectionType: z.string().max(100).optional(),
  /** The insurer's name exactly as the partner sent it. */
  insurer: z.string().max(500).optional(),
  /** The first and last day in Zurich on which the insurer created the case, both inclusive. */
  createdFrom: day.optional(),
  createdTo: day.optional(),
  /** The first and last day of the inspection, both inclusive. */
  inspectionFrom: day.optional(),
  inspectionTo: day.optional(),
  /** If true, only cases for which the server has no value of an amount. */
  amountsMissing: z.boolean().optional(),
  /**
   * If true, only cases whose list of documents is unknown, or which have a document whose content
   * is not on the laptop.
   */
  documentsMissing: z.boolean().optional(),
  /** If set, only open cases whose inspection or creation is at least this long ago. */
  late: z.enum(lateChoices).optional(),
  /**
   * If set, only cases that this person handles, as noted on this device; an empty name selects the
   * cases that nobody handles.
   */
  handledBy: z.string().max(handlerMaxLength).optional(),
  /** If true, only cases that the user can still work on. */
  open: z.boolean().optional(),
  /** If true, only the user's own cases. */
  own: z.boolean().optional(),
} satisfies Record<FilterOf<'desk'>, z.ZodType>;

/** The filter that selects the cases of a list, of figures or of an export. */
export const caseFilterSchema = z.object(filterSchemas);
export type CaseFilter = z.input<typeof caseFilterSchema>;

export const caseListInputSchema = caseFilterSchema.extend({
  sort: z.enum(caseSorts).default('lastChangedAt'),
  descending: z.boolean().default(true),
  /** If true, the cases that a search names by plate, number or party come before the others. */
  bestFirst: z.boolean().optional(),
  offset: z.int().nonnegative().default(0),
  limit: z.int().min(1).max(1000).default(100),
  /**
   * The most hits that a search counts beyond its page, so that it answers fast for any number of
   * hits. If absent, all hits are counted.
   */
  countMax: z.int().positive().optional(),
});
export type CaseListInput = z.input<typeof caseListInputSchema>;

export const caseListSchema = z.object({
  items: z.array(caseSummarySchema),
  total: z.int(),
  /**
   * False if counting stopped at `countMax`, or if more documents match than a search reads. Then
   * there are at least `total` hits, and `byStatus` is empty.
   */
  totalIsExact: z.boolean(),
  /**
   * The number of rows of each status for the same q and category. The filter shows these numbers.
   */
  byStatus: z.record(z.string(), z.int()),
});

/** A part of the list, for a selection that extends beyond the rows that the window has read. */
export const caseIdsInputSchema = caseListInputSchema
  .omit({ countMax: true })
  .extend({ limit: z.int().min(1).max(selectionMax) });
export const caseIdsSchema = z.object({ ids: z.array(opaqueIdSchema) });

/**
 * The reasons why cases match a search. The window asks for the cases in view whose rows do not
 * show the reason.
 */
export const caseHitsInputSchema = z.object({
  q: z.string().max(500),
  ids: z.array(opaqueIdSchema).max(100),
});
export const caseHitSchema = z.object({
  /**
   * `insurer`, `responsible`, `comment`, `note`, `document`, or the name of the payload's field.
   */
  field: z.string(),
  /**
   * The member of the payload that contains the field, such as `workshop` for a name; absent if the
   * field is at the top.
   */
  section: z.string().optional(),
  /** The words around the hit; if the hit is a document, its name. */
  text: z.string(),
  /** The document whose name or text has all of the words. */
  documentId: z.string().optional(),
  /** The words around the hit in the text of the document; absent if its name has all of them. */
  place: z.string().optional(),
  /** The words are in recognized text of the document, which may be misread. */
  isRecognized: z.boolean().optional(),
});
export type CaseHit = z.infer<typeof caseHitSchema>;
export const caseHitsSchema = z.object({
  items: z.array(z.object({ id: opaqueIdSchema, hits: z.array(caseHitSchema) })),
});

export const caseNoteMaxLength = 10_000;
export const caseNoteSchema = z.object({ text: z.string().max(caseNoteMaxLength) });

/** A case's id or its ExternalKey. */
export const caseRefSchema = z.object({ id: z.string().min(1).max(200) });

const settable = z.int().nonnegative().max(amountMaxRappen).nullable().optional();
/** The amounts in whole Rappen. Null clears an amount, and an absent amount stays unchanged. */
export const amountChanges = { costEstimateRappen: settable, approvedRappen: settable };
export const amountsInputSchema = z.object({
  id: z.string().min(1).max(200),
  ...amountChanges,
});
export const commentInputSchema = z.object({ id: z.string().min(1).max(200), text: z.string() });
export const reopenInputSchema = z.object({ id: z.string().min(1).max(200), reason: z.string() });

const texts = {
  estimate: longTextSchema.optional(),
  approved: longTextSchema.optional(),
  comment: longTextSchema.optional(),
  reason: longTextSchema.optional(),
};

/** The texts that the user typed into a case and did not queue, exactly as typed. */
export const editSchema = z.object({
  caseId: opaqueIdSchema,
  externalKey: z.string(),
  updatedAt: z.string(),
  ...texts,
});
export type Edit = z.infer<typeof editSchema>;

/** A given part is stored as typed, null removes a part, and an absent part stays unchanged. */
export const editInputSchema = z.object({
  id: z.string().min(1).max(200),
  estimate: longTextSchema.nullable().optional(),
  approved: longTextSchema.nullable().optional(),
  comment: longTextSchema.nullable().optional(),
  reason: longTextSchema.nullable().optional(),
  ...typedBy,
});
export type EditInput = z.infer<typeof editInputSchema>;

/** Whether a typed text equals the value that an act sets. Amounts are compared in whole Rappen. */
export function isEditOf(part: EditPart, typed: string, set: string | number | null): boolean {
  if (part === 'comment' || part === 'reason') return typed.trim() === String(set ?? '').trim();
  const amount = parseAmount(typed, amountMaxRappen);
  return amount.ok && amount.rappen === set;
}

/** A saved view of the list: a filter, an order and columns under a name. */
export const caseViewSchema = z.object({
  id: z.uuid(),
  name: z.string().trim().min(1).max(80),
  filter: caseFilterSchema,
  sort: z.enum(caseSorts),
  descending: z.boolean(),
  /** The columns in their order. The window skips a name that it does not know. */
  columns: z.array(z.string().max(50)).max(50),
});
export type CaseView = z.infer<typeof caseViewSchema>;

/**
 * Without an id the view is a new one. The call fails with `view_name_taken` or `view_not_found`.
 */
export const caseViewInputSchema = caseViewSchema.extend({ id: z.uuid().optional() });
export type CaseViewInput = z.infer<typeof caseViewInputSchema>;

const scalar = z.union([z.string(), z.number(), z.boolean()]).nullable();

/** One field of a case that the partner changed; null if it was absent. */
const fieldChangeSchema = z.object({
  /** A field of `caseSummarySchema`, or a path into the payload: `payload.insured.name`. */
  field: z.string(),
  /** The value: an amount in Rappen, or a text, which is cut off if it is long. */
  before: scalar,
  after: scalar,
});
export type FieldChange = z.infer<typeof fieldChangeSchema>;

/**
 * The changes of a case between two readings, newest first. They include this laptop's own acts.
 */
export const caseHistorySchema = z.object({
  items: z.array(
    z.object({
      /** The LastChangedAt of the later reading. */
      at: z.string(),
      changes: z.array(fieldChangeSchema),
    }),
  ),
  total: z.int(),
});
export type CaseHistory = z.infer<typeof caseHistorySchema>;
