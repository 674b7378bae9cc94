import { z } from 'zod';
import { reasonMaxLength } from '#shared/api/limits.ts';
import { idSchema, textSchema } from '../claims/request-schemas.ts';

/** Calls about one claim that take a reason and nothing else. */
export const caseMoveNames = ['accept', 'reject', 'finalize', 'cancel', 'archive'] as const;
/** Calls about one report submission. */
export const verdicts = ['approve', 'return'] as const;

export const assignBody = z.object({ ExpertOrganizationId: idSchema });
export const reasonBody = z.object({ Reason: textSchema(reasonMaxLength).nullish() });
