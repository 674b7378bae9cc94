import type { z } from 'zod';
import { documentUploadSchema } from '#shared/api/document.ts';
import { routes, type OperationId, type Route } from '#shared/api/routes.ts';
import { submissionDocumentUploadSchema } from '#shared/api/submission.ts';
import type { MountedOperation } from '../mounted-operation.ts';
import { answers, type AnswerDescription } from './answers.ts';
import { components, jsonSchemaOf, type JsonSchema } from './components.ts';

/** Bodies of the operations that read their body as a stream and so mount no schema. */
const uploads: Partial<Record<OperationId, z.ZodType>> = {
  I6: documentUploadSchema,
  X13: submissionDocumentUploadSchema,
};

/** The OpenAPI 3.1 document of the mounted operations. */
export function openapiDocument(
  operations: readonly MountedOperation[],
  publicUrl: string,
): Record<string, unknown> {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const operation of operations) {
    const route = routes[operation.id];
    (paths[route.path] ??= {})[route.method.toLowerCase()] = describe(operation, route);
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Case-management partner API',
      version: '1',
      description: 'Exchange of insurance claims between insurers and experts (appraisers).',
    },
    servers: [{ url: publicUrl }],
    tags: [{ name: 'authentication' }, { name: 'insurers' }, { name: 'experts' }],
    paths,
    components: {
      schemas: components(),
      securitySchemes: {
        dpop: {
          type: 'http',
          scheme: 'DPoP',
          description: 'An access token bound to the key of the DPoP header (RFC 9449).',
        },
      },
      parameters: {
        DPoP: header('DPoP', 'The proof: a new JWT for every request.', true),
        CorrelationId: header('X-Correlation-Id', '1 to 80 printable characters.', false),
        IdempotencyKey: header('Idempotency-Key', 'Makes a repeated POST safe for 24 h.', false),
      },
      headers: {
        CorrelationId: { schema: { type: 'string' }, required: true },
        RetryAfter: { schema: { type: 'integer' }, description: 'Whole seconds.' },
        RateLimitPolicy: { schema: { type: 'string' } },
      },
      responses: {
        Problem: problemAnswer('A refusal; the title says why.', {}),
        RateLimited: problemAnswer('Too many requests.', {
          'Retry-After': { $ref: '#/components/headers/RetryAfter' },
          'X-RateLimit-Policy': { $ref: '#/components/headers/RateLimitPolicy' },
        }),
      },
    },
  };
}

function describe(operation: MountedOperation, route: Route): Record<string, unknown> {
  const { id } = operation;
  const description = answers[id];
  const body = operation.body ?? uploads[id];
  const mediaType = id === 'token' ? 'application/x-www-form-urlencoded' : 'application/json';
  return {
    operationId: id,
    summary: description.summary,
    tags: [id === 'token' ? 'authentication' : id.startsWith('I') ? 'insurers' : 'experts'],
    security: route.audience === 'none' ? [] : [{ dpop: [] }],
    parameters: [
      ...fieldsOf(operation.params, 'path'),
      ...fieldsOf(operation.query, 'query'),
      ...(id === 'I3' ? [] : [parameter('DPoP')]),
      parameter('CorrelationId'),
      ...(route.method === 'POST' && id !== 'token' ? [parameter('IdempotencyKey')] : []),
    ],
    ...(body && {
      requestBody: {
        required: true,
        content: { [mediaType]: { schema: jsonSchemaOf(body, 'input') } },
      },
    }),
    responses: responses(route, description),
  };
}

function responses(route: Route, { answer }: AnswerDescription): Record<string, unknown> {
  const problem = { $ref: '#/components/responses/Problem' };
  const authorization = route.audience === 'none' ? {} : { 401: problem, 403: problem };
  return {
    [route.success]: {
      description: 'Success.',
      headers: { 'X-Correlation-Id': { $ref: '#/components/headers/CorrelationId' } },
      ...(answer && { content: { 'application/json': { schema: schemaOf(answer) } } }),
    },
    400: problem,
    ...(route.bucket === 'token' ? { 401: problem } : authorization),
    ...(route.path.includes('{') && { 404: problem }),
    429: { $ref: '#/components/responses/RateLimited' },
    500: problem,
  };
}

function schemaOf(answer: NonNullable<AnswerDescription['answer']>): JsonSchema {
  if ('one' in answer) return { $ref: `#/components/schemas/${answer.one}` };
  const count = { type: 'integer', format: 'int32' };
  return {
    type: 'object',
    required: ['Total', 'Page', 'Size', 'Items'],
    properties: {
      Total: { ...count, minimum: 0 },
      Page: { ...count, minimum: 1 },
      Size: { ...count, minimum: 1 },
      Items: { type: 'array', items: { $ref: `#/components/schemas/${answer.pageOf}` } },
    },
  };
}

function fieldsOf(schema: z.ZodType | undefined, place: 'path' | 'query'): object[] {
  if (!schema) return [];
  const { properties, required } = jsonSchemaOf(schema, 'input');
  const names = isRecord(properties) ? Object.entries(properties) : [];
  const needed: unknown[] = Array.isArray(required) ? required : [];
  return names.map(([name, field]) => ({
    name,
    in: place,
    required: place === 'path' || needed.includes(name),
    schema: field,
  }));
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

function parameter(name: string): JsonSchema {
  return { $ref: `#/components/parameters/${name}` };
}

function header(name: string, description: string, required: boolean): JsonSchema {
  return { name, in: 'header', required, description, schema: { type: 'string' } };
}

function problemAnswer(description: string, headers: JsonSchema): JsonSchema {
  return {
    description,
    headers: { 'X-Correlation-Id': { $ref: '#/components/headers/CorrelationId' }, ...headers },
    content: {
      'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } },
    },
  };
}
