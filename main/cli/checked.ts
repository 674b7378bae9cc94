import type { z } from 'zod';
import { DeskError } from '#shared/desk/errors.ts';

/** The same door as the window's: an argument that the contract refuses never reaches the engine. */
export function checked<Schema extends z.ZodType>(schema: Schema, value: z.input<Schema>) {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  throw new DeskError('invalid_input', {
    field: String(issue?.path[0] ?? ''),
    rule: issue?.code ?? 'unknown',
  });
}
