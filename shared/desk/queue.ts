import { z } from 'zod';
import { opaqueIdSchema } from '../api/conventions.ts';
import { amountNames } from './amounts.ts';
import { amountChanges, amountsSchema } from './cases.ts';
import { deskProblemSchema } from './errors.ts';
import { isCalendarDay } from '../lib/zurich-day.ts';

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
 * About what the partner has next to a report and the user was shown: `submit` sends the report
 * with it, or in spite of it; `remove` takes the documents out of the draft first.
 */
export const retryDecisions = ['submit', 'remove'] as const;
export type RetryDecision = (typeof retryDecisions)[number];

/** Proof of delivery: what the server answered, and what exactly it was given. */
export const deliveryProofSchema = z.object({
  /** By the partner's clock. */
  at: z.string(),
  status: z.int(),
  correlationId: z.string(),
  /** The id that the server gave: submission or document. */
  serverId: z.string().nullable(),
  sizeBytes: z.int().nullable(),
  sha256: z.string().nullable(),
  /** By the laptop's clock, when the answer came; absent in proofs of earlier versions. */
  laptopAt: z.string().nullish(),
  /** When the partner was read after the delivery and had it; null until then. */
  seenAt: z.string().nullish(),
});
export type DeliveryProof = z.infer<typeof deliveryProofSchema>;

/** The partner's clock and the laptop's may differ by this much, unnamed. */
const clockSlackMs = 5 * 60_000;

/**
 * By how much the partner's time of a proof (`at`) is ahead of the laptop's, ms; null if the two
 * agree, or only one is known.
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
  /** At the partner when the user acted: Rappen or text. */
  seen: fieldValue,
  /** At the partner when the act was about to be sent. */
  found: fieldValue,
  /** What the act sets. */
  mine: fieldValue,
  /**
   * Who changed it, as far as is known: only experts set these fields, and the partner names
   * nobody, so it was another desk of the same organization.
   */
  by: z.literal('colleague'),
  /** When this laptop first read the value found; null if it does not know. */
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
  /** Of the case, as this laptop had it when this was read; empty if it had not. */
  partyName: z.string(),
  /** Of the case, in the same way. */
  category: z.string(),
  kind: z.enum(queueKinds),
  state: z.enum(queueStates),
  /** Requests sent for this act, all steps together. */
  attempts: z.int(),
  createdAt: z.string(),
  firstAttemptAt: z.string().nullable(),
  nextAttemptAt: z.string().nullable(),
  /** When it will be delivered at the earliest; null if it does not go out by itself now. */
  doneAt: z.string().nullable(),
  /** Why a waiting row waits. */
  /** `acceptance`: the case takes no work until it is accepted, in the insurer's portal. */
  waitingFor: z.enum(['network', 'slot', 'turn', 'retry', 'paused', 'acceptance']).nullable(),
  problem: deskProblemSchema.nullable(),
  /** Filled if the problem is `server_value_changed`. */
  conflicts: z.array(valueConflictSchema),
  /** Filled if the problem is `server_draft_documents` or `server_draft_exists`. */
  foreignDocuments: z.array(foreignDocumentSchema),
  /** Decisions that `queue.retry` takes about what the partner has next to this report. */
  decisions: z.array(z.enum(retryDecisions)),
  delivered: deliveryProofSchema.nullable(),
  /** What the act sets, for display: amounts, texts, or a draft id. */
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
  /** Delivered and discarded rows too; they stay as proof. */
  includeDone: z.boolean().default(true),
  /** Only what was delivered on this day in Zurich, at least in part. */
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
  /** Amounts and comments. */
  values: z.int().nonnegative(),
});
/** Null if nothing is sent now. */
export const queueForecastSchema = z.object({ doneAt: z.string().nullable() });

/** New values of an entry; absent ones stay. Only fields of the same kind. */
export const queueEditSchema = queueRefSchema.extend({
  ...amountChanges,
  text: z.string().optional(),
  reason: z.string().optional(),
});
export type QueueEdit = z.infer<typeof queueEditSchema>;
