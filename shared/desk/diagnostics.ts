import { z } from 'zod';

/** Absolute path on this laptop; a file that is there is never overwritten. */
export const diagnosticsInputSchema = z.object({ file: z.string().min(1).max(4096) });

/** A file of the bundle, as it would be written now. */
const diagnosticsPart = z.object({ name: z.string(), text: z.string() });
export type DiagnosticsPart = z.infer<typeof diagnosticsPart>;
export const diagnosticsPreviewSchema = z.object({
  items: z.array(diagnosticsPart),
  total: z.int(),
});

export const diagnosticsSchema = z.object({
  file: z.string(),
  sizeBytes: z.int(),
  /** Names of what is in the zip. */
  parts: z.array(z.string()),
});
export type Diagnostics = z.infer<typeof diagnosticsSchema>;
