import { z } from 'zod';

/** Absolute path on this laptop; a file that is there is never overwritten. */
export const diagnosticsInputSchema = z.object({ file: z.string().min(1).max(4096) });

export const diagnosticsSchema = z.object({
  file: z.string(),
  sizeBytes: z.int(),
  /** Names of what is in the zip. */
  parts: z.array(z.string()),
});
export type Diagnostics = z.infer<typeof diagnosticsSchema>;
