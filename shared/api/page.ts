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
