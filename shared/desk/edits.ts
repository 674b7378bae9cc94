import { z } from 'zod';
import { amountMaxRappen, commentMaxLength } from '../api/limits.ts';
import { parseAmount } from '../lib/money.ts';
import type { EditPart } from './case-choices.ts';

/** More than any field takes, so that a text that is still too long is kept, too. */
const text = z.string().max(20 * commentMaxLength);

const texts = {
  estimate: text.optional(),
  approved: text.optional(),
  comment: text.optional(),
  reason: text.optional(),
};

/** What a person typed into a case and has not queued, letter by letter as they left it. */
export const editSchema = z.object({
  caseId: z.uuid(),
  externalKey: z.string(),
  updatedAt: z.string(),
  ...texts,
});
export type Edit = z.infer<typeof editSchema>;
export const editListSchema = z.object({ items: z.array(editSchema), total: z.int() });

/** Given parts are kept as typed, null forgets one, absent ones stay. */
export const editInputSchema = z.object({
  id: z.string().min(1).max(200),
  estimate: text.nullable().optional(),
  approved: text.nullable().optional(),
  comment: text.nullable().optional(),
  reason: text.nullable().optional(),
});
export type EditInput = z.infer<typeof editInputSchema>;

/** Whether a typed text says what an act sets; money in whole Rappen. */
export function isEditOf(part: EditPart, typed: string, set: string | number | null): boolean {
  if (part === 'comment' || part === 'reason') return typed.trim() === String(set ?? '').trim();
  const amount = parseAmount(typed, amountMaxRappen);
  return amount.ok && amount.rappen === set;
}
