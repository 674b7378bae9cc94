import { z } from 'zod';

/** The page envelope of every list. */
export function pageOf<Item extends z.ZodType>(item: Item) {
  return z.object({
    Total: z.int().nonnegative(),
    Page: z.int().positive(),
    Size: z.int().positive(),
    Items: z.array(item),
  });
}

export interface Page<Item> {
  Total: number;
  Page: number;
  Size: number;
  Items: Item[];
}

/** ISO 8601 with a zone or without (then UTC). */
export const dateTimeSchema = z.iso
  .datetime({ offset: true, local: true })
  .meta({ format: 'date-time' });

/** A moment as the API writes it: UTC with milliseconds and a trailing Z (decisions, "Lists"). */
export function isoTime(epochMs: number): string {
  return new Date(epochMs).toISOString();
}
