import { z } from 'zod';

/** Sums over the cases in which both amounts are set. */
const savingsRow = z.object({
  /** A month YYYY-MM, or a category. */
  key: z.string(),
  cases: z.int(),
  costEstimateRappen: z.int(),
  approvedRappen: z.int(),
  savingsRappen: z.int(),
});
export type SavingsRow = z.infer<typeof savingsRow>;

const countRow = z.object({ key: z.string(), count: z.int() });
export type CountRow = z.infer<typeof countRow>;

/** Days since a case was created, from (inclusive) to (exclusive); the last has no end. */
export const ageBounds = [0, 7, 14, 30, 60, 90] as const;

/** Figures over the cases that match a filter. */
export const insightsSchema = z.object({
  cases: z.int(),
  savingsByMonth: z.array(savingsRow),
  savingsByCategory: z.array(savingsRow),
  /** Open cases by age; keys are the lower bounds of `ageBounds`. */
  openAges: z.array(countRow),
  inspectionTypes: z.array(countRow),
  statuses: z.array(countRow),
});
export type Insights = z.infer<typeof insightsSchema>;
