import { z } from 'zod';

/** RFC 9457 problem document; `instance` is the correlation id. */
export const problemSchema = z.looseObject({
  type: z.string().default('about:blank'),
  title: z.string(),
  status: z.int(),
  detail: z.string().optional(),
  instance: z.string().optional(),
  /** Field name to messages. */
  errors: z.record(z.string(), z.array(z.string())).optional(),
  /** RFC 6749 section 5.2, on the token endpoint only. */
  error: z.string().optional(),
  error_description: z.string().optional(),
});
