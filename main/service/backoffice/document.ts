import {
  jsonSchemaOf,
  type JsonSchema,
  correlationIdHeader,
  headers,
  parameterRef,
  parameters,
  problemRef,
  problemResponses,
  problemSchemas,
} from '../../front/openapi/shared-parts.ts';
import { backofficePrefix, type CallDescription } from './call.ts';

/** The OpenAPI 3.1 document of the calls. */
export function describeCalls(
  calls: readonly CallDescription[],
  publicUrl: string,
): Record<string, unknown> {
  const paths: Record<string, Record<string, JsonSchema>> = {};
  for (const call of calls) {
    const path = (paths[backofficePrefix + call.path] ??= {});
    path[call.method.toLowerCase()] = describe(call);
  }
  const { Problem401, ...responses } = problemResponses();
  return {
    openapi: '3.1.0',
    info: {
      title: 'Back office of the partner API',
      version: '1',
      description: 'Moves claims, registers organizations and injects faults, for tests.',
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
      responses: { ...responses, Problem401: { ...Problem401, headers: unauthorizedHeaders } },
    },
  };
}

const unauthorizedHeaders = {
  ...correlationIdHeader,
  'WWW-Authenticate': { required: true, schema: { const: 'Bearer' } },
};

function describe({ path, id, summary, body, answer }: CallDescription): JsonSchema {
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
        required: !body.safeParse(undefined).success,
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
