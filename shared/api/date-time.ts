import { z } from 'zod';

/** ISO 8601 with a zone or without (then UTC). */
export const dateTimeSchema = z.iso
  .datetime({ offset: true, local: true })
  .meta({ format: 'date-time' });

/** A moment as the API writes it: UTC with milliseconds and a trailing Z (decisions, "Lists"). */
export function isoTime(epochMs: number): string {
  return new Date(epochMs).toISOString();
}
