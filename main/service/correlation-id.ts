import { randomUUID } from 'node:crypto';
import { correlationIdMaxLength } from '#shared/api/limits.ts';

const usable = new RegExp(`^[\\x21-\\x7e]{1,${correlationIdMaxLength}}$`);

/** The header of every answer. */
export const correlationHeader = 'X-Correlation-Id';

/**
 * The correlation id of a request: its own where that is 1 to 80 characters of 0x21 to 0x7E, else
 * a new uuid (decisions, "Correlation id").
 */
export function correlationIdOf(header: string | readonly string[] | undefined): string {
  return typeof header === 'string' && usable.test(header) ? header : randomUUID();
}
