import { z } from 'zod';
import { caseSorts } from './case-choices.ts';
import { caseFilterSchema } from './cases.ts';

/** A filter, an order and columns under a name. */
export const caseViewSchema = z.object({
  id: z.uuid(),
  name: z.string().trim().min(1).max(80),
  filter: caseFilterSchema,
  sort: z.enum(caseSorts),
  descending: z.boolean(),
  /** In their order; the window skips unknown ones. */
  columns: z.array(z.string().max(50)).max(50),
});
export type CaseView = z.infer<typeof caseViewSchema>;
export const caseViewListSchema = z.object({ items: z.array(caseViewSchema), total: z.int() });

/** Without an id a new one. Fails with `view_name_taken` or `view_not_found`. */
export const caseViewInputSchema = caseViewSchema.extend({ id: z.uuid().optional() });
export type CaseViewInput = z.infer<typeof caseViewInputSchema>;
