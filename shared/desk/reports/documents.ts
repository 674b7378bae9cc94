import { z } from 'zod';
import { opaqueIdSchema } from '../../api/conventions.ts';
import { amountMaxRappen } from '../../api/limits.ts';
import { currencies } from '../../lib/document-currency.ts';
import { deskProblemSchema } from '../contract/errors.ts';

/** A document of a case, as the server listed it. */
export const caseDocumentSchema = z.object({
  id: opaqueIdSchema,
  caseId: opaqueIdSchema,
  fileName: z.string(),
  contentType: z.string(),
  sizeBytes: z.int(),
  createdAt: z.string(),
  /** Whether the content is on this laptop, encrypted. */
  onLaptop: z.boolean(),
});
export type CaseDocument = z.infer<typeof caseDocumentSchema>;

export const caseDocumentListSchema = z.object({
  items: z.array(caseDocumentSchema),
  total: z.int(),
  /** When the list was last read from the server; null if it never was. */
  listedAt: z.string().nullable(),
  /**
   * The reason why the list could not be read now. It is present only for a list that was never
   * read.
   */
  problem: deskProblemSchema.optional(),
});

export const documentRefSchema = z.object({
  caseId: z.string().min(1).max(200),
  documentId: opaqueIdSchema,
});

const part = z.number().min(0).max(1);
export const pageBoxSchema = z.object({ left: part, top: part, width: part, height: part });
/** A total in hundredths of its currency, with its place on the page; see `findTotals`. */
export const foundTotalSchema = z.object({
  rappen: z.int().positive().max(amountMaxRappen),
  currency: z.enum(currencies),
  label: z.string().max(100),
  box: pageBoxSchema,
  rank: z.int().min(0).max(3),
});

/** A total in a document on this laptop. If it is in francs, the user may use it as an amount. */
export const suggestedTotalSchema = foundTotalSchema.extend({
  documentId: opaqueIdSchema,
  fileName: z.string(),
  /** The number of the page, counted from 1. */
  page: z.int(),
  /** The total was recognized in a picture and may be misread. */
  isRecognized: z.boolean(),
  /** The amount is that of a QR-bill, and the label is its creditor. */
  isBill: z.boolean(),
  /** The reference of the QR-bill as it is printed; empty if it has none, and for other totals. */
  reference: z.string().max(40),
});
export type SuggestedTotal = z.infer<typeof suggestedTotalSchema>;

/** The receiver of a decrypted copy: the system's program for its type, or the drop target. */
export const documentTakers = ['program', 'drop'] as const;
export type DocumentTaker = (typeof documentTakers)[number];
