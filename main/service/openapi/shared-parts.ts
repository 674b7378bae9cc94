import {
  correlationIdMaxLength,
  idempotencyKeyMaxLength,
  idempotencyRetentionMs,
} from '#shared/api/limits.ts';
import { problemSchema, problemStatus } from '#shared/api/problem.ts';
import { languages } from '../language.ts';
import { jsonSchemaOf, type JsonSchema } from './components.ts';

const retentionH = idempotencyRetentionMs / 3_600_000;

/** `components.parameters`: the headers of requests. Authorization is the security scheme's. */
export const parameters = {
  DPoP: {
    ...header('DPoP', 'The proof of possession: a new JWT for every request (RFC 9449).'),
    required: true,
  },
  CorrelationId: header('X-Correlation-Id', 'Given back where it is usable.', {
    minLength: 1,
    maxLength: correlationIdMaxLength,
    pattern: '^[!-~]+$',
  }),
  AcceptLanguage: header(
    'Accept-Language',
    `The language of a refusal's detail: ${languages.join(', ')}; ${languages[0]} by default.`,
  ),
  IdempotencyKey: header(
    'Idempotency-Key',
    `A repeated request with the same key and body gets the kept answer for ${retentionH} h.`,
    { minLength: 1, maxLength: idempotencyKeyMaxLength, pattern: '^[ -~]+$' },
  ),
} as const;

/** `components.headers`: the headers of answers. */
export const headers = {
  CorrelationId: {
    required: true,
    schema: { type: 'string', minLength: 1, maxLength: correlationIdMaxLength },
  },
  IdempotencyReplayed: {
    description: 'The answer was kept from an earlier request; nothing was run.',
    schema: { const: 'true' },
  },
  WwwAuthenticate: { schema: { type: 'string', pattern: '^DPoP ' } },
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
  CacheControl: { required: true, schema: { const: 'no-store' } },
} as const;

/** Statuses of refusals, each with the titles that come with it. */
const problemStatuses = [...new Set(Object.values(problemStatus))];

/** `components.schemas` of the problem documents: one for each status, with its titles. */
export function problemSchemas(): Record<string, JsonSchema> {
  const { properties, ...problem } = jsonSchemaOf(problemSchema, 'output');
  return Object.fromEntries(
    problemStatuses.map((status) => [
      `Problem${status}`,
      {
        ...problem,
        required: ['type', 'title', 'status', 'detail', 'instance'],
        properties: {
          ...(properties as object),
          title: { enum: titlesOf(status) },
          status: { const: status },
        },
      },
    ]),
  );
}

/** `components.responses`: the refusals. */
export function problemResponses(): Record<string, JsonSchema> {
  return Object.fromEntries(
    problemStatuses.map((status) => [
      `Problem${status}`,
      {
        description: `${titlesOf(status).join(', ')}.`,
        headers: { ...correlationIdHeader, ...headersOf(status) },
        content: {
          'application/problem+json': {
            schema: { $ref: `#/components/schemas/Problem${status}` },
          },
        },
      },
    ]),
  );
}

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

function headersOf(status: number): JsonSchema {
  if (status === 401) return { 'WWW-Authenticate': headerRef('WwwAuthenticate') };
  if (status === 429) {
    return {
      'Retry-After': headerRef('RetryAfter'),
      'X-RateLimit-Policy': headerRef('RateLimitPolicy'),
    };
  }
  // Refusals that are kept for a repeated POST (decisions, "Idempotency").
  if (status === 400 || status === 404) {
    return { 'Idempotency-Replayed': headerRef('IdempotencyReplayed') };
  }
  return {};
}

function titlesOf(status: number): string[] {
  return Object.entries(problemStatus).flatMap(([title, at]) => (at === status ? [title] : []));
}

function header(name: string, description: string, schema: JsonSchema = {}): JsonSchema {
  return { name, in: 'header', description, schema: { type: 'string', ...schema } };
}
