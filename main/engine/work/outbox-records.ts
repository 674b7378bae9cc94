import { z } from 'zod';
import { amountsSchema } from '#shared/desk/cases/cases.ts';
import { storedProblemSchema, type DeskProblem } from '#shared/desk/contract/errors.ts';
import type { StepState } from './outbox-states.ts';
import {
  foreignDocumentSchema,
  type DeliveryProof,
  type QueueKind,
  type QueueState,
  type QueueStep,
} from '#shared/desk/delivery/queue.ts';

/** What the server has in addition to a report, for the user's decision. */
const serverFindingsSchema = z.object({
  /** The submissions that may be this very report, and a draft that is not this laptop's. */
  submissions: z.array(z.string()),
  /** The documents in the draft to be submitted that are not from this laptop. */
  documents: z.array(foreignDocumentSchema),
});
export type ServerFindings = z.infer<typeof serverFindingsSchema>;

/**
 * An act of the user. Amounts are in whole Rappen, null if cleared.
 * - `seen`: the server's value when the user acted, or after the earlier act was delivered
 * - `found`: a different value that the server has, until the user decides
 * - `sent`: the user's earlier values that the server may have, because no answer arrived
 * - `decided`: the ids of what the user chose to submit a report with or in spite of, and of what
 * to remove
 */
export const actSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('amounts'),
    ...amountsSchema.shape,
    seen: amountsSchema,
    found: amountsSchema.optional(),
    sent: z.array(amountsSchema).optional(),
  }),
  z.object({
    kind: z.literal('comment'),
    text: z.string(),
    seen: z.string(),
    found: z.string().optional(),
    sent: z.array(z.string()).optional(),
  }),
  z.object({ kind: z.literal('reopen'), reason: z.string() }),
  z.object({
    kind: z.literal('report'),
    draftId: z.string(),
    comment: z.string(),
    found: serverFindingsSchema.optional(),
    decided: z.object({ submit: z.array(z.string()), remove: z.array(z.string()) }).optional(),
  }),
]);
export type Act = z.infer<typeof actSchema>;

/**
 * Whether the act is a PUT. Amounts and a comment are PUTs: they replace the server's value and may
 * be repeated unchanged.
 */
export function isPut({ kind }: { readonly kind: QueueStep['kind'] | QueueKind }): boolean {
  return kind === 'amounts' || kind === 'comment';
}

export interface OutboxStep {
  readonly id: number;
  readonly rowId: number;
  readonly kind: QueueStep['kind'];
  readonly state: StepState;
  readonly idempotencyKey: string;
  readonly attachmentId: string | null;
  readonly fileName: string | null;
  readonly fileSizeBytes: number | null;
  readonly isSalvageSale: boolean;
  readonly attempts: number;
  readonly firstAttemptAt: string | null;
  /** The server time of the first attempt under the key, in ms; null if it was never sent. */
  readonly keyUsedAtMs: number | null;
  /** Whether an attempt had no answer, so that the server may have more than this laptop knows. */
  readonly everUnknown: boolean;
  readonly delivered: DeliveryProof | null;
}

export interface OutboxRow {
  readonly id: number;
  readonly caseId: string;
  readonly externalKey: string;
  readonly kind: QueueKind;
  readonly state: QueueState;
  readonly act: Act;
  readonly createdAt: string;
  readonly problem: DeskProblem | null;
  readonly failures: number;
  /** The weight of the failures of this row while other requests succeeded (host-check.ts). */
  readonly ownFailures: number;
  readonly notBeforeMs: number | null;
  readonly steps: readonly OutboxStep[];
}

export interface RowColumns {
  id: number;
  case_id: string;
  external_key: string;
  kind: QueueKind;
  state: QueueState;
  act: string;
  created_at: string;
  problem: string | null;
  failures: number;
  own_failures: number;
  not_before_ms: number | null;
}

export interface StepColumns {
  id: number;
  row_id: number;
  kind: QueueStep['kind'];
  state: StepState;
  idempotency_key: string;
  attachment_id: string | null;
  file_name: string | null;
  file_size_bytes: number | null;
  is_salvage_sale: number;
  attempts: number;
  first_attempt_at: string | null;
  key_used_at_ms: number | null;
  ever_unknown: number;
  delivered_at: string | null;
  status: number | null;
  correlation_id: string | null;
  server_id: string | null;
  size_bytes: number | null;
  sha256: string | null;
  laptop_at: string | null;
  seen_at: string | null;
}

/** The problem of a row from its column. */
export const problemOf = (stored: string | null): DeskProblem | null =>
  stored === null ? null : storedProblemSchema.parse(JSON.parse(stored));

export function rowOf(row: RowColumns, steps: readonly OutboxStep[]): OutboxRow {
  return {
    id: row.id,
    caseId: row.case_id,
    externalKey: row.external_key,
    kind: row.kind,
    state: row.state,
    act: actSchema.parse(JSON.parse(row.act)),
    createdAt: row.created_at,
    problem: problemOf(row.problem),
    failures: row.failures,
    ownFailures: row.own_failures,
    notBeforeMs: row.not_before_ms,
    steps,
  };
}

export function stepOf(step: StepColumns): OutboxStep {
  return {
    id: step.id,
    rowId: step.row_id,
    kind: step.kind,
    state: step.state,
    idempotencyKey: step.idempotency_key,
    attachmentId: step.attachment_id,
    fileName: step.file_name,
    fileSizeBytes: step.file_size_bytes,
    isSalvageSale: step.is_salvage_sale === 1,
    attempts: step.attempts,
    firstAttemptAt: step.first_attempt_at,
    keyUsedAtMs: step.key_used_at_ms,
    everUnknown: step.ever_unknown === 1,
    delivered:
      step.delivered_at === null
        ? null
        : {
            at: step.delivered_at,
            status: step.status ?? 0,
            correlationId: step.correlation_id ?? '',
            serverId: step.server_id,
            sizeBytes: step.size_bytes,
            sha256: step.sha256,
            laptopAt: step.laptop_at,
            seenAt: step.seen_at,
          },
  };
}
