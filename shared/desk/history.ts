import { z } from 'zod';

const scalar = z.union([z.string(), z.number(), z.boolean()]).nullable();

/** One field of a case that the partner changed; null if it was absent. */
const fieldChangeSchema = z.object({
  /** A field of `caseSummarySchema`, or a path into the payload: `payload.insured.name`. */
  field: z.string(),
  /** Amounts in decimal CHF; a long text is cut off. */
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
