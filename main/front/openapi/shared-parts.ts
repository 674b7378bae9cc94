import { z } from 'zod';
import {
  correlationIdMaxLength,
  idempotencyKeyMaxLength,
  idempotencyRetentionMs,
} from '#shared/api/limits.ts';
import {
  problemSchema,
  problemStatus,
  validationTitle,
  type ProblemTitle,
} from '#shared/api/problem.ts';
import {
  caseSchema,
  claimCreationResultSchema,
  claimSchema,
  validationResultSchema,
} from '#shared/api/case.ts';
import { documentContentSchema, documentSchema } from '#shared/api/document.ts';
import {
  reportSchema,
  submissionDocumentContentSchema,
  submissionDocumentSchema,
  submissionSchema,
} from '#shared/api/submission.ts';
import { problemExamples } from './problem-examples.ts';
import { tokenResponseSchema } from '#shared/api/token.ts';

const retentionH = idempotencyRetentionMs / 3_600_000;

/**
 * The headers of requests, for `components.parameters`. Authorization and DPoP belong to the
 * security schemes.
 */
export const parameters = {
  CorrelationId: header('X-Correlation-Id', 'Returned unchanged if it is valid.', {
    minLength: 1,
    maxLength: correlationIdMaxLength,
    pattern: '^[!-~]+$',
  }),
  IdempotencyKey: header(
    'Idempotency-Key',
    `A repeated request with the same key and body gets the stored answer for ${retentionH} h.`,
    { minLength: 1, maxLength: idempotencyKeyMaxLength, pattern: '^[ -~]+$' },
  ),
} as const;

/** The headers of answers, for `components.headers`. */
export const headers = {
  CorrelationId: {
    description: 'The X-Correlation-Id of the request if it is valid, else a new one.',
    required: true,
    schema: { type: 'string', minLength: 1, maxLength: correlationIdMaxLength },
  },
  IdempotencyReplayed: {
    description: 'The answer is that of an earlier request; nothing was run.',
    schema: { const: 'true' },
  },
  WwwAuthenticate: {
    description: 'The challenge; the token endpoint names the reason in the body instead.',
    schema: { type: 'string', pattern: '^DPoP ' },
  },
  RetryAfter: {
    description: 'Whole seconds.',
    required: true,
    schema: { type: 'string', pattern: '^[1-9][0-9]*$' },
  },
  RateLimitPolicy: {
    description: 'For example: standard; token-bucket; 60/min; burst=20',
    required: true,
    schema: { type: 'string' },
  },
  CacheControl: {
    description: 'Answers have personal data or tokens and are not stored on the way.',
    schema: { const: 'no-store' },
  },
} as const;

/** The statuses of refusals of every server. A gateway adds further ones. */
export const problemStatuses = [...new Set(Object.values(problemStatus))].filter(
  (status) => status !== problemStatus.upstream_unavailable,
);

/** Statuses of the token endpoint that have a code in RFC 6749 section 5.2. */
const tokenProblemStatuses = [400, 401];

/** Titles whose `errors` name the fields at fault (decisions, "Status code per title"). */
const titlesWithErrors: readonly ProblemTitle[] = ['invalid_request', validationTitle];

/**
 * The schemas of the problem documents, for `components.schemas`: one for each status, with its
 * titles, and those of the token endpoint, which alone has the additional members of RFC 6749.
 * @param statuses the statuses with which the server refuses
 */
export function problemSchemas(statuses: readonly number[]): Record<string, JsonSchema> {
  const { properties, ...problem } = jsonSchemaOf(problemSchema, 'output');
  // The cast is safe because the JSON Schema of an object has these members.
  const { error, error_description, ...members } = properties as Record<string, unknown>;
  const schemaOf = (status: number, more: Record<string, unknown>): JsonSchema => ({
    ...problem,
    required: ['type', 'title', 'status', 'detail', 'instance', ...Object.keys(more)],
    properties: {
      ...members,
      ...more,
      title: { enum: titlesOf(status) },
      status: { const: status },
    },
    ...(status === 400 && {
      if: { properties: { title: { enum: titlesWithErrors } } },
      then: { required: ['errors'] },
    }),
  });
  return {
    ...Object.fromEntries(statuses.map((status) => [`Problem${status}`, schemaOf(status, {})])),
    ...Object.fromEntries(
      tokenProblemStatuses.map((status) => [
        `TokenProblem${status}`,
        schemaOf(status, { error, error_description }),
      ]),
    ),
  };
}

/** The refusals, for `components.responses`. */
export function problemResponses(statuses: readonly number[]): Record<string, JsonSchema> {
  const responseOf = (name: string, status: number): [string, JsonSchema] => [
    `${name}${status}`,
    {
      description: `${titlesOf(status).join(', ')}.`,
      headers: { ...correlationIdHeader, ...cacheControlHeader, ...headersOf(status) },
      content: Object.fromEntries(
        // OAuth libraries read only this media type, and request it alone (RFC 6749 section 5.2).
        [...(name === 'TokenProblem' ? ['application/json'] : []), 'application/problem+json'].map(
          (type) => [
            type,
            {
              schema: { $ref: `#/components/schemas/${name}${status}` },
              examples: problemExamples(titlesOf(status), name === 'TokenProblem'),
            },
          ],
        ),
      ),
    },
  ];
  return Object.fromEntries([
    ...statuses.map((status) => responseOf('Problem', status)),
    ...tokenProblemStatuses.map((status) => responseOf('TokenProblem', status)),
  ]);
}

export const cacheControlHeader = { 'Cache-Control': headerRef('CacheControl') };
export const correlationIdHeader = { 'X-Correlation-Id': headerRef('CorrelationId') };

export function headerRef(name: keyof typeof headers): JsonSchema {
  return { $ref: `#/components/headers/${name}` };
}

export function parameterRef(name: keyof typeof parameters): JsonSchema {
  return { $ref: `#/components/parameters/${name}` };
}

export function problemRef(status: number): JsonSchema {
  return { $ref: `#/components/responses/Problem${status}` };
}

/** A refusal of the token endpoint. */
export function tokenProblemRef(status: number): JsonSchema {
  return tokenProblemStatuses.includes(status)
    ? { $ref: `#/components/responses/TokenProblem${status}` }
    : problemRef(status);
}

function headersOf(status: number): JsonSchema {
  if (status === 401) return { 'WWW-Authenticate': headerRef('WwwAuthenticate') };
  if (status === 429) {
    return {
      'Retry-After': headerRef('RetryAfter'),
      'X-RateLimit-Policy': headerRef('RateLimitPolicy'),
    };
  }
  if (status === 503) return { 'Retry-After': headerRef('RetryAfter') };
  // Refusals that are stored for a repeated POST (decisions, "Idempotency").
  if (status === 400 || status === 404) {
    return { 'Idempotency-Replayed': headerRef('IdempotencyReplayed') };
  }
  return {};
}

function titlesOf(status: number): ProblemTitle[] {
  // The cast restores the table's keys.
  const titles = Object.entries(problemStatus) as [ProblemTitle, number][];
  return titles.flatMap(([title, at]) => (at === status ? [title] : []));
}

function header(name: string, description: string, schema: JsonSchema = {}): JsonSchema {
  return { name, in: 'header', description, schema: { type: 'string', ...schema } };
}

const componentSchemas = {
  Case: caseSchema,
  Claim: claimSchema,
  ClaimCreationResult: claimCreationResultSchema,
  ValidationResult: validationResultSchema,
  Document: documentSchema,
  DocumentWithContent: documentContentSchema,
  Submission: submissionSchema,
  Report: reportSchema,
  SubmissionDocument: submissionDocumentSchema,
  SubmissionDocumentWithContent: submissionDocumentContentSchema,
  TokenResponse: tokenResponseSchema,
};
/** A schema of `components.schemas`. */
export type ComponentName = keyof typeof componentSchemas;

const int32Max = 2 ** 31 - 1;

export type JsonSchema = Readonly<Record<string, unknown>>;

/** A zod schema as JSON Schema 2020-12, which OpenAPI 3.1 uses. */
export function jsonSchemaOf(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
  const whole: Record<string, unknown> = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    override: ({ jsonSchema, zodSchema }) => {
      // A member may be added without a new version (specification, "Versioning"). A schema that
      // forbids further members would turn every addition into a breaking change.
      if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
      if (jsonSchema.type === 'number') jsonSchema.format = 'double';
      if (jsonSchema.type === 'integer') {
        jsonSchema.format = (jsonSchema.maximum ?? Infinity) <= int32Max ? 'int32' : 'int64';
      }
      if (zodSchema instanceof z.ZodDefault) jsonSchema.default = zodSchema.parse(undefined);
      // A query parameter is text, but it is published with the type that the text represents.
      if (jsonSchema.type === 'integer' || jsonSchema.format === 'date-time') {
        delete jsonSchema.pattern;
      }
    },
  });
  // The document declares the dialect once for all of its schemas.
  return Object.fromEntries(Object.entries(whole).filter(([name]) => name !== '$schema'));
}

/** `components.schemas` of the OpenAPI document. */
export function components(): Record<string, JsonSchema> {
  return Object.fromEntries(
    Object.entries(componentSchemas).map(([name, schema]) => [
      name,
      jsonSchemaOf(schema, 'output'),
    ]),
  );
}
