import { z } from 'zod';
import { deskErrorParamsSchema, deskProblemSchema } from './errors.ts';

/** What a working connection is made of, in the order in which it can fail. */
export const connectionSteps = [
  'address', // the name resolves: { host }
  'connection', // something answers there: { host }
  'encryption', // TLS with a certificate that is trusted
  'partner', // the answers are the partner's, not a captive portal's
  'clock', // { offsetS }: how far this laptop's clock is behind the partner's
  'token', // client id, key and audience are accepted
  'proof', // signed requests are accepted
  'list', // the organization may read its cases: { caseCount }
  'limits', // those that the desk keeps to: { standardPerMinute, documentsPerMinute, .. }
] as const;
export type ConnectionStep = (typeof connectionSteps)[number];

export const connectionCheckSchema = z.object({
  items: z.array(
    z.object({
      id: z.enum(connectionSteps),
      /** `skipped`: a step before it failed, or it does not apply. */
      outcome: z.enum(['ok', 'failed', 'skipped']),
      problem: deskProblemSchema.nullable(),
      params: deskErrorParamsSchema,
    }),
  ),
  total: z.int(),
});
export type ConnectionCheck = z.infer<typeof connectionCheckSchema>;
