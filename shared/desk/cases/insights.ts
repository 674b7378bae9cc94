import { z } from 'zod';
import { returnsRowSchema } from '../reports/returns.ts';

/** Sums over the cases in which both amounts are set. */
const savingsRow = z.object({
  /** The group of the row: a month YYYY-MM, or a category. */
  key: z.string(),
  cases: z.int(),
  costEstimateRappen: z.int(),
  approvedRappen: z.int(),
  savingsRappen: z.int(),
});
export type SavingsRow = z.infer<typeof savingsRow>;

const countRow = z.object({ key: z.string(), count: z.int() });
export type CountRow = z.infer<typeof countRow>;

/** Figures over the cases that match a filter. */
export const insightsSchema = z.object({
  cases: z.int(),
  savingsByMonth: z.array(savingsRow),
  savingsByCategory: z.array(savingsRow),
  /** Open cases by age; keys are the lower bounds of `ageBounds`. */
  openAges: z.array(countRow),
  inspectionTypes: z.array(countRow),
  statuses: z.array(countRow),
  returnsByInsurer: z.array(returnsRowSchema),
  returnsByCategory: z.array(returnsRowSchema),
});
export type Insights = z.infer<typeof insightsSchema>;
