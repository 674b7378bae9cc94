import { z } from 'zod';
import { opaqueIdSchema } from '../../api/conventions.ts';
import { payloadMax } from '../../lib/qr-bill.ts';
import { documentRefSchema, foundTotalSchema, pageBoxSchema } from './documents.ts';

/** The reasons why a page is not recognized. `gave_up` means that three attempts did not finish. */
export const scanFaults = [
  'not_a_picture',
  'cut_off',
  'too_large',
  'too_many_pages',
  'unsupported',
  'unreadable',
  'too_slow',
  'broke_off',
  'gave_up',
] as const;
export type ScanFault = (typeof scanFaults)[number];

/**
 * A page of a document on this laptop that the window looks at: one without text, whose text is to
 * be recognized, or one with text, whose QR-bill is to be read.
 */
export const scannedPageSchema = documentRefSchema.extend({
  caseId: opaqueIdSchema,
  contentType: z.string(),
  /** The id of the content. If the content has changed since, the answer is dropped. */
  contentId: z.string().min(1).max(100),
  /** The number of the page, counted from 1. */
  page: z.int().min(1).max(2000),
  hasText: z.boolean(),
});
export type ScannedPage = z.infer<typeof scannedPageSchema>;

/** The limit is higher than the length of a page of a phone book. */
export const pageTextMax = 20_000;
/** The most totals of a page that are stored. */
export const pageTotalsMax = 10;
/** The most pages of a picture file (TIFF) that are recognized. */
export const picturePagesMax = 100;

/** The most QR-bills of a page that are stored. */
export const pageBillsMax = 4;
/** A Swiss QR code as it was read. The engine checks its payload (`parseQrBill`). */
const readBillSchema = z.object({ payload: z.string().max(payloadMax), box: pageBoxSchema });

export const recognizedPageSchema = scannedPageSchema.extend({
  text: z.string().max(pageTextMax),
  totals: z.array(foundTotalSchema).max(pageTotalsMax),
  bills: z.array(readBillSchema).max(pageBillsMax).optional(),
  /** The number of pages of the whole file. For a picture only its decoder knows it. */
  pages: z.int().min(1).max(picturePagesMax).optional(),
});
export type RecognizedPage = z.infer<typeof recognizedPageSchema>;

export const refusedPageSchema = scannedPageSchema.extend({
  fault: z.enum(scanFaults).exclude(['gave_up']),
});

/**
 * The document, if the user asked for it, or the case that the user opened, of which only QR-bills
 * are read. If both are absent, the next page of any document is meant.
 */
export const nextScanSchema = z.object({
  document: documentRefSchema.optional(),
  billsOf: opaqueIdSchema.optional(),
});

/** The progress of the pages without text of a document. */
export const scannedDocumentSchema = z.object({
  documentId: opaqueIdSchema,
  waiting: z.int(),
  recognized: z.int(),
  /** The number of recognized pages without a word. */
  blank: z.int(),
  refused: z.int(),
  /** The fault of one of the refused pages. */
  fault: z.enum(scanFaults).nullable(),
});
export type ScannedDocument = z.infer<typeof scannedDocumentSchema>;

export const scansStateSchema = z.object({
  /** False if the organization forbids the recognition. Then the user cannot start it either. */
  isAllowed: z.boolean(),
  /** Whether pages are recognized automatically if the desk is idle and on mains power. */
  isAutomatic: z.boolean(),
  /** The number of pages on this laptop that are to be recognized. */
  waiting: z.int(),
});
export type ScansState = z.infer<typeof scansStateSchema>;
