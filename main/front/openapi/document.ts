import type { z } from 'zod';
import { documentUploadSchema } from '#shared/api/document.ts';
import { routes, type Bucket, type OperationId, type Route } from '#shared/api/routes.ts';
import { submissionDocumentUploadSchema } from '#shared/api/submission.ts';
import {
  components,
  jsonSchemaOf,
  type JsonSchema,
  cacheControlHeader,
  correlationIdHeader,
  headerRef,
  headers,
  parameterRef,
  parameters,
  problemRef,
  problemResponses,
  problemSchemas,
  problemStatuses,
  tokenProblemRef,
} from './shared-parts.ts';
import { answerExamples } from './examples.ts';
import { descriptions, type OperationDescription } from './operations.ts';
import { signIn } from './sign-in.ts';

/** The description of a mounted operation's input. */
export interface MountedOperation {
  readonly id: OperationId;
  readonly params?: z.ZodType | undefined;
  readonly query?: z.ZodType | undefined;
  readonly body?: z.ZodType | undefined;
}

/** The bodies of the uploads. Uploads are streamed, so their operations have no schema. */
const uploads: Partial<Record<OperationId, z.ZodType>> = {
  I6: documentUploadSchema,
  X13: submissionDocumentUploadSchema,
};

interface DocumentOptions {
  readonly publicUrl: string;
  /** The description of the server as a whole, in Markdown. */
  readonly description: string;
  /** The `paths` of the endpoints that need no token. */
  readonly openPaths: Readonly<Record<string, object>>;
  /** The further statuses with which every operation may refuse. */
  readonly alsoRefuses?: readonly number[];
}

const tags = {
  authentication: 'How a program signs in.',
  insurers: 'Operations of an insurer, who calls a record a claim.',
  experts: 'Operations of an expert organization, which calls the same record a case.',
  description: 'What needs no token: this document, the schemas of the payload, the health.',
};

/** The OpenAPI 3.1 document of the mounted operations. */
export function openapiDocument(
  operations: readonly MountedOperation[],
  { publicUrl, description, openPaths, alsoRefuses = [] }: DocumentOptions,
): Record<string, unknown> {
  const paths: Record<string, Record<string, unknown>> = {};
  const statuses = [...problemStatuses, ...alsoRefuses];
  for (const operation of operations) {
    const route = routes[operation.id];
    const links = linksFrom(operation.id, operations);
    (paths[route.path] ??= {})[route.method.toLowerCase()] = describe(
      operation,
      route,
      links,
      alsoRefuses,
    );
  }
  const responses = problemResponses(statuses);
  const schemas = { ...components(), ...problemSchemas(statuses) };
  return {
    openapi: '3.1.0',
    info: {
      title: 'Case-management partner API',
      version: '1',
      description: `${description}\n\n${signIn}`,
      contact: { name: 'The organization that runs this server', url: publicUrl },
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: publicUrl }],
    tags: Object.entries(tags).map(([name, text]) => ({ name, description: text })),
    paths: { ...paths, ...openPaths },
    components: {
      schemas: usedSchemas({ ...paths, ...openPaths, ...responses }, schemas),
      securitySchemes: {
        dpop: {
          type: 'http',
          scheme: 'DPoP',
          description:
            'An access token bound to the key of the DPoP header (RFC 9449). No generator knows this scheme: set both headers for each request as "Sign-in" above shows.',
        },
        proof: {
          type: 'apiKey',
          in: 'header',
          name: 'DPoP',
          description: 'The proof of possession: a new JWT for every request (RFC 9449).',
        },
      },
      parameters,
      headers,
      responses,
    },
  };
}

type Schemas = Readonly<Record<string, unknown>>;

/** The schemas that these parts refer to, directly or through other schemas. */
function usedSchemas(parts: object, schemas: Schemas): Schemas {
  const used = new Set<string>();
  const look = (part: unknown): void => {
    const text = JSON.stringify(part ?? null);
    for (const [, name = ''] of text.matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
      if (used.has(name)) continue;
      used.add(name);
      look(schemas[name]);
    }
  };
  look(parts);
  return Object.fromEntries(Object.entries(schemas).filter(([name]) => used.has(name)));
}

function describe(
  operation: MountedOperation,
  route: Route,
  links: Record<string, JsonSchema>,
  alsoRefuses: readonly number[],
): Record<string, unknown> {
  const { id } = operation;
  const description = descriptions[id];
  const { requires } = description;
  const body = operation.body ?? uploads[id];
  const mediaType = id === 'token' ? 'application/x-www-form-urlencoded' : 'application/json';
  return {
    operationId: description.name,
    summary: `${description.summary} (${id})`,
    description: textOf(id, route, description),
    tags: [id === 'token' ? 'authentication' : id.startsWith('I') ? 'insurers' : 'experts'],
    security: securityOf(id, route),
    parameters: [
      ...fieldsOf(operation.params, 'path'),
      ...fieldsOf(operation.query, 'query'),
      parameterRef('CorrelationId'),
      ...(isRepeatable(id, route) ? [parameterRef('IdempotencyKey')] : []),
    ],
    ...(body && {
      requestBody: {
        required: requires !== undefined || !body.safeParse(undefined).success,
        content: {
          [mediaType]: {
            schema: { ...jsonSchemaOf(body, 'input'), ...(requires && { required: requires }) },
            example: description.example,
          },
        },
      },
    }),
    responses: responses(id, route, description, links, alsoRefuses),
  };
}

/** Token and proof; the token request has a proof alone. */
function securityOf(id: OperationId, { audience }: Route): object[] {
  if (audience !== 'none') return [{ dpop: [], proof: [] }];
  return id === 'token' ? [{ proof: [] }] : [];
}

const limits: Readonly<Record<Bucket, string>> = {
  standard: 'the standard bucket: 60 requests a minute, at most 20 at once',
  documents: 'the documents bucket: 20 requests a minute, at most 10 at once',
  token: '10 requests in each clock minute',
  validate: '10 requests in each clock minute, for each client or address',
};

/** The text of the operation, with its limit and its refusals, so that a page shows everything. */
function textOf(id: OperationId, route: Route, { text, refuses = [] }: OperationDescription) {
  const titles = [
    'invalid_request',
    ...(route.audience === 'none' ? [] : tokenTitles),
    ...(route.path.includes('{') ? (['forbidden', 'not_found'] as const) : []),
    ...refuses,
    'rate_limited',
  ];
  const named = [...new Set(titles)].map((title) => `\`${title}\``).join(', ');
  const limit = `**Limit.** ${limits[route.bucket]}; after a 429 wait for Retry-After.`;
  return [text, limit, `**Refusals.** ${named}.`].join('\n\n');
}

const tokenTitles = [
  'unauthorized',
  'invalid_dpop',
  'invalid_org_context',
  'org_without_members',
] as const;

/** Whether the header Idempotency-Key has an effect. */
function isRepeatable(id: OperationId, { method }: Route): boolean {
  return method === 'POST' && id !== 'token';
}

function responses(
  id: OperationId,
  route: Route,
  { answer }: OperationDescription,
  links: Record<string, JsonSchema>,
  alsoRefuses: readonly number[],
): Record<string, unknown> {
  const needsToken = route.audience !== 'none';
  const refusals = [
    400,
    ...(needsToken || id === 'token' ? [401] : []),
    ...(needsToken ? [403] : []),
    ...(route.path.includes('{') ? [404] : []),
    429,
    500,
    ...(id === 'token' ? [] : alsoRefuses),
  ];
  return {
    [route.success]: {
      description: 'Success.',
      headers: {
        ...correlationIdHeader,
        ...(isRepeatable(id, route) && {
          'Idempotency-Replayed': headerRef('IdempotencyReplayed'),
        }),
        ...((id === 'token' || route.method === 'GET') && cacheControlHeader),
      },
      ...(answer && {
        content: { 'application/json': { schema: schemaOf(answer), example: exampleOf(answer) } },
      }),
      ...(Object.keys(links).length > 0 && { links }),
    },
    ...Object.fromEntries(
      refusals.map((status) => [
        status,
        id === 'token' ? tokenProblemRef(status) : problemRef(status),
      ]),
    ),
  };
}

/**
 * The links to the operations whose path can be filled from the answer and from the path of this
 * one.
 */
function linksFrom(
  from: OperationId,
  operations: readonly MountedOperation[],
): Record<string, JsonSchema> {
  const { gives = {} } = descriptions[from];
  const { path, audience }: Route = routes[from];
  const expressionOf = (name: string) => {
    const pointer = gives[name];
    if (pointer !== undefined) return `$response.body#${pointer}`;
    return path.includes(`{${name}}`) ? `$request.path.${name}` : undefined;
  };
  const links = operations.flatMap(({ id }) => {
    const route: Route = routes[id];
    const names = [...route.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
    const parameters = Object.fromEntries(names.map((name) => [name, expressionOf(name)]));
    const isFilled = !Object.values(parameters).includes(undefined);
    return isFilled && route.audience === audience && names.some((name) => name in gives)
      ? [[descriptions[id].name, { operationId: descriptions[id].name, parameters }] as const]
      : [];
  });
  return Object.fromEntries(links);
}

function schemaOf(answer: NonNullable<OperationDescription['answer']>): JsonSchema {
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

function exampleOf(answer: NonNullable<OperationDescription['answer']>): object {
  if ('one' in answer) return answerExamples[answer.one];
  return { Total: 1, Page: 1, Size: 50, Items: [answerExamples[answer.pageOf]] };
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

export function json(schema: object): object {
  return { 'application/json': { schema } };
}

/** A path without a token. */
export function open(operationId: string, summary: string, content: object, path: object[] = []) {
  return {
    get: {
      operationId,
      summary,
      description: `${summary}. Needs no token.`,
      tags: ['description'],
      security: [],
      parameters: [...path, parameterRef('CorrelationId')],
      responses: {
        200: answer('Success.', content),
        400: problemRef(400),
        404: problemRef(404),
        500: problemRef(500),
      },
    },
  };
}

export function answer(description: string, content: object): object {
  return { description, headers: { ...correlationIdHeader, ...cacheControlHeader }, content };
}
