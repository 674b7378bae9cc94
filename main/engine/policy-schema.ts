import type { PolicyValue } from '#shared/desk/setup/policy.ts';
import { isAbsolute } from 'node:path';
import { z } from 'zod';
import { categories } from '#shared/api/case-words.ts';
import { parameterName } from '#shared/api/conventions.ts';
import { operationIds, type OperationId } from '#shared/api/routes.ts';
import { parsePostalLine } from '#shared/desk/cases/own-cases.ts';
import { visitMessagesSchema } from '#shared/desk/cases/day.ts';
import { isPrivateNetwork } from '#shared/telephone/private-network.ts';
import { languages } from '#shared/desk/setup/workspace.ts';

const address = z.url({ protocol: /^https?$/ });
const text = z.string().min(1).max(2000);

const bucketSchema = z.strictObject({
  capacity: z.int().min(1).max(1_000_000),
  refillPerMinute: z.int().min(1).max(60_000_000),
});

/** The detail of the log; `info` adds one line per request to the partner. */
const logLevels = ['error', 'warn', 'info', 'debug'] as const;

/**
 * The values that IT may set for a whole machine. The errors are rules (`ErrorWords`), shown in the
 * user's language. The check of the file, the Windows templates, the macOS description and the
 * table of the documentation are made from this schema. Unknown members are refused, because a
 * setting without effect must not look effective.
 */
export const policySchema = z.strictObject({
  /** These values take precedence over the user's when a connection is set up. */
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
  /**
   * A file with client id and key, or with a gateway's code. It is read once and deleted. A
   * relative path is within the home.
   */
  provisioningFile: text.optional(),
  /** Path templates by operation id, if the partner's differ. */
  paths: z
    .partialRecord(
      z.enum(operationIds as [OperationId, ...OperationId[]]),
      z.string().startsWith('/'),
    )
    .optional(),
  /** The limits that the partner agreed to, instead of the published ones. */
  limits: z.strictObject({ standard: bucketSchema, documents: bucketSchema }).partial().optional(),
  /** A proxy that replaces the system's. */
  proxy: z
    .strictObject({ url: z.url({ protocol: /^http$/ }), bypass: z.array(text) })
    .partial({ bypass: true })
    .optional(),
  /** PEM files with authorities that are trusted in addition to the usual ones. */
  certificateFiles: z.array(text).optional(),
  updates: z
    .strictObject({
      enabled: z.boolean(),
      feed: z.url({ protocol: /^https$/ }),
      /** Who installs what the feed has: the user is asked, the next start does it, or IT. */
      install: z.enum(['user', 'start', 'it']),
    })
    .partial()
    .optional(),
  language: z.enum(languages).optional(),
  practice: z.boolean().optional(),
  /**
   * The rule of the user's own cases. For each kind that is named, a case must have one of the
   * values.
   */
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
  /** The number of days for which the documents of a closed case stay on the laptop. */
  documentRetentionDays: z.int().min(0).max(3650).optional(),
  /** The number of days after its last change for which an ended case stays on the laptop. */
  caseRetentionDays: z.int().min(1).max(3650).optional(),
  /** Whether the text of scans is recognized on the laptop. */
  textRecognition: z.boolean().optional(),
  /** The folder whose new photos are offered to reports. */
  watchedFolder: text.refine((folder) => isAbsolute(folder), { error: 'absolute' }).optional(),
  /** The texts with which a visit is announced, by the language of the message. */
  visitMessage: visitMessagesSchema.optional(),
  /** Whether a telephone on the same network may photograph for a report, and on which networks. */
  telephone: z
    .strictObject({
      enabled: z.boolean(),
      networks: z.array(
        z.string().refine((network) => isPrivateNetwork(network), { error: 'private_network' }),
      ),
    })
    .partial()
    .optional(),
  /** The folder of the office's templates of reports, which every desk offers. */
  templateFolder: text.refine((folder) => isAbsolute(folder), { error: 'absolute' }).optional(),
  /** The folder into which each desk writes its undelivered work once a day. */
  backupFolder: text.refine((folder) => isAbsolute(folder), { error: 'absolute' }).optional(),
  logLevel: z.enum(logLevels).optional(),
});
export type DeskPolicy = z.infer<typeof policySchema>;

/** One value that IT can set, by its dotted name. */
export interface PolicyLeaf {
  readonly name: string;
  readonly kind: 'text' | 'number' | 'boolean' | 'choice' | 'list' | 'map';
  /** The values of a choice, or the keys of a map. */
  readonly choices: readonly string[];
  /** The least value of a number. */
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

/**
 * The values of a policy with their dotted names, in the policy's order. A policy contains no
 * secret.
 */
export function policyValues(policy: object, prefix = ''): PolicyValue[] {
  return Object.entries(policy).flatMap(([name, value]: [string, unknown]): PolicyValue[] => {
    if (value === undefined || value === null) return [];
    if (typeof value === 'object' && !Array.isArray(value))
      return policyValues(value, `${prefix}${name}.`);
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    return [{ name: `${prefix}${name}`, value: text }];
  });
}
