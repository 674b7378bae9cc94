import { z } from 'zod';
import { dateTimeSchema } from '#shared/api/date-time.ts';
import { jsonSchemaOf, type JsonSchema } from '../front/openapi/components.ts';
import {
  correlationIdHeader,
  headers,
  parameterRef,
  parameters,
  problemRef,
  problemResponses,
  problemSchemas,
} from '../front/openapi/shared-parts.ts';
import { organizationSchema } from '../organizations/credentials.ts';
import { assignBody, caseMoveNames, reasonBody, verdicts } from './call-schemas.ts';
import { faultRulesSchema } from './faults.ts';
import { keyBody, organizationBody } from './organization-calls.ts';

interface Call {
  readonly method: 'get' | 'post' | 'put' | 'delete';
  readonly path: string;
  readonly id: string;
  readonly summary: string;
  readonly body?: z.ZodType;
  /** A call that takes a reason can do without. */
  readonly isBodyOptional?: boolean;
  /** What a success answers with; 204 where there is nothing. */
  readonly answer?: { readonly status: 200 | 201; readonly schema: z.ZodType };
}

const keySchema = z.object({ kid: z.string(), privateKeyPem: z.string().optional() });
const eventsSchema = z.array(
  z.object({ At: dateTimeSchema, Name: z.string(), By: z.string(), Detail: z.string() }),
);

const reason = { body: reasonBody, isBodyOptional: true };

const calls: readonly Call[] = [
  {
    method: 'post',
    path: '/organizations',
    id: 'addOrganization',
    summary: 'Register an organization with its first key',
    body: organizationBody,
    answer: { status: 201, schema: organizationSchema },
  },
  {
    method: 'post',
    path: '/organizations/{id}/keys',
    id: 'addKey',
    summary: "Register a key of the organization's own, or make a pair",
    body: keyBody,
    answer: { status: 201, schema: keySchema },
  },
  {
    method: 'delete',
    path: '/organizations/{id}/keys/{kid}',
    id: 'removeKey',
    summary: 'Remove a key',
  },
  {
    method: 'post',
    path: '/claims/{id}/assign',
    id: 'assign',
    summary: 'Assign a claim to an expert organization',
    body: assignBody,
  },
  ...caseMoveNames.map((name): Call => ({
    method: 'post',
    path: `/claims/{id}/${name}`,
    id: name,
    summary: `The case's move: ${name}`,
    ...reason,
  })),
  ...verdicts.map((name): Call => ({
    method: 'post',
    path: `/reports/{submissionId}/${name}`,
    id: name,
    summary: `Judge a report submission: ${name}`,
    ...reason,
  })),
  {
    method: 'get',
    path: '/claims/{id}/events',
    id: 'events',
    summary: "A claim's audit trail, the oldest first",
    answer: { status: 200, schema: eventsSchema },
  },
  {
    method: 'put',
    path: '/faults',
    id: 'setFaults',
    summary: 'Replace the rules by which requests go wrong; none clears them',
    body: faultRulesSchema,
  },
  {
    method: 'get',
    path: '/openapi.json',
    id: 'openapi',
    summary: 'This document',
    answer: { status: 200, schema: z.record(z.string(), z.unknown()) },
  },
];

/**
 * The OpenAPI 3.1 document of the back office, which is no part of the partner API and hence not of
 * its document.
 */
export function backofficeDocument(publicUrl: string): Record<string, unknown> {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const call of calls)
    (paths[`/_backoffice${call.path}`] ??= {})[call.method] = describe(call);
  const { Problem401, ...responses } = problemResponses();
  return {
    openapi: '3.1.0',
    info: {
      title: 'Back office of the partner API',
      version: '1',
      description: 'Moves claims, registers organizations and lets requests go wrong, for tests.',
    },
    servers: [{ url: publicUrl }],
    security: [{ backoffice: [] }],
    paths,
    components: {
      schemas: problemSchemas(),
      securitySchemes: {
        backoffice: {
          type: 'http',
          scheme: 'bearer',
          description: 'The token under `backoffice` in credentials.json.',
        },
      },
      parameters: {
        CorrelationId: parameters.CorrelationId,
      },
      headers,
      responses: { ...responses, Problem401: { ...Problem401, headers: refusedHeaders } },
    },
  };
}

const refusedHeaders = {
  ...correlationIdHeader,
  'WWW-Authenticate': { required: true, schema: { const: 'Bearer' } },
};

function describe({ path, id, summary, body, isBodyOptional, answer }: Call): JsonSchema {
  const ids = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }));
  const refusals = [
    ...(body || ids.length > 0 ? [400] : []),
    401,
    ...(ids.length > 0 ? [404] : []),
  ];
  return {
    operationId: id,
    summary,
    parameters: [...ids, parameterRef('CorrelationId')],
    ...(body && {
      requestBody: {
        required: isBodyOptional !== true,
        content: { 'application/json': { schema: jsonSchemaOf(body, 'input') } },
      },
    }),
    responses: {
      [answer?.status ?? 204]: {
        description: 'Success.',
        headers: correlationIdHeader,
        ...(answer && {
          content: { 'application/json': { schema: jsonSchemaOf(answer.schema, 'output') } },
        }),
      },
      ...Object.fromEntries([...refusals, 500].map((status) => [status, problemRef(status)])),
    },
  };
}
