import { z } from 'zod';
import { opaqueIdSchema } from '../api/conventions.ts';
import { documentRefSchema, foundTotalSchema } from './documents.ts';

/** Why a page is not recognized. `gave_up`: three tries did not end. */
export const scanFaults = [
  'not_a_picture',
  'cut_off',
  'too_large',
  'too_many_pages',
  'unsupported',
  'unreadable',
  'too_slow',
  'gave_up',
] as const;
export type ScanFault = (typeof scanFaults)[number];

/** A page without text of a document on this laptop; its text is to be recognized. */
export const scannedPageSchema = documentRefSchema.extend({
  caseId: opaqueIdSchema,
  contentType: z.string(),
  /** Names the content: an answer about an earlier one is dropped. */
  contentId: z.string().min(1).max(100),
  /** Counted from 1. */
  page: z.int().min(1).max(2000),
});
export type ScannedPage = z.infer<typeof scannedPageSchema>;

/** More than a page of a phone book. */
export const pageTextMax = 20_000;
/** Totals of a page that are stored. */
export const pageTotalsMax = 10;
/** Pages of a picture file (TIFF) that are recognized. */
export const picturePagesMax = 100;

export const recognizedPageSchema = scannedPageSchema.extend({
  text: z.string().max(pageTextMax),
  totals: z.array(foundTotalSchema).max(pageTotalsMax),
  /** Of the whole file, which only its decoder knows if it is a picture. */
  pages: z.int().min(1).max(picturePagesMax).optional(),
});
export type RecognizedPage = z.infer<typeof recognizedPageSchema>;

export const refusedPageSchema = scannedPageSchema.extend({
  fault: z.enum(scanFaults).exclude(['gave_up']),
});

/** The next page of one document, which the user asked for, or of any. */
export const nextScanSchema = z.object({ document: documentRefSchema.optional() });

/** How far the pages without text of a document are. */
export const scannedDocumentSchema = z.object({
  documentId: opaqueIdSchema,
  waiting: z.int(),
  recognized: z.int(),
  /** Recognized, without a word. */
  blank: z.int(),
  refused: z.int(),
  /** Of one of the refused pages. */
  fault: z.enum(scanFaults).nullable(),
});
export type ScannedDocument = z.infer<typeof scannedDocumentSchema>;

export const scansStateSchema = z.object({
  /** False if the organization forbids it: the user cannot ask for it either. */
  isAllowed: z.boolean(),
  /** Whether pages are recognized without being asked for, if the desk is idle and on mains. */
  isAutomatic: z.boolean(),
  /** Pages on this laptop that are to be recognized. */
  waiting: z.int(),
});
export type ScansState = z.infer<typeof scansStateSchema>;
