import { z } from 'zod';
import { opaqueIdSchema } from '../../api/conventions.ts';
import { amountNames } from '../cases/amounts.ts';
import { amountChanges, amountsSchema } from '../cases/cases.ts';
import { deskProblemSchema } from '../contract/errors.ts';
import { isCalendarDay } from '../../lib/zurich-day.ts';

export const queueStates = [
  'waiting',
  'sending',
  'unknown',
  'delivered',
  'attention',
  'discarded',
] as const;
export type QueueState = (typeof queueStates)[number];

export const queueKinds = ['amounts', 'comment', 'reopen', 'report'] as const;
export type QueueKind = (typeof queueKinds)[number];

/**
 * The user's decision about documents or a report that the partner has besides this report.
 * `submit` sends the report in spite of them; `remove` first removes the documents from the draft.
 */
export const retryDecisions = ['submit', 'remove'] as const;
export type RetryDecision = (typeof retryDecisions)[number];

/** The proof of a delivery: what was sent, and what the server answered. */
export const deliveryProofSchema = z.object({
  /** The time by the partner's clock. */
  at: z.string(),
  status: z.int(),
  correlationId: z.string(),
  /** The id that the server assigned to the submission or document. */
  serverId: z.string().nullable(),
  sizeBytes: z.int().nullable(),
  sha256: z.string().nullable(),
  /** The time of the answer by the laptop's clock; absent in proofs of earlier versions. */
  laptopAt: z.string().nullish(),
  /** When the desk read the partner after the delivery and found the value; null until then. */
  seenAt: z.string().nullish(),
});
export type DeliveryProof = z.infer<typeof deliveryProofSchema>;

/** The difference between the partner's clock and the laptop's that is not shown. */
const clockSlackMs = 5 * 60_000;

/**
 * The difference in ms by which the partner's time of a proof (`at`) is ahead of the laptop's; null
 * if the two agree, or only one is known.
 */
export function clockDifferenceMs({ at, laptopAt }: DeliveryProof): number | null {
  if (laptopAt === undefined || laptopAt === null) return null;
  const differenceMs = Date.parse(at) - Date.parse(laptopAt);
  return Math.abs(differenceMs) > clockSlackMs ? differenceMs : null;
}

/** One request of an act. Amounts, a comment or a reopening have one; a report has n + 2. */
export const queueStepSchema = z.object({
  id: z.int(),
  kind: z.enum(['amounts', 'comment', 'reopen', 'draft', 'document', 'submit']),
  state: z.enum(queueStates),
  attempts: z.int(),
  nextAttemptAt: z.string().nullable(),
  fileName: z.string().nullable(),
  sizeBytes: z.int().nullable(),
  sentBytes: z.int(),
  isSalvageSale: z.boolean(),
  delivered: deliveryProofSchema.nullable(),
});
export type QueueStep = z.infer<typeof queueStepSchema>;

const fieldValue = z.union([z.number(), z.string()]).nullable();

/**
 * A value that was changed at the partner after the user saw it. The row then needs attention:
 * `queue.retry` sends the act's own value over the one found, `queue.discard` accepts theirs.
 */
const valueConflictSchema = z.object({
  field: z.enum([...amountNames, 'expertComment']),
  /** The value at the partner when the user acted: Rappen or text. */
  seen: fieldValue,
  /** The value at the partner when the act was about to be sent. */
  found: fieldValue,
  /** The value that the act sets. */
  mine: fieldValue,
  /**
   * Who changed the value, as far as is known. Only experts set these fields, and the partner does
   * not name them, so it was another desk of the same organization.
   */
  by: z.literal('colleague'),
  /** When this laptop first read the value that it found; null if unknown. */
  noticedAt: z.string().nullable(),
});
export type ValueConflict = z.infer<typeof valueConflictSchema>;

/** A document in the partner's report draft that is not from this laptop. */
export const foreignDocumentSchema = z.object({
  id: z.string(),
  fileName: z.string(),
  sizeBytes: z.int(),
  isSalvageSale: z.boolean(),
});
export type ForeignDocument = z.infer<typeof foreignDocumentSchema>;

export const queueItemSchema = z.object({
  id: z.int(),
  caseId: opaqueIdSchema,
  externalKey: z.string(),
  /**
   * The key of the case as this laptop knew it at the time of the reading; empty if it did not know
   * the case.
   */
  partyName: z.string(),
  /** The category of the case, in the same way. */
  category: z.string(),
  kind: z.enum(queueKinds),
  state: z.enum(queueStates),
  /** The number of requests that were sent for this act, over all steps. */
  attempts: z.int(),
  createdAt: z.string(),
  firstAttemptAt: z.string().nullable(),
  nextAttemptAt: z.string().nullable(),
  /** The earliest time of the delivery; null if the entry is not sent automatically now. */
  doneAt: z.string().nullable(),
  /** The reason why a waiting row waits. */
  /** With `acceptance`, the case takes no work until it is accepted in the insurer's portal. */
  waitingFor: z.enum(['network', 'slot', 'turn', 'retry', 'paused', 'acceptance']).nullable(),
  problem: deskProblemSchema.nullable(),
  /** The list is filled if the problem is `server_value_changed`. */
  conflicts: z.array(valueConflictSchema),
  /** The list is filled if the problem is `server_draft_documents` or `server_draft_exists`. */
  foreignDocuments: z.array(foreignDocumentSchema),
  /** The decisions about the partner's other documents or reports that `queue.retry` accepts. */
  decisions: z.array(z.enum(retryDecisions)),
  delivered: deliveryProofSchema.nullable(),
  /** The values that the act sets, for display: amounts, texts, or a draft id. */
  act: z.union([
    amountsSchema.extend({ kind: z.literal('amounts') }),
    z.object({ kind: z.literal('comment'), text: z.string() }),
    z.object({ kind: z.literal('reopen'), reason: z.string() }),
    z.object({ kind: z.literal('report'), draftId: z.uuid(), comment: z.string() }),
  ]),
  steps: z.array(queueStepSchema),
});
export type QueueItem = z.infer<typeof queueItemSchema>;

export const queueListInputSchema = z.object({
  caseId: opaqueIdSchema.optional(),
  /** If true, the list includes delivered and discarded rows, which stay as proof. */
  includeDone: z.boolean().default(true),
  /** If set, only rows of which at least a part was delivered on this day in Zurich. */
  deliveredOn: z.string().refine(isCalendarDay).optional(),
  limit: z.int().min(1).max(5000).default(1000),
});
export const queueListSchema = z.object({ items: z.array(queueItemSchema), total: z.int() });
export type QueueList = z.infer<typeof queueListSchema>;
export const queueRefSchema = z.object({ id: z.int() });

export const queueRetrySchema = queueRefSchema.extend({
  decision: z.enum(retryDecisions).optional(),
});

export const queueForecastInputSchema = z.object({
  reports: z.int().nonnegative(),
  files: z.int().nonnegative(),
  bytes: z.int().nonnegative(),
  /** The number of amounts and comments. */
  values: z.int().nonnegative(),
});
/** The time at which the work would be delivered; null if nothing is sent now. */
export const queueForecastSchema = z.object({ doneAt: z.string().nullable() });

/**
 * The new values of an entry. An absent value stays, and only fields of the same kind can change.
 */
export const queueEditSchema = queueRefSchema.extend({
  ...amountChanges,
  text: z.string().optional(),
  reason: z.string().optional(),
});
export type QueueEdit = z.infer<typeof queueEditSchema>;
