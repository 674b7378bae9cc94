import { z } from 'zod';
import { caseStatuses, categories } from '#shared/api/case-words.ts';
import { cursorSchema, fromSchema, pageQuery, toSchema } from './request-schemas.ts';

const text = z.string({ error: 'must be given once.' });

const commonFilters = {
  ...pageQuery,
  status: z.enum(caseStatuses, { error: `must be one of: ${caseStatuses.join(', ')}.` }).optional(),
  category: z.enum(categories, { error: `must be one of: ${categories.join(', ')}.` }).optional(),
  q: text.max(1000, 'must be at most 1000 characters.').optional(),
  createdFrom: fromSchema,
  createdTo: toSchema,
  completedFrom: fromSchema,
  completedTo: toSchema,
  lastChangedSince: cursorSchema,
};

/** Query of X1. */
export const caseListQuery = z.object({ ...commonFilters, inspectionType: text.optional() });
/** Query of I1. */
export const claimListQuery = z.object({ ...commonFilters, lastReportApprovedSince: fromSchema });

export type ClaimFilters = z.output<typeof caseListQuery> & z.output<typeof claimListQuery>;
