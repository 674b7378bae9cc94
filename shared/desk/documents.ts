import { z } from 'zod';

/** A document of a case, as the server listed it. */
export const caseDocumentSchema = z.object({
  id: z.uuid(),
  caseId: z.uuid(),
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
  /** When the list was last read from the server; null if never. */
  listedAt: z.string().nullable(),
});
export type CaseDocumentList = z.infer<typeof caseDocumentListSchema>;

export const documentRefSchema = z.object({
  caseId: z.string().min(1).max(200),
  documentId: z.uuid(),
});

/** Who gets a decrypted copy: the system's program for its type, or the drop target. */
export const documentTakers = ['program', 'drop'] as const;
export type DocumentTaker = (typeof documentTakers)[number];
