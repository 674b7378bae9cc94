import { isAbsolute } from 'node:path';
import { z } from 'zod';
import { categories } from '#shared/api/case-words.ts';
import { parameterName } from '#shared/api/conventions.ts';
import { operationIds, type OperationId } from '#shared/api/routes.ts';
import { parsePostalLine } from '#shared/desk/own-cases.ts';
import { languages } from '#shared/desk/workspace.ts';

const address = z.url({ protocol: /^https?$/ });
const text = z.string().min(1).max(2000);

const bucketSchema = z.strictObject({
  capacity: z.int().min(1).max(1_000_000),
  refillPerMinute: z.int().min(1).max(60_000_000),
});

/** The detail of the log; `info` adds one line per request to the partner. */
const logLevels = ['error', 'warn', 'info', 'debug'] as const;

/**
 * What IT may set for a whole machine. Our errors are rules (`ErrorWords`), shown in the user's
 * language. The check of the file, the Windows templates, the macOS description and the table of
 * the documentation are made from this schema. Unknown members are refused: a setting that has no
 * effect must not look as if it had one.
 */
export const policySchema = z.strictObject({
  /** Wins over what the user enters when a connection is set up. */
  connection: z
    .strictObject({
      gateway: address,
      baseUrl: address,
      audience: text,
      clientId: text,
      scope: text,
      htuWithoutQuery: z.boolean(),
      changedSinceParameter: z.string().regex(parameterName),
    })
    .partial()
    .refine(
      ({ gateway, baseUrl, audience, clientId, changedSinceParameter }) =>
        !gateway || !(baseUrl ?? audience ?? clientId ?? changedSinceParameter),
      {
        error: 'gateway_alone',
      },
    )
    .optional(),
  /** A file with client id and key, or a gateway's code, taken once and deleted; a relative path is within the home. */
  provisioningFile: text.optional(),
  /** Path templates by operation id, if the partner's differ. */
  paths: z
    .partialRecord(
      z.enum(operationIds as [OperationId, ...OperationId[]]),
      z.string().startsWith('/'),
    )
    .optional(),
  /** Limits that the partner agreed to, instead of the published ones. */
  limits: z.strictObject({ standard: bucketSchema, documents: bucketSchema }).partial().optional(),
  /** Instead of the system's proxy. */
  proxy: z
    .strictObject({ url: z.url({ protocol: /^http$/ }), bypass: z.array(text) })
    .partial({ bypass: true })
    .optional(),
  /** PEM files with authorities that are trusted in addition to the usual ones. */
  certificateFiles: z.array(text).optional(),
  updates: z
    .strictObject({ enabled: z.boolean(), feed: z.url({ protocol: /^https$/ }) })
    .partial()
    .optional(),
  language: z.enum(languages).optional(),
  practice: z.boolean().optional(),
  /** Which cases are the user's own: those that have a value of each kind that is named. */
  ownCases: z
    .strictObject({
      postalCodes: z.array(
        z.string().refine((line) => typeof parsePostalLine(line) === 'object', {
          error: 'not_a_code',
        }),
      ),
      categories: z.array(z.enum(categories)),
      responsibles: z.array(text),
    })
    .partial()
    .refine((rule) => Object.values(rule).some((values) => (values?.length ?? 0) > 0), {
      error: 'says_nothing',
    })
    .optional(),
  /** Days in which the documents of a closed case stay on the laptop. */
  documentRetentionDays: z.int().min(0).max(3650).optional(),
  /** Days after its last change in which an ended case stays on the laptop. */
  caseRetentionDays: z.int().min(1).max(3650).optional(),
  /** Whether the text of scans is recognized on the laptop. */
  textRecognition: z.boolean().optional(),
  /** Folder whose new photos are offered to reports. */
  watchedFolder: text.refine((folder) => isAbsolute(folder), { error: 'absolute' }).optional(),
  /** Folder of the office's templates of reports, which every desk offers. */
  templateFolder: text.refine((folder) => isAbsolute(folder), { error: 'absolute' }).optional(),
  /** Folder into which each desk writes its undelivered work once a day. */
  backupFolder: text.refine((folder) => isAbsolute(folder), { error: 'absolute' }).optional(),
  logLevel: z.enum(logLevels).optional(),
});
export type DeskPolicy = z.infer<typeof policySchema>;

/** One value that IT can set, by its dotted name. */
export interface PolicyLeaf {
  readonly name: string;
  readonly kind: 'text' | 'number' | 'boolean' | 'choice' | 'list' | 'map';
  /** Of a choice its values, of a map its keys. */
  readonly choices: readonly string[];
  /** Of a number. */
  readonly min: number | null;
  readonly max: number | null;
}

const nodeSchema = z.looseObject({
  type: z.enum(['object', 'string', 'integer', 'boolean', 'array']),
  properties: z.record(z.string(), z.unknown()).optional(),
  propertyNames: z.looseObject({ enum: z.array(z.string()) }).optional(),
  enum: z.array(z.string()).optional(),
  minimum: z.number().optional(),
  maximum: z.number().optional(),
});

const kinds = { string: 'text', integer: 'number', boolean: 'boolean', array: 'list' } as const;

/** Every value of the policy's schema, in its order. */
export function policyLeaves(): PolicyLeaf[] {
  return leavesOf('', z.toJSONSchema(policySchema, { io: 'input' }));
}

function leavesOf(name: string, value: unknown): PolicyLeaf[] {
  const node = nodeSchema.parse(value);
  if (node.properties) {
    return Object.entries(node.properties).flatMap(([key, child]) =>
      leavesOf(name === '' ? key : `${name}.${key}`, child),
    );
  }
  const choices = node.enum ?? node.propertyNames?.enum ?? [];
  const kind = node.type === 'object' ? 'map' : node.enum ? 'choice' : kinds[node.type];
  return [{ name, kind, choices, min: node.minimum ?? null, max: node.maximum ?? null }];
}
