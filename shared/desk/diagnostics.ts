import { z } from 'zod';
import { deskProblemSchema } from './errors.ts';

/** Absolute path on this laptop; a file that is there is never overwritten. */
export const diagnosticsInputSchema = z.object({ file: z.string().min(1).max(4096) });

/** A file of the bundle, as it would be written now. */
export const diagnosticsPartSchema = z.object({ name: z.string(), text: z.string() });
export type DiagnosticsPart = z.infer<typeof diagnosticsPartSchema>;

export const diagnosticsSchema = z.object({
  file: z.string(),
  sizeBytes: z.int(),
  /** Names of what is in the zip. */
  parts: z.array(z.string()),
});
export type Diagnostics = z.infer<typeof diagnosticsSchema>;

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
  'limits', // those that the desk observes: { standardPerMinute, documentsPerMinute, .. }
] as const;
export type ConnectionStep = (typeof connectionSteps)[number];

/** The last request of a test, as the partner's support needs it. */
export const askedSchema = z.object({
  /** Without the query. */
  address: z.string(),
  /** Null if no answer came. */
  status: z.int().nullable(),
  /** Of the refusal; empty if there is none. */
  title: z.string(),
  correlationId: z.string(),
});
export type Asked = z.infer<typeof askedSchema>;

/** Parameters of the list of cases whose effect is tested. */
export const testedParameters = ['size', 'page', 'lastChangedSince'] as const;

export const connectionCheckInputSchema = z.object({
  /** The connection that was refused when it was set up, if there is one. */
  failed: z.boolean().default(false),
});

export const connectionCheckSchema = z.object({
  connection: z.object({
    name: z.string(),
    baseUrl: z.string(),
    /** False for one that was refused when it was set up, and is so still. */
    isUsable: z.boolean(),
  }),
  /** What the desk asks with: `path.X1`, `htu`, `scope`, .. */
  settings: z.array(
    z.object({
      name: z.string(),
      value: z.string(),
      /** Set by the organization's policy. */
      isPolicy: z.boolean(),
    }),
  ),
  /** Parameters that the partner ignores; empty if none, or if it could not be tested. */
  ignored: z.array(z.enum(testedParameters)),
  asked: askedSchema.nullable(),
  items: z.array(
    z.object({
      id: z.enum(connectionSteps),
      /** `skipped`: a step before it failed, or it does not apply. */
      outcome: z.enum(['ok', 'failed', 'skipped']),
      problem: deskProblemSchema.nullable(),
      params: z.record(z.string(), z.union([z.string(), z.number(), z.null()])),
    }),
  ),
  total: z.int(),
});
export type ConnectionCheck = z.infer<typeof connectionCheckSchema>;
