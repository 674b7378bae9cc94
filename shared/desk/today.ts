import { z } from 'zod';
import { caseSummarySchema } from './cases.ts';

const section = z.object({ items: z.array(caseSummarySchema), total: z.int() });

/** What a morning begins with. Every list is cut to what a person reads at once; `total` is not. */
export const todaySchema = z.object({
  /** The calendar day in Zurich, YYYY-MM-DD. */
  day: z.string(),
  /** Cases with typed text that is not queued, last changed first. */
  unsent: section,
  /** Cases that wait for an answer to the assignment, newest first. */
  assigned: section,
  /** Cases whose report came back, newest first. */
  returned: section,
  /** Inspections of open cases from the day before to a week ahead, soonest first. */
  inspections: section,
});
export type Today = z.infer<typeof todaySchema>;
