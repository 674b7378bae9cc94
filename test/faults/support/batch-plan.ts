import { z } from 'zod';

/** Who gives the batch: the window, or the command line with a folder. */
export const batchWays = ['window', 'folder'] as const;
export type BatchWay = (typeof batchWays)[number];

/** Where a desk is killed that fills a batch. */
export const batchSteps = ['taking', 'filling', 'made', 'another made', 'delivering'] as const;
export type BatchStep = (typeof batchSteps)[number];

/** The task of a desk (batch-worker.ts). */
export const batchPlanSchema = z.object({
  home: z.string(),
  secrets: z.record(z.string(), z.string()),
  way: z.enum(batchWays),
  /** With the files of the batch. */
  folder: z.string(),
  sheet: z.string(),
  templateId: z.string(),
});
export type BatchPlan = z.infer<typeof batchPlanSchema>;

/** What the worker prints as each step begins. */
export const batchSignSchema = z.object({ step: z.enum(batchSteps) });
