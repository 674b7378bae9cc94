import { z } from 'zod';
import { opaqueIdSchema } from '../api/conventions.ts';
import { caseStatuses, categories } from '../api/case.ts';
import { amountMaxRappen, commentMaxLength } from '../api/limits.ts';
import { parseAmount } from '../lib/money.ts';
import { byKind, digestFields, sentFields } from './case-fields.ts';
import { typedBy } from './typed-text.ts';
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

/** A row of the case list: the server's values under this laptop's unsent work. */
export const caseSummarySchema = z.object({
  id: opaqueIdSchema,
  ...byKind(sentFields, kinds),
  ...byKind(digestFields, kinds),
  savingsRappen: amount,
  createdAt: z.string(),
  updatedAt: z.string(),
  lastChangedAt: z.string(),
  insurer: contact,
  /** Rows of the outbox that are not delivered. */
  pendingCount: z.int(),
  needsAttention: z.boolean(),
  /** Fields with typed text that is not queued (`edits.list`). */
  unsentEdits: z.array(z.enum(editParts)),
  /** Set when a direct read answered 403 or 404: the case is stored, with the reason. */
  goneReason: z.enum(['forbidden', 'not_found']).nullable(),
  /** Who of the office has the case in hand, as noted on this device; empty if nobody. */
  handledBy: z.string(),
  /** Documents known; null until the list was first fetched. */
  documentCount: z.int().nullable(),
  /** Documents whose content is on this laptop. */
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
   * The parsed payload; null, and shown as text, if it is no JSON object or deeper than 64 levels.
   */
  payload: z.record(z.string(), z.unknown()).nullable(),
  server: serverValues,
  /** A report is queued or with the insurer, or the newest one is approved: none is due. */
  reportSent: z.boolean(),
});
export type CaseDetail = z.infer<typeof caseDetailSchema>;

const day = z.string().regex(/^\d{4}-\d{2}-\d{2}$/);

/** Which cases: of a list, of figures, of an export. */
export const caseFilterSchema = z.object({
  q: z.string().max(500).default(''),
  status: z.enum(caseStatuses).optional(),
  category: z.enum(categories).optional(),
  inspectionType: z.string().max(100).optional(),
  /** The insurer's name as it came. */
  insurer: z.string().max(500).optional(),
  /** First and last day of the inspection, both inclusive. */
  inspectionFrom: day.optional(),
  inspectionTo: day.optional(),
  /** Only cases of which an amount is not entered at the server. */
  amountsMissing: z.boolean().optional(),
  /** Only cases whose list of documents is unknown or of which a content is not on the laptop. */
  documentsMissing: z.boolean().optional(),
  /** Only open cases whose inspection or creation is that long ago. */
  late: z.enum(lateChoices).optional(),
  /** As noted on this device; empty: nobody. */
  handledBy: z.string().max(handlerMaxLength).optional(),
  /** Only cases that are the user's own. */
  own: z.boolean().optional(),
});
export type CaseFilter = z.input<typeof caseFilterSchema>;

export const caseListInputSchema = caseFilterSchema.extend({
  sort: z.enum(caseSorts).default('lastChangedAt'),
  descending: z.boolean().default(true),
  offset: z.int().nonnegative().default(0),
  limit: z.int().min(1).max(1000).default(100),
  /**
   * How many hits a search counts beyond its page, so that it answers at once for any number of
   * hits. If absent, everything is counted.
   */
  countMax: z.int().positive().optional(),
});
export type CaseListInput = z.input<typeof caseListInputSchema>;

export const caseListSchema = z.object({
  items: z.array(caseSummarySchema),
  total: z.int(),
  /**
   * False if counting stopped (`countMax`), or more documents have the words than a search reads:
   * there are at least `total`, and `byStatus` is empty.
   */
  totalIsExact: z.boolean(),
  /** Rows by status with the same q and category, for the filter's numbers. */
  byStatus: z.record(z.string(), z.int()),
});

/** A part of the list, for a selection that reaches beyond what the window has read. */
export const caseIdsInputSchema = caseListInputSchema
  .omit({ countMax: true })
  .extend({ limit: z.int().min(1).max(selectionMax) });
export const caseIdsSchema = z.object({ ids: z.array(opaqueIdSchema) });

/** Why cases were found: asked for those in view whose rows do not show it. */
export const caseHitsInputSchema = z.object({
  q: z.string().max(500),
  ids: z.array(opaqueIdSchema).max(100),
});
export const caseHitSchema = z.object({
  /**
   * `insurer`, `responsible`, `comment`, `note`, `document`, or the name of the payload's field.
   */
  field: z.string(),
  /** The payload's member that the field is in, as `workshop` of a name; absent at its top. */
  section: z.string().optional(),
  /** The words around the hit; of a document its name. */
  text: z.string(),
  /** The document that has all of the words, in its name or its text. */
  documentId: z.string().optional(),
  /** The document has the words in text that was recognized, which may be misread. */
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
/** Whole Rappen; null clears, an absent amount stays as the user sees it. */
export const amountChanges = { costEstimateRappen: settable, approvedRappen: settable };
export const amountsInputSchema = z.object({
  id: z.string().min(1).max(200),
  ...amountChanges,
});
export const commentInputSchema = z.object({ id: z.string().min(1).max(200), text: z.string() });
export const reopenInputSchema = z.object({ id: z.string().min(1).max(200), reason: z.string() });

/** More than any field takes, so that a text that is still too long is stored, too. */
const text = z.string().max(20 * commentMaxLength);

const texts = {
  estimate: text.optional(),
  approved: text.optional(),
  comment: text.optional(),
  reason: text.optional(),
};

/** What the user typed into a case and has not queued, letter by letter as they left it. */
export const editSchema = z.object({
  caseId: opaqueIdSchema,
  externalKey: z.string(),
  updatedAt: z.string(),
  ...texts,
});
export type Edit = z.infer<typeof editSchema>;

/** Given parts are stored as typed, null forgets one, absent ones stay. */
export const editInputSchema = z.object({
  id: z.string().min(1).max(200),
  estimate: text.nullable().optional(),
  approved: text.nullable().optional(),
  comment: text.nullable().optional(),
  reason: text.nullable().optional(),
  ...typedBy,
});
export type EditInput = z.infer<typeof editInputSchema>;

/** Whether a typed text equals what an act sets; money in whole Rappen. */
export function isEditOf(part: EditPart, typed: string, set: string | number | null): boolean {
  if (part === 'comment' || part === 'reason') return typed.trim() === String(set ?? '').trim();
  const amount = parseAmount(typed, amountMaxRappen);
  return amount.ok && amount.rappen === set;
}

/** A filter, an order and columns under a name. */
export const caseViewSchema = z.object({
  id: z.uuid(),
  name: z.string().trim().min(1).max(80),
  filter: caseFilterSchema,
  sort: z.enum(caseSorts),
  descending: z.boolean(),
  /** In their order; the window skips unknown ones. */
  columns: z.array(z.string().max(50)).max(50),
});
export type CaseView = z.infer<typeof caseViewSchema>;

/** Without an id a new one. Fails with `view_name_taken` or `view_not_found`. */
export const caseViewInputSchema = caseViewSchema.extend({ id: z.uuid().optional() });
export type CaseViewInput = z.infer<typeof caseViewInputSchema>;

const scalar = z.union([z.string(), z.number(), z.boolean()]).nullable();

/** One field of a case that the partner changed; null if it was absent. */
const fieldChangeSchema = z.object({
  /** A field of `caseSummarySchema`, or a path into the payload: `payload.insured.name`. */
  field: z.string(),
  /** Amounts in Rappen; a long text is cut off. */
  before: scalar,
  after: scalar,
});
export type FieldChange = z.infer<typeof fieldChangeSchema>;

/** What changed between two readings of a case, newest first; this laptop's own acts included. */
export const caseHistorySchema = z.object({
  items: z.array(
    z.object({
      /** LastChangedAt of the later reading. */
      at: z.string(),
      changes: z.array(fieldChangeSchema),
    }),
  ),
  total: z.int(),
});
export type CaseHistory = z.infer<typeof caseHistorySchema>;
