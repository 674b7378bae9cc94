import { z } from 'zod';
import { deskProblemSchema } from '../contract/errors.ts';

/** An absolute path on this laptop. An existing file is never overwritten. */
export const diagnosticsInputSchema = z.object({ file: z.string().min(1).max(4096) });

/** A file of the bundle with its present content. */
export const diagnosticsPartSchema = z.object({ name: z.string(), text: z.string() });
export type DiagnosticsPart = z.infer<typeof diagnosticsPartSchema>;

export const diagnosticsSchema = z.object({
  file: z.string(),
  sizeBytes: z.int(),
  /** The names of the files in the zip. */
  parts: z.array(z.string()),
});
export type Diagnostics = z.infer<typeof diagnosticsSchema>;

/** The steps of a connection test, in the order in which they can fail. */
export const connectionSteps = [
  'address', // the name resolves: { host }
  'connection', // something answers there: { host }
  'encryption', // TLS with a certificate that is trusted
  'partner', // the answers are the partner's, not a captive portal's
  'clock', // { offsetS }: how far this laptop's clock is behind the partner's
  'token', // client id, key and audience are accepted
  'proof', // signed requests are accepted
  'list', // the organization may read its cases: { caseCount }
  'limits', // the limits that the desk observes: { standardPerMinute, documentsPerMinute, .. }
] as const;
export type ConnectionStep = (typeof connectionSteps)[number];

/** The last request of a test, for the partner's support. */
export const askedSchema = z.object({
  /** The address without the query. */
  address: z.string(),
  /** The status; null if no answer arrived. */
  status: z.int().nullable(),
  /** The title of the refusal; empty if there is none. */
  title: z.string(),
  correlationId: z.string(),
});
export type Asked = z.infer<typeof askedSchema>;

/** The parameters of the list of cases whose effect is tested. */
export const testedParameters = ['size', 'page', 'lastChangedSince'] as const;

export const connectionCheckInputSchema = z.object({
  /** Whether to test the connection that was refused when it was set up, if there is one. */
  failed: z.boolean().default(false),
});

export const connectionCheckSchema = z.object({
  connection: z.object({
    name: z.string(),
    baseUrl: z.string(),
    /** False if the connection was refused when it was set up and has not worked since. */
    isUsable: z.boolean(),
  }),
  /** The settings of the requests: `path.X1`, `htu`, `scope` and others. */
  settings: z.array(
    z.object({
      name: z.string(),
      value: z.string(),
      /** Whether the organization's policy sets the value. */
      isPolicy: z.boolean(),
    }),
  ),
  /**
   * The parameters that the partner ignores; empty if there are none, or if the test was not
   * possible.
   */
  ignored: z.array(z.enum(testedParameters)),
  asked: askedSchema.nullable(),
  items: z.array(
    z.object({
      id: z.enum(connectionSteps),
      /** `skipped` means that an earlier step failed, or that the step does not apply. */
      outcome: z.enum(['ok', 'failed', 'skipped']),
      problem: deskProblemSchema.nullable(),
      params: z.record(z.string(), z.union([z.string(), z.number(), z.null()])),
    }),
  ),
  total: z.int(),
});
export type ConnectionCheck = z.infer<typeof connectionCheckSchema>;
