import { z } from 'zod';

/** Where a desk is killed that writes a report: at the beginning of a step, or in the middle. */
export const reportSteps = [
  'chosen',
  'filling',
  'filled',
  'opening',
  'opened',
  'saved',
  'taken',
  'making',
] as const;
export type ReportStep = (typeof reportSteps)[number];

/** The task of a desk (report-worker.ts). */
export const reportPlanSchema = z.object({
  home: z.string(),
  secrets: z.record(z.string(), z.string()),
  draftId: z.string(),
  templateId: z.string(),
  /** What the program saves in the place of the document. */
  savedFile: z.string(),
});
export type ReportPlan = z.infer<typeof reportPlanSchema>;

/** What the worker prints as each step begins. */
export const reportSignSchema = z.object({ step: z.enum(reportSteps) });
