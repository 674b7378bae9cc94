import { z } from 'zod';
import { caseFilterSchema, caseSorts } from './cases.ts';

/** What a person looks at again and again: a filter, an order and columns under a name. */
export const caseViewSchema = z.object({
  id: z.uuid(),
  name: z.string().trim().min(1).max(80),
  filter: caseFilterSchema,
  sort: z.enum(caseSorts),
  descending: z.boolean(),
  /** In their order; the window knows which there are and passes over any other. */
  columns: z.array(z.string().max(50)).max(50),
});
export type CaseView = z.infer<typeof caseViewSchema>;
export const caseViewListSchema = z.object({ items: z.array(caseViewSchema), total: z.int() });

/**
 * Without an id a new one; `view_name_taken` where another view has the name already,
 * `view_not_found` where the id is of none.
 */
export const caseViewInputSchema = caseViewSchema.extend({ id: z.uuid().optional() });
export type CaseViewInput = z.infer<typeof caseViewInputSchema>;
