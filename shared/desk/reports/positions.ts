import { z } from 'zod';
import { opaqueIdSchema } from '../../api/conventions.ts';
import { amountMaxRappen } from '../../api/limits.ts';
import { compareEstimates, type Comparison } from '../../lib/compare-positions.ts';
import { positionsMax, positionTextMax } from '../../lib/positions.ts';

const rappen = z.int().min(-amountMaxRappen).max(amountMaxRappen);

const positionSchema = z.object({
  number: z.string().max(30),
  text: z.string().max(positionTextMax),
  rappen,
});

/** The lines of an estimate or invoice; see `Estimate`. */
export const estimateSchema = z.object({
  positions: z.array(positionSchema).min(1).max(positionsMax),
  sumRappen: rappen,
  taxRappen: rappen.nullable(),
  taxRate: z.int().min(0).max(9999).nullable(),
  roundingRappen: rappen,
  totalRappen: rappen,
});

/** A document of a case with its lines. */
export const documentEstimateSchema = z.object({
  documentId: opaqueIdSchema,
  fileName: z.string(),
  estimate: estimateSchema,
});
export type DocumentEstimate = z.infer<typeof documentEstimateSchema>;

/** The lines that the reports of a case print: those of one document, or of two next to each other. */
export const reportPositionsSchema = z.object({
  first: documentEstimateSchema,
  /** The document that the first one is compared with. */
  second: documentEstimateSchema.nullable(),
});
export type ReportPositions = z.infer<typeof reportPositionsSchema>;

/** The documents whose lines are known, and the choice for the reports. */
export const casePositionsSchema = z.object({
  items: z.array(documentEstimateSchema),
  total: z.int(),
  /** The user's choice; without one, the only document whose lines are known. */
  report: reportPositionsSchema.nullable(),
  /** Whether the user made this choice. */
  isChosen: z.boolean(),
});
export type CasePositions = z.infer<typeof casePositionsSchema>;

export const positionsInputSchema = z.object({
  id: z.string().min(1).max(200),
  /** These are brought onto the laptop and read first. */
  documentIds: z.array(opaqueIdSchema).max(2).default([]),
});

export const positionsChoiceSchema = z.object({
  id: z.string().min(1).max(200),
  /** Null removes the choice. */
  documentId: opaqueIdSchema.nullable(),
  against: opaqueIdSchema.nullable().default(null),
});

/** The comparison of two documents; null if there is only one. */
export const comparisonOf = ({ first, second }: ReportPositions): Comparison | null =>
  second && compareEstimates(first.estimate, second.estimate);
