import { z } from 'zod';
import { opaqueIdSchema } from '../../api/conventions.ts';
import { editParts } from '../cases/case-choices.ts';
import { deskProblemSchema } from '../contract/errors.ts';
import { queueKinds } from './queue.ts';

import { ledgerActs, ledgerKinds, ledgerWaits, postponeReasonMaxLength } from './ledger-counts.ts';

/** An entry of the ledger of what is unfinished (`ledger-counts.ts` has the table of the kinds). */
export const ledgerEntrySchema = z.object({
  /** The same thing has the same key as long as it is unfinished. */
  key: z.string().max(200),
  kind: z.enum(ledgerKinds),
  act: z.enum(ledgerActs),
  /** The case; null for a batch. */
  caseId: opaqueIdSchema.nullable(),
  /** The key and the party of the case; empty if this laptop does not know the case. */
  externalKey: z.string(),
  partyName: z.string(),
  /** When it was begun, or typed last (ISO 8601); for a visit its day in Zurich. */
  since: z.string(),
  /** The entry of the outbox, and what it does. */
  queueId: z.int().nullable(),
  queueKind: z.enum(queueKinds).nullable(),
  /** Why an entry of the outbox needs the user, or did not get through. */
  problem: deskProblemSchema.nullable(),
  /** What a waiting entry waits for. */
  waitsFor: z.enum(ledgerWaits).nullable(),
  /** The fields with typed text. */
  parts: z.array(z.enum(editParts)),
  draftId: z.uuid().nullable(),
  /** The number of files of a draft or a batch, and their bytes if they are known. */
  files: z.int(),
  sizeBytes: z.int(),
  /** What the case of a visit still lacks. */
  missing: z.array(z.enum(['amounts', 'report'])),
  /** Until which day in Zurich the user postponed it, and why. */
  postponed: z.object({ until: z.string(), reason: z.string() }).nullable(),
});
export type LedgerEntry = z.infer<typeof ledgerEntrySchema>;

/** The number of entries of each kind. */
export const ledgerCountsSchema = z.record(z.enum(ledgerKinds), z.int());

/** If `kinds` is absent, the answer has the entries of every kind. */
export const ledgerInputSchema = z.object({ kinds: z.array(z.enum(ledgerKinds)).optional() });

/** The entries of the wanted kinds, most urgent first, and the counts of all. */
export const ledgerSchema = z.object({
  items: z.array(ledgerEntrySchema),
  /** The number of `items`. */
  total: z.int(),
  counts: ledgerCountsSchema,
});
export type Ledger = z.infer<typeof ledgerSchema>;

export const postponeInputSchema = z.object({
  key: ledgerEntrySchema.shape.key,
  /** Null takes the postponement back. */
  reason: z.string().trim().min(1).max(postponeReasonMaxLength).nullable(),
});

const returnedSchema = z.object({
  kind: z.literal('returned'),
  /** The number of the report; null if the reports were never listed. */
  sequenceNo: z.int().nullable(),
  /** One of `returnReasons`, or words; null if no reason is known. */
  reason: z.string().nullable(),
  /** The draft that may be its revision. */
  draftId: z.uuid().nullable(),
});

/** The one next decision of the user in a case (`turn.ts` has the table of the kinds). */
const turnSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('values') }),
  z.object({ kind: z.literal('attention'), queueId: z.int(), problem: deskProblemSchema }),
  returnedSchema,
  z.object({ kind: z.enum(['typed', 'draft', 'unclear']) }),
  z.object({
    kind: z.literal('visit'),
    /** The day of the inspection in Zurich. */
    day: z.string(),
    missing: z.array(z.enum(['amounts', 'report'])),
  }),
]);
export type Turn = z.infer<typeof turnSchema>;

export const turnsInputSchema = z.object({ ids: z.array(opaqueIdSchema) });
export const caseTurnSchema = z.object({ caseId: opaqueIdSchema, turn: turnSchema });
export type CaseTurn = z.infer<typeof caseTurnSchema>;

/** A report that the insurer returned. */
export type ReturnedReport = Pick<z.infer<typeof returnedSchema>, 'sequenceNo' | 'reason'>;
